import type { IncomingMessage } from 'node:http'
import { BlockList, isIP, isIPv6 } from 'node:net'

/** Tells the address that a request comes from. */
export type ReadClientIp = (request: IncomingMessage) => string

const family = (address: string) => (isIPv6(address) ? 'ipv6' : 'ipv4')
const plain = (address: string) => address.replace(/^::ffff:(?=\d+\.)/, '')

/**
 * `X-Forwarded-For` is believed from the configured proxies alone, from the right: the first
 * address that is not one of them is the client.
 */
export function clientIpReader(trustedProxies: string[]): ReadClientIp {
  const trusted = new BlockList()
  for (const proxy of trustedProxies) {
    const [address = '', bits] = proxy.split('/')
    if (bits) trusted.addSubnet(address, Number(bits), family(address))
    else trusted.addAddress(address, family(address))
  }
  const isTrusted = (address: string) => trusted.check(address, family(address))
  return (request) => {
    let client = plain(request.socket.remoteAddress ?? '')
    const chain = String(request.headers['x-forwarded-for'] ?? '')
      .split(',')
      .map((item) => plain(item.trim()))
    while (chain.length > 0 && isTrusted(client)) {
      const next = chain.pop() ?? ''
      if (!isIP(next)) break
      client = next
    }
    return client
  }
}
