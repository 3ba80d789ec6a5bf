import { expect, it } from 'vitest'
import { isPublicAddress, isPushEndpoint } from './push-subscriptions.ts'

it.each([
  'https://fcm.googleapis.com/fcm/send/abc',
  'https://updates.push.services.mozilla.com/wpush/v2/abc',
  'https://web.push.apple.com/abc',
  'https://8.8.8.8/abc',
  'https://[2606:4700::1111]/abc',
])('%s is a push endpoint', (url) => {
  expect(isPushEndpoint(url, false)).toBe(true)
})

it.each([
  'http://push.example/abc',
  'https://push.example:8443/abc',
  'https://user@push.example/abc',
  'https://127.0.0.1/abc',
  'https://2130706433/abc',
  'https://0x7f.1/abc',
  'https://10.0.0.5/abc',
  'https://169.254.169.254/latest/meta-data',
  'https://[::1]/abc',
  'https://[::ffff:127.0.0.1]/abc',
  'https://[::ffff:7f00:1]/abc',
  'https://[fd00::1]/abc',
  'https://[fe80::1]/abc',
  'https://[64:ff9b::7f00:1]/abc',
  'file:///etc/passwd',
  'redis://push.example/abc',
  'no URL',
])('%s is no push endpoint', (url) => {
  expect(isPushEndpoint(url, false)).toBe(false)
})

it('PUSH_PRIVATE_ENDPOINTS allows private addresses, and still only http and https', () => {
  expect(isPushEndpoint('http://127.0.0.1:9000/abc', true)).toBe(true)
  expect(isPushEndpoint('redis://127.0.0.1:6379/abc', true)).toBe(false)
})

it.each([
  ['1.1.1.1', true],
  ['2a00:1450:4001::200e', true],
  ['0.0.0.0', false],
  ['100.64.0.1', false],
  ['172.31.255.255', false],
  ['172.32.0.1', true],
  ['192.168.1.1', false],
  ['198.19.0.1', false],
  ['224.0.0.1', false],
  ['255.255.255.255', false],
  ['::', false],
  ['2002:7f00:1::', false],
  ['2001::1', false],
  ['2001:db8::1', false],
  ['ff02::1', false],
  ['push.example', false],
])('the address %s is public: %s', (address, isPublic) => {
  expect(isPublicAddress(address)).toBe(isPublic)
})
