import { ECDH } from 'node:crypto'
import type Koa from 'koa'
import type { BodyOf } from '#contract/routes'
import type { Tx } from '#db/postgres/statements/transaction'
import {
  blockInviter,
  readReminders,
  setMailReminders,
  setTeamReminders,
} from '#db/reminders/mail-reminders'
import { choosePushKind } from '#db/reminders/push-notices'
import {
  addSubscription,
  isPushEndpoint,
  removeSubscription,
} from '#db/reminders/push-subscriptions'
import { placeOf, requestSignInName } from '#gateway/auth/auth-session'
import { command, type Routes, signedIn } from '#gateway/http/route'
import type { Services } from '#gateway/services/services'
import { DEFAULT_LANGUAGE } from '#rules/members/languages'
import { RuleError } from '#rules/rule-error'

/** What the member is told outside of the app. */

const read = ({ config }: Services, db: Tx | Services['db'], ctx: Koa.Context, memberId: number) =>
  readReminders(db, memberId, {
    signInName: requestSignInName(ctx),
    pushKey: config.vapidPublicKey,
  })

const settings = signedIn<'GET /api/reminders'>(({ services, ctx, memberId }) =>
  read(services, services.db, ctx, memberId),
)

const mail = command<'POST /api/reminders/mail'>(
  [],
  async ({ services, ctx, tx, memberId, body }) => {
    await setMailReminders(tx, memberId, body)
    return read(services, tx, ctx, memberId)
  },
)

const kinds = command<'POST /api/reminders/kinds'>(
  [],
  async ({ services, ctx, tx, memberId, body }) => {
    await choosePushKind(tx, memberId, body)
    return read(services, tx, ctx, memberId)
  },
)

const team = command<'POST /api/reminders/team'>(
  [],
  async ({ services, ctx, tx, memberId, body }) => {
    await setTeamReminders(tx, memberId, body)
    return read(services, tx, ctx, memberId)
  },
)

const block = command<'POST /api/reminders/team/block'>(
  [],
  async ({ services, ctx, tx, memberId, body }) => {
    await blockInviter(tx, memberId, body)
    return read(services, tx, ctx, memberId)
  },
)

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

const addDevice = command<'POST /api/reminders/push'>(
  [],
  async ({ services, ctx, tx, memberId, body }) => {
    assertUsable(services, body)
    const signInName = requestSignInName(ctx) ?? ''
    const { language = DEFAULT_LANGUAGE, ...subscription } = body
    const device = { memberId, signInName, device: placeOf(ctx).device, language }
    await addSubscription(tx, services.config.dataKey, device, subscription)
    return read(services, tx, ctx, memberId)
  },
)

const removeDevice = command<'POST /api/reminders/push/remove'>(
  [],
  async ({ services, ctx, tx, memberId, body }) => {
    await removeSubscription(tx, memberId, body.deviceId)
    return read(services, tx, ctx, memberId)
  },
)

export const reminderRoutes = {
  'GET /api/reminders': {
    tag: 'reminders',
    summary: 'Reads what the member is told outside of the app, and on which devices.',
    access: 'member',
    handle: settings,
  },
  'POST /api/reminders/mail': {
    tag: 'reminders',
    summary: 'Switches reminders by mail on or off.',
    access: 'member',
    idempotent: true,
    errors: ['too_many_requests'],
    handle: mail,
  },
  'POST /api/reminders/kinds': {
    tag: 'reminders',
    summary: 'Switches the notifications of one kind on or off, on all devices of the member.',
    access: 'member',
    idempotent: true,
    errors: ['too_many_requests'],
    handle: kinds,
  },
  'POST /api/reminders/team': {
    tag: 'reminders',
    summary: 'Switches reminders by the inviter on or off.',
    access: 'member',
    idempotent: true,
    errors: ['too_many_requests'],
    handle: team,
  },
  'POST /api/reminders/team/block': {
    tag: 'reminders',
    summary: 'Lets no more reminders of the inviter through, or lets them through again.',
    access: 'member',
    idempotent: true,
    errors: ['too_many_requests'],
    handle: block,
  },
  'POST /api/reminders/push': {
    tag: 'reminders',
    summary: 'Stores the push subscription of this browser; an earlier one of it is replaced.',
    access: 'member',
    idempotent: true,
    errors: ['push_unavailable', 'subscription_refused', 'too_many_requests'],
    handle: addDevice,
  },
  'POST /api/reminders/push/remove': {
    tag: 'reminders',
    summary: 'Deletes one push subscription of the member; one that is gone is answered the same.',
    access: 'member',
    idempotent: true,
    errors: ['too_many_requests'],
    handle: removeDevice,
  },
} satisfies Partial<Routes>
