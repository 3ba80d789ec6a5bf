import { expect, it } from 'vitest'
import { newPrivateKey, publicKeyOf } from './vapid-keys.ts'

it('a new private key has 32 bytes, with leading zeros too, and a public key of 65', () => {
  for (let i = 0; i < 1_000; i++) {
    const key = newPrivateKey()
    expect(Buffer.from(key, 'base64url')).toHaveLength(32)
    expect(Buffer.from(publicKeyOf(key), 'base64url')).toHaveLength(65)
  }
  expect(newPrivateKey()).not.toBe(newPrivateKey())
})

it('zero is no key of the curve', () => {
  expect(() => publicKeyOf(Buffer.alloc(32).toString('base64url'))).toThrow()
})
