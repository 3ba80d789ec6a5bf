import { expect, it } from 'vitest'
import { inTransaction } from '#db/postgres/statements/transaction'
import { completeTask } from '#db/tasks'
import { parseReceipt } from '#rules/seal/parse-receipt'
import { verdictOf, verifyReceipt } from '#rules/seal/verify-receipt'
import { isOneServer } from '#scripts/testing/db/database'
import { readReceipt } from './receipts.ts'
import { readSealKeys, signSeals } from './seal-chain.ts'
import { sealLedger } from './seal-steps.ts'
import { aKey, published } from './testing/make-proof.ts'
import { useOldDays } from './testing/use-old-days.ts'

const { fresh, seals, aRow } = useOldDays({ sealed: false })

it('a receipt proves a row to somebody who has only the published seals', async () => {
  await sealLedger(fresh.db)
  await signSeals(fresh.db, aKey())
  const { id } = await aRow()
  const receipt = await readReceipt(fresh.db, fresh.members[4] ?? 0, id)
  if (!receipt) throw new Error('there is no receipt')
  const trusted = { seals: await seals(), keys: await readSealKeys(fresh.db) }
  expect(verdictOf(await verifyReceipt(receipt, trusted))).toBe('valid')
  // What a member's file holds, as the strict reader takes it.
  expect(parseReceipt(JSON.stringify({ receipt }))).toEqual(receipt)
  const changed = receipt.row.replace('mining_reward', 'other')
  const forged = { ...receipt, row: changed, rows: [changed, ...receipt.rows.slice(1)] }
  expect(await verifyReceipt(forged, trusted)).toMatchObject({ row: true, root: false })
})

// On Citus wallets number their rows, and the row of this insert has a number of the sequence.
it.runIf(isOneServer())(
  'a receipt of a row before a late one stays true, and the late row has none until it is sealed',
  async () => {
    await sealLedger(fresh.db)
    const { seq: _, ...row } = await aRow()
    const before = await readReceipt(fresh.db, row.userId, row.id)
    const late = { ...row, id: 'credit:999:1' }
    await fresh.db('wallet_activity').insert(late)
    expect(before).toBeDefined()
    expect(await readReceipt(fresh.db, row.userId, row.id)).toEqual(before)
    expect(await readReceipt(fresh.db, late.userId, late.id)).toBeUndefined()
  },
)

it('a row of a day that is not sealed has no receipt', async () => {
  await sealLedger(fresh.db)
  const [first = 0] = fresh.members
  await inTransaction(fresh.db, (tx) => completeTask(tx, first, 'follow_twitter'))
  const [id = ''] = await fresh
    .db('wallet_activity')
    .where({ userId: first })
    .orderBy('seq', 'desc')
    .limit(1)
    .pluck('id')
  expect(await readReceipt(fresh.db, first, id)).toBeUndefined()
})

it('a receipt exists neither before the seal nor for a row of another member', async () => {
  const { id } = await aRow()
  const [own = 0, other = 0] = fresh.members.slice(4)
  expect(await readReceipt(fresh.db, own, id)).toBeUndefined()
  await sealLedger(fresh.db)
  expect(await readReceipt(fresh.db, own, id)).toBeDefined()
  expect(await readReceipt(fresh.db, other, id)).toBeUndefined()
  expect(await readReceipt(fresh.db, own, 'no row')).toBeUndefined()
})

it('every receipt of a member is read, of a claim and a task too', async () => {
  await sealLedger(fresh.db)
  const kinds = new Set<string | undefined>()
  for (const userId of fresh.members.slice(0, 3)) {
    const ids: string[] = await fresh.db('wallet_activity').where({ userId }).pluck('id')
    for (const id of ids) {
      kinds.add(id.split(':')[0])
      const receipt = await readReceipt(fresh.db, userId, id)
      expect(receipt, id).toBeDefined()
      expect(parseReceipt(JSON.stringify(receipt, null, 2)), id).toEqual(receipt)
    }
  }
  expect([...kinds].sort()).toEqual(['claim', 'credit', 'task'])
})

it('the keys of the chain have the seals that they signed as periods, also a key that comes back', async () => {
  await sealLedger(fresh.db)
  const [first, second] = [aKey(), aKey()]
  const last = (await seals()).length
  const sign = async (to: number, key: typeof first) => {
    // Seals that are not there yet cannot be signed.
    await fresh
      .db('ledger_seals')
      .where('number', '>', to)
      .update({ signature: Buffer.alloc(64) })
    await signSeals(fresh.db, key)
    await fresh.db('ledger_seals').where('number', '>', to).update({ signature: null })
  }
  await sign(2, first)
  await sign(3, second)
  expect(await readSealKeys(fresh.db)).toMatchObject([
    { publicKey: published(first).publicKey, from: 1, to: 2, until: expect.any(String) },
    { publicKey: published(second).publicKey, from: 3, to: null, until: null },
  ])
  await sign(last, first)
  expect(await readSealKeys(fresh.db)).toMatchObject([
    { publicKey: published(first).publicKey, from: 1, to: 2 },
    { publicKey: published(second).publicKey, from: 3, to: 3 },
    { publicKey: published(first).publicKey, from: 4, to: null },
  ])
})
