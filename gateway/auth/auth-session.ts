import type Koa from 'koa'
import { createSession } from 'koa-session'
import type { MemberRow } from '#db/members/members'
import type { Config } from '#db/process/config'
import {
  type AuthSessionData,
  authSessionName,
  newAuthSessionId,
} from '#gateway/services/auth-session-store'
import type { Services } from '#gateway/services/services'
import { REMEMBERED_SIGN_IN_MS, SIGN_IN_MS } from '#rules/constants'

/** Whether members reach the product over TLS, so that cookies can insist on it. */
export function isSecure(config: Config): boolean {
  return config.publicOrigins.some((origin) => origin.startsWith('https:'))
}

/** Name of the cookie; `__Host-` pins it to this host where there is TLS. */
export function cookieName(config: Config): string {
  return isSecure(config) ? '__Host-tesp' : 'tesp'
}

/** What koa-session puts on a context; its own types leave it open. */
type KoaSession = AuthSessionData & {
  externalKey: string
  maxAge: number | 'session'
  regenerate(): Promise<void>
}
type WithSession = { session: KoaSession | null }

/**
 * Browser sessions on Redis. Nothing is written for a request that changes nothing (no `rolling`):
 * a poll in flight cannot bring back a sign-in that was ended meanwhile.
 */
export function authSessions(app: Koa, { config, authSessions: store }: Services): Koa.Middleware {
  app.keys = config.sessionKeys
  return createSession(
    {
      key: cookieName(config),
      maxAge: 'session',
      httpOnly: true,
      sameSite: 'lax',
      signed: true,
      secure: isSecure(config),
      genid: newAuthSessionId,
      store: {
        get: (id: string) => store.get(id),
        set: (id: string, data: AuthSessionData) => store.set(id, data),
        destroy: (id: string) => store.destroy(id),
      },
    },
    app,
  )
}

function sessionOf(ctx: Koa.Context): KoaSession | null {
  return (ctx as unknown as WithSession).session
}

/** What is known of the browser that sent this request. */
export function authSession(ctx: Koa.Context): AuthSessionData {
  return sessionOf(ctx) ?? {}
}

/** The id that codes are bound to; made for a browser that has none. */
export function browserId(ctx: Koa.Context): string {
  const session = sessionOf(ctx)
  if (!session) throw new Error('no browser session')
  session.browserId ??= newAuthSessionId()
  return session.browserId
}

/** Signs the browser in under a new id, so that one planted before is worth nothing. */
export async function signIn(ctx: Koa.Context, member: MemberRow, remember: boolean) {
  const session = sessionOf(ctx)
  if (!session) throw new Error('no browser session')
  const lifeMs = remember ? REMEMBERED_SIGN_IN_MS : SIGN_IN_MS
  session.memberId = member.id
  session.epoch = member.authEpoch
  session.expiresAt = Date.now() + lifeMs
  session.remembered = remember
  session.maxAge = remember ? lifeMs : 'session'
  await session.regenerate()
}

/** Ends this browser's sign-in; returns its name for closing its sockets. */
export function signOut(ctx: Koa.Context): string | undefined {
  const name = sessionOf(ctx)?.externalKey
  ;(ctx as unknown as WithSession).session = null
  return name && authSessionName(name)
}
