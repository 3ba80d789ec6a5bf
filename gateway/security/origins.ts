import type { IncomingMessage } from 'node:http'
import { networkInterfaces } from 'node:os'
import type { Config } from '#db/process/config'

/** Whether a page of that origin may act for a member here. */
export type AllowsOrigin = (request: IncomingMessage, origin: string) => boolean

function ownHosts(): Set<string> {
  const addresses = Object.values(networkInterfaces()).flatMap((all) => all ?? [])
  const hosts = addresses.map(({ address }) => (address.includes(':') ? `[${address}]` : address))
  return new Set(['localhost', '127.0.0.1', '[::1]', ...hosts])
}

/**
 * Exactly the origins of `PUBLIC_ORIGIN`. In development also the page's own origin under any
 * name of this machine; other names are refused, so that no foreign name that resolves to this
 * machine gets in.
 */
export function allowsOrigin({ publicOrigins, production }: Config): AllowsOrigin {
  return (request, origin) => {
    if (publicOrigins.includes(origin)) return true
    if (production || !URL.canParse(origin)) return false
    const { host, hostname, protocol } = new URL(origin)
    return protocol === 'http:' && host === request.headers.host && ownHosts().has(hostname)
  }
}

/**
 * Whether a request that changes something may come from where it comes from. A browser always
 * says so, in `Origin` or `Sec-Fetch-Site`; what says nothing carries no member's cookies.
 */
export function isSameSite(request: IncomingMessage, allows: AllowsOrigin): boolean {
  const { origin } = request.headers
  if (origin !== undefined) return allows(request, origin)
  const site = request.headers['sec-fetch-site']
  return site === undefined || site === 'same-origin' || site === 'none'
}
