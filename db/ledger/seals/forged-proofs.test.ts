import { afterEach, describe, expect, it, vi } from 'vitest'
import type { Receipt } from '#rules/seal/receipt'
import type { Seal } from '#rules/seal/seal'
import {
  LEAF_PREFIX,
  NODE_PREFIX,
  type Trusted,
  verdictOf,
  verifyReceipt,
} from '#rules/seal/verify-receipt'
import { leafHash, merkleRoot } from './merkle-tree.ts'
import { aKey, makeProof, published, ROW } from './testing/make-proof.ts'

const key = aKey()
const other = ROW.replace('credit:7:3', 'credit:7:4').replace('|91', '|92')
const proof = makeProof(key, { rows: [ROW, other] })
/** What the server of the product publishes. */
const trusted: Trusted = { keys: [published(key)], seals: [proof.seal] }
const RICH = ROW.replace('0.00333333', '999999.00000000')

afterEach(() => void vi.unstubAllGlobals())

const verdict = async (receipt: Receipt, known = trusted) =>
  verdictOf(await verifyReceipt(receipt, known))
const withSeal = (seal: Partial<Seal>): Receipt => ({ ...proof, seal: { ...proof.seal, ...seal } })

it('a proof of the published seal is valid', async () => {
  expect(await verdict(proof)).toBe('valid')
})

describe('a forger', () => {
  it('with a key of their own is unknown, although everything else fits', async () => {
    const forged = makeProof(aKey(), { rows: [RICH] })
    const checks = await verifyReceipt(forged, { keys: [published(key)] })
    expect(checks).toMatchObject({ row: true, root: true, hash: true, signature: true, key: false })
    expect(verdictOf(checks)).toBe('unknownKey')
    expect(await verdict(forged)).toBe('unknownKey')
    expect(await verdict(forged, {})).toBe('unchecked')
    expect(await verdict(forged, { keys: [] })).toBe('unknownKey')
  })

  it('a proof with the key of the product and another signature is refused', async () => {
    const { seal } = makeProof(aKey(), { rows: [RICH] })
    const forged = { ...makeProof(aKey(), { rows: [RICH] }), seal }
    const named = { ...forged, seal: { ...seal, publicKey: published(key).publicKey } }
    expect(await verdict(named)).toBe('invalid')
    expect(await verdict(named, { keys: [published(key)] })).toBe('invalid')
  })

  it('with a stolen key is refused where the published seal has another root', async () => {
    const forged = makeProof(key, { rows: [RICH] })
    expect(await verdict(forged)).toBe('invalid')
    expect(await verdict(makeProof(key, { rows: [RICH], seal: { number: 2 } }))).toBe('invalid')
    // Nothing tells them apart without the server, which is why no row is shown then.
    expect(await verdict(forged, { keys: [published(key)] })).toBe('signed')
  })

  it('with an old key of the product is refused after its period, and before it', async () => {
    const keys = [published(aKey(), 1, 4), published(key, 5, 9), published(aKey(), 10)]
    const of = (number: number) => verdict(makeProof(key, { seal: { number } }), { keys })
    expect([await of(5), await of(9)]).toEqual(['signed', 'signed'])
    expect([await of(4), await of(10)]).toEqual(['unknownKey', 'unknownKey'])
  })

  it('cannot take the signature away', async () => {
    expect(await verdict(withSeal({ signature: null, publicKey: null }))).toBe('invalid')
    expect(await verdict(withSeal({ signature: null }))).toBe('invalid')
  })
})

const [first = '', ...others] = proof.path
const alone = makeProof(key, { members: 1 })

/** A proof for a signed root that a path beside the only leaf leads to, of a tree of so many members. */
function withPath(path: string[], members: number): Receipt {
  const nodes = [...path, alone.seal.root].map((hex) => Buffer.from(hex, 'hex'))
  const seal = { root: merkleRoot(nodes).toString('hex'), members }
  return { ...makeProof(key, { members: 1, seal }), path, index: members - 1 }
}

// Without published seals, so that each of these fails by its own check.
it.each<[string, Receipt]>([
  ['another day', withSeal({ day: '2026-11-20' })],
  ['a day that is the beginning of the right one', makeProof(key, { seal: { day: '2026-11-2' } })],
  ['an empty day', makeProof(key, { seal: { day: '' } })],
  ['rows of another day', makeProof(key, { seal: { day: '2026-11-20' } })],
  ['swapped rows', { ...proof, rows: [other, ROW] }],
  ['a row that is not among the rows', { ...proof, row: RICH }],
  ['a changed row', { ...proof, row: RICH, rows: [RICH, other] }],
  ['a row less', { ...proof, rows: [ROW] }],
  ['a path that is cut short', { ...proof, path: others }],
  ['a path too short for the members', withPath([], 5)],
  ['a path that is too long', { ...proof, path: [...proof.path, first] }],
  ['a path too long for the members', withPath([first], 1)],
  ['a hash of the path that is too short', withPath([first.slice(2)], 2)],
  ['the place of a neighbour', { ...proof, index: proof.index + 1 }],
  ['a place outside of the tree', { ...proof, index: 5 }],
  ['a negative place', { ...proof, index: -1 }],
  ['another number of members', withSeal({ members: 1 })],
  ['another root', withSeal({ root: '0'.repeat(64) })],
  ['another hash', withSeal({ hash: '0'.repeat(64) })],
  ['another signature', withSeal({ signature: makeProof(aKey()).seal.signature })],
])('a proof with %s is not valid', async (_, forged) => {
  expect(await verdict(forged, { keys: [published(key)] })).toBe('invalid')
})

it('a proof whose path fits the members is signed', async () => {
  expect(await verdict(withPath([first], 2), { keys: [published(key)] })).toBe('signed')
})

it('an inner node of the tree cannot pass for a leaf', () => {
  expect(LEAF_PREFIX).not.toBe(NODE_PREFIX)
  const [left, right] = [Buffer.alloc(32, 1), Buffer.alloc(32, 2)]
  expect(leafHash(left, right)).not.toEqual(merkleRoot([left, right]))
})

it('a browser that cannot check signatures leaves the verdict open', async () => {
  const { importKey } = crypto.subtle
  crypto.subtle.importKey = () => Promise.reject(new DOMException('', 'NotSupportedError'))
  expect(await verdict(proof)).toBe('unchecked')
  crypto.subtle.importKey = importKey
})

it('a browser without cryptography leaves the verdict open, and refuses what it can compare', async () => {
  vi.stubGlobal('crypto', {})
  expect(await verdict(proof)).toBe('unchecked')
  expect(await verdict(proof, { ...trusted, hash: 'other' })).toBe('invalid')
  expect(await verdict(makeProof(aKey()))).toBe('invalid')
})

it('an entered hash stands for the server, and contradicts it', async () => {
  const keys = [published(key)]
  expect(await verdict(proof, { keys, hash: proof.seal.hash })).toBe('valid')
  expect(await verdict(proof, { keys, hash: 'other' })).toBe('invalid')
  expect(await verdict(proof, { ...trusted, hash: 'other' })).toBe('invalid')
  expect(await verdict(makeProof(aKey()), { hash: proof.seal.hash })).toBe('invalid')
})
