import { describe, expect, it } from 'vitest'
import { decrypt, encrypt, keyedHash, keyedHashes, open } from './encryption.ts'

const KEY = Buffer.alloc(32, 1)
const OTHER = Buffer.alloc(32, 2)
const plain = Buffer.from('a passport')

it('decrypt returns what encrypt was given', () => {
  expect(decrypt(KEY, 'mail', encrypt(KEY, 'mail', plain))).toEqual(plain)
  expect(decrypt(KEY, 'mail', encrypt(KEY, 'mail', Buffer.alloc(0)))).toHaveLength(0)
})

it('encrypting the same bytes twice gives different ciphertexts without the plain text', () => {
  const [one, two] = [encrypt(KEY, 'mail', plain), encrypt(KEY, 'mail', plain)]
  expect(one).not.toEqual(two)
  expect(one.includes(plain)).toBe(false)
})

it('decrypt rejects another key or purpose', () => {
  const encrypted = encrypt(KEY, 'mail', plain)
  expect(() => decrypt(OTHER, 'mail', encrypted)).toThrow()
  expect(() => decrypt(KEY, 'kyc document', encrypted)).toThrow()
})

it('decrypt rejects bytes that were changed or truncated anywhere', () => {
  const encrypted = encrypt(KEY, 'mail', plain)
  for (let i = 0; i < encrypted.length; i++) {
    const changed = Buffer.from(encrypted)
    changed.writeUInt8(changed.readUInt8(i) ^ 1, i)
    expect(() => decrypt(KEY, 'mail', changed)).toThrow()
  }
  for (const length of [0, 11, 20, 28, encrypted.length - 1]) {
    expect(() => decrypt(KEY, 'mail', encrypted.subarray(0, length))).toThrow()
  }
})

it('keyedHash depends on key, purpose and text', () => {
  const hashes = [
    keyedHash(KEY, 'code', '123456'),
    keyedHash(OTHER, 'code', '123456'),
    keyedHash(KEY, 'other', '123456'),
    keyedHash(KEY, 'code', '123457'),
  ]
  expect(new Set(hashes).size).toBe(4)
  expect(keyedHash(KEY, 'code', '123456')).toBe(hashes[0])
})

describe('a ring of two keys', () => {
  const ring = Buffer.concat([OTHER, KEY])

  it('a ring encrypts with its first key', () => {
    const encrypted = encrypt(ring, 'mail', plain)
    expect(decrypt(OTHER, 'mail', encrypted)).toEqual(plain)
    expect(() => decrypt(KEY, 'mail', encrypted)).toThrow()
  })

  it('a ring decrypts with each of its keys and reports whether it is the current one', () => {
    expect(open(ring, 'mail', encrypt(OTHER, 'mail', plain))).toEqual({ plain, isCurrent: true })
    expect(open(ring, 'mail', encrypt(KEY, 'mail', plain))).toEqual({ plain, isCurrent: false })
    expect(() => open(ring, 'mail', encrypt(Buffer.alloc(32, 3), 'mail', plain))).toThrow()
  })

  it('a ring hashes with its first key and offers the hashes of the others', () => {
    const [current, older] = keyedHashes(ring, 'code', '123456')
    expect(current).toBe(keyedHash(OTHER, 'code', '123456'))
    expect(older).toBe(keyedHash(KEY, 'code', '123456'))
    expect(keyedHash(ring, 'code', '123456')).toBe(current)
  })
})
