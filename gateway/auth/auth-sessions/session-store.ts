import type Koa from 'koa'
import { clientIp } from '#gateway/security/client-ip'
import { deviceName } from '#gateway/security/device-name'
import { networkName } from '#gateway/security/network-name'
import { type AuthSessionData, authSessionName } from '#gateway/services/auth-session-store'
import type { Services } from '#gateway/services/services'
import type { Place } from '#gateway/services/sign-in-list'

/** The ids under which a request read its session and wrote it last. */
type SessionIds = { read?: string; written?: string }
const sessionIds = new WeakMap<object, SessionIds>()

/** The device and the network of a request, in plain words. */
export function placeOf(ctx: Koa.Context): Place {
  return { device: deviceName(ctx.get('User-Agent')), network: networkName(clientIp(ctx)) }
}

/** Name of the sign-in that this request began, or else of the one that sent it. */
export function requestSignInName(ctx: Koa.Context): string | undefined {
  const { read, written } = sessionIds.get(ctx) ?? {}
  const id = written ?? read
  return id && authSessionName(id)
}

/** What koa-session passes to its store; its types make the context optional. */
type Options = { ctx?: Koa.Context }

function contextOf({ ctx }: Options): Koa.Context {
  if (!ctx) throw new Error('koa-session passed no context')
  return ctx
}

/** koa-session's external store, which also records the requests of each sign-in. */
export function sessionStore({ authSessions, signIns, log }: Services) {
  return {
    async get(id: string, _maxAge: unknown, options: Options) {
      const ctx = contextOf(options)
      const now = Date.now()
      const data = await authSessions.get(id, now)
      if (!data) return undefined
      sessionIds.set(ctx, { read: id })
      if (data.memberId !== undefined) {
        // Not awaited: when a sign-in was last seen decides nothing.
        signIns
          .record(data.memberId, authSessionName(id), now, () => placeOf(ctx))
          .catch((err) => log.debug({ err }, 'request not recorded in the list of sign-ins'))
      }
      return data
    },
    async set(id: string, data: AuthSessionData, _maxAge: unknown, options: Options) {
      const ctx = contextOf(options)
      const ids = sessionIds.get(ctx)
      sessionIds.set(ctx, { ...ids, written: id })
      // A session that was ended during this request must not come back.
      if (ids?.read === id) await authSessions.update(id, data, Date.now())
      else await authSessions.set(id, data, Date.now())
    },
    destroy: (id: string) => authSessions.destroy(id),
  }
}
