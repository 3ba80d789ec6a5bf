import type { IncomingMessage } from 'node:http'
import { expect, it } from 'vitest'
import { clientIpReader } from './client-ip.ts'

const readClientIp = clientIpReader(['10.0.0.0/8', '192.0.2.1', '2001:db8::/32'])
const requestFrom = (remoteAddress: string | undefined, forwardedFor?: string) => {
  const headers = forwardedFor === undefined ? {} : { 'x-forwarded-for': forwardedFor }
  return { socket: { remoteAddress }, headers } as IncomingMessage
}

it.each([
  ['no header', '203.0.113.9', undefined, '203.0.113.9'],
  ['a header of an untrusted client', '203.0.113.9', '198.51.100.1', '203.0.113.9'],
  ['one trusted proxy', '10.1.2.3', '198.51.100.1', '198.51.100.1'],
  ['a chain of trusted proxies', '10.1.2.3', '198.51.100.1, 192.0.2.1', '198.51.100.1'],
  ['a spoofed entry before the client', '10.1.2.3', '1.1.1.1, 198.51.100.1', '198.51.100.1'],
  ['only trusted proxies', '10.1.2.3', '10.4.5.6, 192.0.2.1', '10.4.5.6'],
  ['an IPv4-mapped proxy', '::ffff:10.1.2.3', '::ffff:198.51.100.1', '198.51.100.1'],
  ['an IPv6 proxy', '2001:db8::1', '2001:470::9', '2001:470::9'],
  ['an entry that is no IP address', '10.1.2.3', 'unknown', '10.1.2.3'],
  ['an entry with a port', '10.1.2.3', '198.51.100.1:4711', '10.1.2.3'],
  ['a short form of an IP address', '10.1.2.3', '1', '10.1.2.3'],
  ['an empty header', '10.1.2.3', '', '10.1.2.3'],
  ['a closed connection', undefined, '198.51.100.1', ''],
])('the client IP with %s: %s, %j is %s', (_, remoteAddress, forwardedFor, ip) => {
  expect(readClientIp(requestFrom(remoteAddress, forwardedFor))).toBe(ip)
})

it('X-Forwarded-For is ignored without trusted proxies', () => {
  expect(clientIpReader([])(requestFrom('10.1.2.3', '198.51.100.1'))).toBe('10.1.2.3')
})
