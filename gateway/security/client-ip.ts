import type { IncomingMessage } from 'node:http'
import { isIP, isIPv4, isIPv6 } from 'node:net'
import type Koa from 'koa'
import proxyAddr from 'proxy-addr'
import { ipBucket } from '#gateway/services/rate-limits'

/** An IPv4 address that reached a dual-stack socket arrives as `::ffff:192.0.2.1`. */
const withoutMapping = (ip: string) => ip.replace(/^::ffff:(?=\d+\.)/, '')

/** Reads `X-Forwarded-For` from the right: the first address that is not a configured proxy is the client. */
export function clientIpReader(trustedProxies: string[]): (request: IncomingMessage) => string {
  const isTrusted = proxyAddr.compile(trustedProxies)
  return (request) => {
    const chain = proxyAddr.all(request, isTrusted).map((ip) => withoutMapping(ip ?? ''))
    // An entry that is not an IP address proves nothing: the proxy that passed it on counts.
    return chain.findLast((ip) => isIP(ip) > 0) ?? ''
  }
}

export function clientIp(ctx: Koa.Context): string {
  return ctx.state.ip as string
}

/** `203.0.x.x` or `2001:db8::/32`: distinguishes the networks of a member and identifies no person. */
export function networkName(ip: string): string {
  if (isIPv4(ip)) return `${ip.split('.').slice(0, 2).join('.')}.x.x`
  if (!isIPv6(ip)) return 'unknown network'
  return `${ipBucket(ip).split(':').slice(0, 2).join(':')}::/32`
}
