import { expect, it } from 'vitest'
import { isKeyPair, newKeyPair } from './vapid-keys.ts'

it('new keys are a pair of 65 and 32 bytes', () => {
  for (let n = 0; n < 300; n++) {
    const { publicKey, privateKey } = newKeyPair()
    expect(Buffer.from(publicKey, 'base64url')).toHaveLength(65)
    expect(Buffer.from(privateKey, 'base64url')).toHaveLength(32)
    expect(isKeyPair(publicKey, privateKey)).toBe(true)
  }
})

it('keys of different pairs, or one key alone, are no pair; no keys are one', () => {
  const [one, other] = [newKeyPair(), newKeyPair()]
  expect(isKeyPair(one.publicKey, other.privateKey)).toBe(false)
  expect(isKeyPair(one.publicKey, undefined)).toBe(false)
  expect(isKeyPair(undefined, one.privateKey)).toBe(false)
  expect(isKeyPair(one.publicKey, Buffer.alloc(32).toString('base64url'))).toBe(false)
  expect(isKeyPair(undefined, undefined)).toBe(true)
})
