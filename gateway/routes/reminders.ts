import { ECDH } from 'node:crypto'
import type Koa from 'koa'
import type { BodyOf } from '#contract/routes'
import { notSignedIn } from '#db/members/execute-once'
import type { Tx } from '#db/postgres/statements/transaction'
import { readReminders, storePreference } from '#db/reminders/mail-reminders'
import { choosePushKind } from '#db/reminders/push-notices'
import {
  addSubscription,
  isPushEndpoint,
  removeSubscription,
} from '#db/reminders/push-subscriptions'
import { placeOf, requestSignInName } from '#gateway/auth/auth-session'
import { command, routesOf, signedIn, storedSignIn } from '#gateway/http/route'
import type { Services } from '#gateway/services/services'
import { RuleError } from '#rules/rule-error'

const read = ({ config }: Services, db: Tx | Services['db'], ctx: Koa.Context, memberId: number) =>
  readReminders(db, memberId, {
    signInName: requestSignInName(ctx),
    pushKey: config.vapidPublicKey,
  })

/** Whether the bytes are a point of the curve, which the encryption of each message needs. */
function isPublicKey(p256dh: string): boolean {
  try {
    ECDH.convertKey(p256dh, 'prime256v1', 'base64url')
    return true
  } catch {
    return false
  }
}

function assertUsable(services: Services, body: BodyOf<'POST /api/reminders/push'>): void {
  const { vapidPublicKey, pushPrivateEndpoints } = services.config
  if (!vapidPublicKey) {
    throw new RuleError('push_unavailable', 'Notifications are not set up here')
  }
  // Our workers post to this URL: whatever the browser sent must not reach a private network.
  if (!isPushEndpoint(body.endpoint, pushPrivateEndpoints) || !isPublicKey(body.p256dh)) {
    throw new RuleError(
      'subscription_refused',
      'The push service of this browser cannot be used here',
    )
  }
}

type Setting = 'mail' | 'kinds' | 'team' | 'team/block' | 'push/remove'

const changing = <R extends `POST /api/reminders/${Setting}`>(
  change: (tx: Tx, memberId: number, body: BodyOf<R>) => Promise<void>,
) =>
  command<R>([], async ({ services, ctx, tx, memberId, body }) => {
    await change(tx, memberId, body)
    return read(services, tx, ctx, memberId)
  })

export const reminderRoutes = routesOf('reminders', {
  'GET /api/reminders': {
    summary: 'Reads what the member is told outside of the app, and on which devices.',
    handle: signedIn(({ services, ctx, memberId }) => read(services, services.db, ctx, memberId)),
  },
  'POST /api/reminders/mail': {
    summary: 'Switches reminders by mail on or off.',
    idempotent: true,
    handle: changing((tx, memberId, { on, language }) =>
      storePreference(tx, memberId, language, { mail: on }),
    ),
  },
  'POST /api/reminders/kinds': {
    summary: 'Switches the notifications of one kind on or off, on all devices of the member.',
    idempotent: true,
    handle: changing(choosePushKind),
  },
  'POST /api/reminders/team': {
    summary: 'Switches reminders by the inviter on or off.',
    idempotent: true,
    handle: changing((tx, memberId, { on, language }) =>
      storePreference(tx, memberId, language, { team: on }),
    ),
  },
  'POST /api/reminders/team/block': {
    summary: 'Lets no more reminders of the inviter through, or lets them through again.',
    idempotent: true,
    handle: changing((tx, memberId, { blocked, language }) =>
      storePreference(tx, memberId, language, { inviterBlockedAt: blocked ? tx.fn.now() : null }),
    ),
  },
  'POST /api/reminders/push': {
    summary: 'Stores the push subscription of this browser; an earlier one of it is replaced.',
    idempotent: true,
    errors: ['push_unavailable', 'subscription_refused'],
    handle: command([], async ({ services, ctx, tx, memberId, body }) => {
      assertUsable(services, body)
      const signInName = requestSignInName(ctx) ?? ''
      const { language, ...subscription } = body
      const device = { ...storedSignIn(ctx), signInName, device: placeOf(ctx).device, language }
      const { dataKey } = services.config
      if (!(await addSubscription(tx, dataKey, device, subscription))) throw notSignedIn()
      return read(services, tx, ctx, memberId)
    }),
  },
  'POST /api/reminders/push/remove': {
    summary: 'Deletes one push subscription of the member; one that is gone is answered the same.',
    idempotent: true,
    handle: changing((tx, memberId, { deviceId }) =>
      removeSubscription(tx, memberId, { id: deviceId }),
    ),
  },
})
