import type { IncomingMessage } from 'node:http'
import { isIP, isIPv4, isIPv6 } from 'node:net'
import type Koa from 'koa'
import proxyAddr from 'proxy-addr'
import { ipBucket } from '#gateway/services/rate-limits'

/** An IPv4 address that reached a dual-stack socket arrives as `::ffff:192.0.2.1`. */
const withoutMapping = (ip: string) => ip.replace(/^::ffff:(?=\d+\.)/, '')

/**
 * Reads the IP address of the client that sent a request. `X-Forwarded-For` counts only from the
 * configured proxies: read from the right, the first address that is not a proxy is the client.
 */
export function clientIpReader(trustedProxies: string[]): (request: IncomingMessage) => string {
  const isTrusted = proxyAddr.compile(trustedProxies)
  return (request) => {
    const chain = proxyAddr.all(request, isTrusted).map((ip) => withoutMapping(ip ?? ''))
    // An entry that is not an IP address proves nothing: the proxy that passed it on counts.
    return chain.findLast((ip) => isIP(ip) > 0) ?? ''
  }
}

/** The client's IP address of a request; the first middleware sets it. */
export function clientIp(ctx: Koa.Context): string {
  return ctx.state.ip as string
}

/**
 * A coarse place of an IP address: the first half of an IPv4 address (`203.0.x.x`), the first 32 bits
 * of an IPv6 address (`2001:db8::/32`). It distinguishes the networks of a member and identifies no person.
 */
export function networkName(ip: string): string {
  if (isIPv4(ip)) return `${ip.split('.').slice(0, 2).join('.')}.x.x`
  if (!isIPv6(ip)) return 'unknown network'
  return `${ipBucket(ip).split(':').slice(0, 2).join(':')}::/32`
}
