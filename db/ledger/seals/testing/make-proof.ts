import { createHash, type KeyObject, randomBytes, sign } from 'node:crypto'
import { leafOfRows, memberSalt, merklePath, merkleRoot } from '#db/ledger/seals/merkle-tree'
import { publicBytes, sealKey } from '#db/ledger/seals/seal-chain'
import type { Receipt } from '#rules/seal/receipt'
import { FIRST_PREVIOUS, type Seal, type SealKey, sealText } from '#rules/seal/seal'

/** A row of `DAY`, as the ledger seals it. */
export const ROW = 'credit:7:3|5|mining_reward|TESP|0.00333333|0.01000000|2026-11-21 05:00:00|91'
const DAY = '2026-11-21'

/** An Ed25519 key that nobody has published, as anybody can make one. */
export const aKey = (): KeyObject => sealKey(randomBytes(32))

/** What a server publishes about a key that is in use, or was until seal `to`. */
export const published = (key: KeyObject, from = 1, to: number | null = null): SealKey => ({
  publicKey: publicBytes(key).toString('base64'),
  from,
  to,
  since: '2026-11-22T00:01:00.000Z',
  until: to === null ? null : '2026-11-22T00:01:00.000Z',
})

type Contents = {
  rows?: string[]
  seal?: Partial<Seal>
  /** Members with rows on the day, the proof's one in the middle. */
  members?: number
}

/** A proof of the first of some rows in which everything fits together, signed by a key. */
export function makeProof(
  key: KeyObject,
  { rows = [ROW], seal = {}, members = 5 }: Contents = {},
): Receipt {
  const index = Math.floor(members / 2)
  const saltOf = (member: number) => memberSalt(Buffer.from(DAY), member)
  const leaves = Array.from({ length: members }, (_, i) => leafOfRows(saltOf(i), rows))
  const facts = {
    number: 1,
    day: DAY,
    reason: 'day' as const,
    rows: members * rows.length,
    members,
    root: merkleRoot(leaves).toString('hex'),
    previous: FIRST_PREVIOUS,
    sealedAt: '2026-11-22T00:01:00.000Z',
    ...seal,
  }
  return {
    format: 'tesp-receipt-1',
    row: rows[0] ?? '',
    rows,
    salt: saltOf(index).toString('hex'),
    index,
    path: merklePath(leaves, index).map((hash) => hash.toString('hex')),
    seal: {
      ...facts,
      hash: createHash('sha256').update(sealText(facts)).digest('hex'),
      signature: sign(null, Buffer.from(sealText(facts)), key).toString('base64'),
      publicKey: publicBytes(key).toString('base64'),
    },
  }
}
