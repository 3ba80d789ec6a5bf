import type Koa from 'koa'
import { createSession } from 'koa-session'
import type { SignedOutReason } from '#contract/events'
import { MEMBER_COOKIE } from '#contract/headers'
import { type MemberRow, memberById } from '#db/members/members'
import { clientIp, networkName } from '#gateway/security/client-ip'
import { deviceName } from '#gateway/security/device-name'
import { isSecure } from '#gateway/security/origins'
import {
  type AuthSessionData,
  authSessionName,
  newAuthSessionId,
} from '#gateway/services/auth-session-store'
import type { Place } from '#gateway/services/device-list'
import { causeOf, type Services } from '#gateway/services/services'
import { REMEMBERED_SIGN_IN_MS, SIGN_IN_MS } from '#rules/constants'
import { RuleError } from '#rules/rule-error'
import { cookieKeys, cookieName } from './session-cookie.ts'

/** The ids under which a request read its session and wrote it last. */
type SessionIds = { read?: string; written?: string }
const sessionIds = new WeakMap<object, SessionIds>()

export function placeOf(ctx: Koa.Context): Place {
  return { device: deviceName(ctx.get('User-Agent')), network: networkName(clientIp(ctx)) }
}

/** Name of the sign-in that this request began, or else of the one that sent it. */
export function requestSignInName(ctx: Koa.Context): string | undefined {
  const { read, written } = sessionIds.get(ctx) ?? {}
  const id = written ?? read
  return id && authSessionName(id)
}

/** koa-session's types make the context optional; it passes one. */
type Options = { ctx?: Koa.Context }

function sessionStore({ authSessions, devices, log }: Services) {
  return {
    async get(id: string, _maxAge: unknown, options: Options) {
      const ctx = options.ctx as Koa.Context
      const now = Date.now()
      const data = await authSessions.get(id, now)
      if (!data) return undefined
      sessionIds.set(ctx, { read: id })
      if (data.memberId !== undefined) {
        // Not awaited: when a sign-in was last seen decides nothing.
        devices
          .record(data.memberId, authSessionName(id), now, () => placeOf(ctx))
          .catch((err) =>
            log.debug(
              { err, requestId: causeOf(ctx).requestId },
              'request not recorded in the list of sign-ins',
            ),
          )
      }
      // Without `_session`, koa-session's second save in one request gives the cookie a life of one day.
      return data.remembered ? data : { ...data, _session: true }
    },
    async set(id: string, data: AuthSessionData, _maxAge: unknown, options: Options) {
      const ctx = options.ctx as Koa.Context
      const ids = sessionIds.get(ctx)
      sessionIds.set(ctx, { ...ids, written: id })
      // A session that was ended during this request must not come back; koa-session writes a new one twice.
      if (ids?.read === id || ids?.written === id) await authSessions.update(id, data, Date.now())
      else await authSessions.set(id, data, Date.now())
    },
    destroy: (id: string) => authSessions.end(authSessionName(id)),
  }
}

/** Throws `account_frozen` with the reason: call it only after the password or passkey was verified. */
export function assertNotFrozen({ frozenReason }: Pick<MemberRow, 'frozenReason'>): void {
  if (frozenReason === null) return
  const text = `Your account is frozen: ${frozenReason}`
  throw new RuleError('account_frozen', text, undefined, { reason: frozenReason })
}

/** What koa-session puts on a context; its own types do not declare it. */
type KoaSession = AuthSessionData & {
  maxAge: number | 'session'
  regenerate(): Promise<void>
  save(): Promise<void>
}

/** Without `rolling`, a request that changes nothing writes nothing: a poll cannot restore an ended session. */
export function authSessions(app: Koa, services: Services): Koa.Middleware {
  const { config } = services
  app.keys = cookieKeys(config.sessionKeys)
  return createSession(
    {
      key: cookieName(config),
      maxAge: 'session',
      httpOnly: true,
      sameSite: 'lax',
      signed: true,
      secure: isSecure(config),
      genid: newAuthSessionId,
      store: sessionStore(services),
    },
    app,
  )
}

/** The session of the request's browser; empty for a new one. There is none after `signOut`. */
export function authSession(ctx: Koa.Context): KoaSession {
  return (ctx as unknown as { session: KoaSession }).session
}

/** The id that e-mail codes are bound to; a browser without one gets a new id. */
export function browserId(ctx: Koa.Context): string {
  const session = authSession(ctx)
  session.browserId ??= newAuthSessionId()
  return session.browserId
}

/** Why this request's sign-in is not valid any more; undefined if it has expired or this browser ended it. */
export async function endOfSignIn(
  { config, authSessions, db }: Services,
  ctx: Koa.Context,
): Promise<SignedOutReason | undefined> {
  const { memberId } = authSession(ctx)
  if (memberId !== undefined) {
    const member = await memberById(db, memberId)
    if (!member || member.deletedAt) return 'account-deleted'
    return member.frozenReason === null ? 'ended' : 'account-frozen'
  }
  const id = ctx.cookies.get(cookieName(config), { signed: true })
  return id === undefined ? undefined : authSessions.reasonOfRemoteEnd(authSessionName(id))
}

/** The marker cookie is read by the page and is no credential. */
const MARKER = { httpOnly: false, signed: false, sameSite: 'lax' } as const

export type SignInOptions = {
  /** Keep the sign-in after the browser is closed and without an idle limit. */
  remember: boolean
  /** Real time of the request, ms. */
  now: number
}

type Account = Pick<MemberRow, 'id' | 'authEpoch'>

/** Takes a new session id against session fixation; throws `account_frozen` for every kind of sign-in. */
export async function signIn(
  { devices, log }: Services,
  ctx: Koa.Context,
  member: Account & Pick<MemberRow, 'frozenReason'>,
  { remember, now }: SignInOptions,
): Promise<void> {
  assertNotFrozen(member)
  const session = authSession(ctx)
  const lifeMs = remember ? REMEMBERED_SIGN_IN_MS : SIGN_IN_MS
  session.memberId = member.id
  session.epoch = member.authEpoch
  session.signedInAt = now
  session.expiresAt = now + lifeMs
  session.remembered = remember
  delete session.secondStep
  session.maxAge = remember ? lifeMs : 'session'
  await session.regenerate()
  const lifetime = remember ? { maxAge: lifeMs } : {}
  ctx.cookies.set(MEMBER_COOKIE, String(member.id), { ...MARKER, ...lifetime })
  const name = requestSignInName(ctx)
  try {
    if (name) await devices.record(member.id, name, now, () => placeOf(ctx))
    await devices.limit(member.id, member.authEpoch, now)
  } catch (err) {
    // The sign-in is stored and its cookie goes out: a refusal would not be true.
    log.warn(
      { err, memberId: member.id },
      'list of sign-ins not updated; the next request adds this one',
    )
  }
}

/** Keeps this browser signed in after the epoch of its member was raised, which ends all sign-ins. */
export async function renewSignIn(
  ctx: Koa.Context,
  { authEpoch }: Account,
  now: number,
): Promise<void> {
  const session = authSession(ctx)
  session.epoch = authEpoch
  // koa-session would otherwise write a cookie that outlives the browser.
  const { remembered, expiresAt = now } = session
  session.maxAge = remembered ? Math.max(1, expiresAt - now) : 'session'
  // At once: other requests of this browser are rejected until the new epoch is stored.
  await session.save()
}

/** Ends this browser's sign-in after the handler. */
export function signOut(ctx: Koa.Context): void {
  Object.assign(ctx, { session: null })
  ctx.cookies.set(MEMBER_COOKIE, null, MARKER)
}
