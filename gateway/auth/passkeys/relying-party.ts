import type Koa from 'koa'
import type { Config } from '#runtime/config/config'

/** Who asks for a passkey: the domain that it belongs to, and the origins that may use it. */
export type RelyingParty = { id: string; origins: string[] }

/**
 * The relying party of the first `PUBLIC_ORIGIN`; further origins can use its passkeys if they are on
 * that domain or below it. Without the setting (development) it is the host of the request's origin,
 * which `sameOriginOnly` has accepted.
 */
export function relyingParty({ publicOrigins }: Config, ctx: Koa.Context): RelyingParty {
  const own = publicOrigins.length > 0 ? publicOrigins : [ctx.get('Origin') || ctx.origin]
  const urls = own.map((origin) => new URL(origin))
  const id = urls[0]?.hostname ?? 'localhost'
  const isOwn = ({ hostname }: URL) => hostname === id || hostname.endsWith(`.${id}`)
  return { id, origins: urls.filter(isOwn).map(({ origin }) => origin) }
}
