import { BlockList, isIP } from 'node:net'

/** IPv4 networks that no push service has: private, local, reserved, multicast (RFC 6890). */
const NOT_PUBLIC_V4 = `0.0.0.0/8 10.0.0.0/8 100.64.0.0/10 127.0.0.0/8 169.254.0.0/16 172.16.0.0/12
  192.0.0.0/24 192.0.2.0/24 192.88.99.0/24 192.168.0.0/16 198.18.0.0/15 198.51.100.0/24
  203.0.113.0/24 224.0.0.0/4 240.0.0.0/4`
/** Within global unicast, those that embed IPv4 addresses or are reserved. */
const NOT_PUBLIC_V6 = '2001::/23 2001:db8::/32 2002::/16 3fff::/20'
/** Global unicast; loopback, link-local, unique local and mapped IPv4 addresses are outside. */
const PUBLIC_V6 = '2000::/3'

function blockList(networks: string, family: 'ipv4' | 'ipv6'): BlockList {
  const list = new BlockList()
  for (const network of networks.split(/\s+/)) {
    const [address = '', bits] = network.split('/')
    list.addSubnet(address, Number(bits), family)
  }
  return list
}

const notPublicV4 = blockList(NOT_PUBLIC_V4, 'ipv4')
const notPublicV6 = blockList(NOT_PUBLIC_V6, 'ipv6')
const publicV6 = blockList(PUBLIC_V6, 'ipv6')

/** Whether an IP address belongs to the internet, not to this machine or a private network. */
export function isPublicAddress(address: string): boolean {
  if (isIP(address) === 4) return !notPublicV4.check(address, 'ipv4')
  if (isIP(address) !== 6) return false
  return publicV6.check(address, 'ipv6') && !notPublicV6.check(address, 'ipv6')
}

/**
 * Whether a URL from a browser has the form of a push endpoint: https on its usual port, no
 * credentials, no private address. A name must be resolved and checked again when it is connected.
 * @param allowsPrivate also http, any port and private addresses (`PUSH_PRIVATE_ENDPOINTS`)
 */
export function isPushEndpoint(text: string, allowsPrivate: boolean): boolean {
  if (!URL.canParse(text)) return false
  const { protocol, hostname, port, username, password } = new URL(text)
  if (username || password) return false
  if (allowsPrivate) return protocol === 'https:' || protocol === 'http:'
  if (protocol !== 'https:' || port !== '') return false
  const address = hostname.replace(/^\[(.*)\]$/, '$1')
  return isIP(address) === 0 || isPublicAddress(address)
}
