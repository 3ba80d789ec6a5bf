import { expect, it } from 'vitest'
import { networkName } from './client-ip.ts'

it.each([
  ['203.0.113.9', '203.0.x.x'],
  ['2001:db8:1:2:3:4:5:6', '2001:db8::/32'],
  ['::1', '0:0::/32'],
  ['', 'unknown network'],
])('the network of %j is %s', (ip, network) => {
  expect(networkName(ip)).toBe(network)
})
