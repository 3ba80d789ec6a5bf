import { createHash } from 'node:crypto'
import { describe, expect, it } from 'vitest'
import type { Receipt } from '#rules/seal/receipt'
import { verifyReceipt } from '#rules/seal/verify-receipt'
import { leafOfRows, MerkleTree, memberSalt, merklePath, merkleRoot } from './merkle-tree.ts'

/** The leaf of RFC 9162, without our salt. */
const plainLeaf = (hex: string) =>
  createHash('sha256').update(Uint8Array.of(0)).update(Buffer.from(hex, 'hex')).digest()

/** Inputs and roots of Certificate Transparency's reference implementation. */
const INPUTS = ['', '00', '10', '2021', '3031', '40414243', '5051525354555657']
const LAST = '606162636465666768696a6b6c6d6e6f'
const ROOTS: [number, string][] = [
  [0, 'e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855'],
  [1, '6e340b9cffb37a989ca544e6bb780a2c78901d3fb33738768511a30617afa01d'],
  [2, 'fac54203e7cc696cf0dfcb42c92a1d9dbaf70ad9e621f4bd8d98662f00e3c125'],
  [3, 'aeb6bcfe274b70a14fb067a5e5578264db0fa9b51af5e0ba159158f329e06e77'],
  [8, '5dc9da79a70659a9ad559cb701ded9a2ab9d823aad2f4960cfe370eff4604328'],
]

it.each(ROOTS)('the root of %i leaves is that of the reference implementation', (count, root) => {
  const leaves = [...INPUTS, LAST].slice(0, count).map(plainLeaf)
  expect(merkleRoot(leaves).toString('hex')).toBe(root)
})

it('whole blocks as subtrees give the root of their leaves', () => {
  const leaves = Array.from({ length: 37 }, (_, i) => plainLeaf(i.toString(16).padStart(2, '0')))
  const tree = new MerkleTree()
  for (let at = 0; at < leaves.length; at += 8) tree.push(merkleRoot(leaves.slice(at, at + 8)))
  expect(tree.root()).toEqual(merkleRoot(leaves))
})

describe('an inclusion path', () => {
  const ROWS = ['credit:1:1|1|mining_reward|TESP|0.1|0.1|2026-11-21 05:00:00|7']
  const members = (count: number) =>
    Array.from({ length: count }, (_, userId) => ({
      salt: memberSalt(Buffer.from('day'), userId),
      rows: ROWS.map((row) => row.replace('|1|', `|${userId}|`)),
    }))

  function receiptOf(count: number, index: number): Receipt {
    const leaves = members(count).map(({ salt, rows }) => leafOfRows(salt, rows))
    const { salt, rows } = members(count)[index] ?? { salt: Buffer.alloc(0), rows: [] }
    const seal = {
      number: 1,
      day: '2026-11-21',
      reason: 'day' as const,
      rows: count,
      members: count,
      root: merkleRoot(leaves).toString('hex'),
      previous: '',
      sealedAt: '',
      hash: '',
      signature: null,
      publicKey: null,
    }
    return {
      format: 'tesp-receipt-1',
      row: rows[0] ?? '',
      rows,
      salt: salt.toString('hex'),
      index,
      path: merklePath(leaves, index).map((hash) => hash.toString('hex')),
      seal,
    }
  }
  const leads = async (receipt: Receipt) => (await verifyReceipt(receipt)).root

  it('leads from every leaf of every tree of up to 40 leaves to the root', async () => {
    for (let count = 1; count <= 40; count++) {
      for (let index = 0; index < count; index++) {
        expect(await leads(receiptOf(count, index))).toBe(true)
      }
    }
  })

  it('does not lead there from another place, with other rows or with a hash more or less', async () => {
    const receipt = receiptOf(21, 13)
    const [first = '', ...others] = receipt.path
    const changed: Partial<Receipt>[] = [
      { index: 12 },
      { index: 21 },
      { rows: [...receipt.rows, ...receipt.rows] },
      { salt: '00' },
      { path: others },
      { path: [first, ...receipt.path] },
      { path: [...receipt.path, first] },
      { path: ['00', ...others] },
    ]
    for (const change of changed) expect(await leads({ ...receipt, ...change })).toBe(false)
  })
})
