import { randomBytes } from 'node:crypto'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { audit } from '#db/ledger/audit'
import { creditIntervals } from '#db/ledger/ledger'
import { rollUpLedger } from '#db/ledger/retention/rollup-steps'
import { partitionName } from '#db/postgres/partitions'
import { type Db, inTransaction } from '#db/postgres/transaction'
import { completeTask } from '#db/tasks'
import { cutAfterStatements } from '#db/testing/statements/cut-after-statements'
import { type FreshDatabase, freshDatabase } from '#db/testing/fresh-database'
import { insertMember } from '#db/testing/members'
import { recordSwept, seedOldDays } from '#db/testing/history/seed-old-days'
import { insertSessions, startedBefore } from '#db/testing/sessions'
import { DAY_MS } from '#rules/constants'
import { signatureFits, verifyReceipt } from '#rules/seal/verify-receipt'
import { auditSeals, CHAIN_RULE, SEAL_RULE } from './audit-seals.ts'
import { readSeals, sealKey, signSeals } from './chain.ts'
import { readReceipt } from './receipts.ts'
import { sealLateRows, sealLedger } from './seal-steps.ts'

let fresh: FreshDatabase
let members: number[]
/** Noon of the middle day of the history, ms. */
let noon: number

beforeEach(async () => {
  fresh = await freshDatabase()
  ;({ members, noon } = await seedOldDays(fresh.db))
})
afterEach(() => fresh.close())

const seals = () => readSeals(fresh.db, 0)
const problems = async () => (await auditSeals(fresh.db))[SEAL_RULE] ?? []
const broken = async () => (await auditSeals(fresh.db))[CHAIN_RULE] ?? []
const aRow = () => fresh.db('wallet_activity').where({ userId: members[4] }).orderBy('seq').first()

/** A credit whose interval ended at noon of the middle day. */
async function lateCredit(): Promise<void> {
  const memberId = await insertMember(fresh.db)
  const startedAt = startedBefore(noon, 1)
  const [sessionId = 0] = await insertSessions(fresh.db, [{ userId: memberId, startedAt }])
  expect(await creditIntervals(fresh.db, { sessionId, memberId })).toHaveLength(1)
  const quarantine = { quarantinedAt: new Date(), quarantineReason: 'one credit only' }
  await fresh.db('mining_sessions').where({ id: sessionId }).update(quarantine)
}

it('each complete day is sealed once, without a gap, in one chain', async () => {
  const sealed = await sealLedger(fresh.db)
  const chain = await seals()
  expect(chain).toHaveLength(sealed)
  // Three days of sessions, the days without rows behind them, and not the present one.
  expect(sealed).toBeGreaterThan(20)
  for (const [i, seal] of chain.entries()) {
    expect(seal).toMatchObject({ number: i + 1, reason: 'day' })
    expect(seal.previous).toBe(chain[i - 1]?.hash ?? '0'.repeat(64))
    const next = chain[i + 1]
    if (next) expect(Date.parse(next.day) - Date.parse(seal.day)).toBe(DAY_MS)
  }
  const rows = await fresh.db('wallet_activity').pluck('seq')
  expect(chain.reduce((sum, seal) => sum + seal.rows, 0)).toBe(rows.length)
  expect(await problems()).toEqual([])
  expect(await sealLedger(fresh.db)).toBe(0)
})

it('a day waits until its intervals are credited and until older transactions have ended', async () => {
  await fresh.db('credit_sweeps').update({ sweptTo: new Date(noon) })
  const before = await sealLedger(fresh.db)
  await recordSwept(fresh.db)
  const older = await fresh.db.transaction()
  await older.raw('select 1')
  // The step that finds the day due comes after the transaction began.
  expect(await sealLedger(fresh.db)).toBe(0)
  await older.rollback()
  expect(await sealLedger(fresh.db)).toBeGreaterThan(before)
})

it('a signature is that of the key, and covers the fields of its seal', async () => {
  await sealLedger(fresh.db)
  const key = sealKey(randomBytes(32))
  expect(await signSeals(fresh.db, key)).toBe((await seals()).length)
  expect(await signSeals(fresh.db, key)).toBe(0)
  const [seal] = await seals()
  if (!seal) throw new Error('there is no seal')
  expect(await signatureFits(seal)).toBe(true)
  expect(await signatureFits({ ...seal, rows: seal.rows + 1 })).toBe(false)
  expect(await broken()).toEqual([])
})

describe('after a day was sealed, the audit reports', () => {
  beforeEach(() => sealLedger(fresh.db))

  it.each<[string, (db: Db) => Promise<unknown>]>([
    [
      'a changed amount',
      async (db) =>
        db('wallet_activity')
          .where({ seq: (await aRow()).seq })
          .increment('amount', 1),
    ],
    [
      'a changed time',
      async (db) =>
        db('wallet_activity')
          .where({ seq: (await aRow()).seq })
          .update({ createdAt: db.raw(`"createdAt" + interval '1 microsecond'`) }),
    ],
    [
      'a removed row',
      async (db) =>
        db('wallet_activity')
          .where({ seq: (await aRow()).seq })
          .delete(),
    ],
    [
      'all rows of a member removed',
      async (db) => db('wallet_activity').where({ userId: members[4] }).delete(),
    ],
    [
      'a row that is added and is no automatic credit',
      async (db) => {
        const { seq: _, ...row } = await aRow()
        await db('wallet_activity').insert({ ...row, id: 'correction:999' })
      },
    ],
    [
      'a credit that is added with an earlier place in the order of posting',
      async (db) => db('wallet_activity').insert({ ...(await aRow()), id: 'credit:999:1' }),
    ],
    [
      'changed leaves',
      async (db) =>
        db.raw(`update ledger_leaves set leaves = set_byte(leaves, 3, get_byte(leaves, 3) # 1)`),
    ],
  ])('%s', async (_, tamper) => {
    expect(await problems()).toEqual([])
    await tamper(fresh.db)
    expect((await problems()).length).toBeGreaterThan(0)
  })

  it.each<[string, (db: Db) => Promise<unknown>]>([
    [
      'a seal that is taken out of the chain',
      (db) => db('ledger_seals').where({ number: 3 }).delete(),
    ],
    ['a changed seal', (db) => db('ledger_seals').where({ number: 3 }).increment('rows', 1)],
    [
      'a seal that is signed by another key than it names',
      async (db) => {
        await signSeals(db, sealKey(randomBytes(32)))
        await db('ledger_seals')
          .where({ number: 3 })
          .update({ publicKey: randomBytes(32) })
      },
    ],
    [
      'a seal whose signature is taken away',
      async (db) => {
        await signSeals(db, sealKey(randomBytes(32)))
        await db('ledger_seals').where({ number: 3 }).update({ signature: null, publicKey: null })
      },
    ],
  ])('%s', async (_, tamper) => {
    expect(await broken()).toEqual([])
    await tamper(fresh.db)
    expect((await broken()).length).toBeGreaterThan(0)
  })
})

it('a late credit is no problem, and its day is sealed again', async () => {
  await sealLedger(fresh.db)
  await lateCredit()
  expect(await problems()).toEqual([])
  expect(await sealLateRows(fresh.db)).toBe(1)
  expect((await seals()).at(-1)).toMatchObject({ reason: 'late rows' })
  expect(await sealLateRows(fresh.db)).toBe(0)
  expect(await problems()).toEqual([])
})

it('a day that differs by more than late credits is not sealed again', async () => {
  await sealLedger(fresh.db)
  const { seq } = await aRow()
  await fresh.db('wallet_activity').where({ seq }).delete()
  await expect(sealLateRows(fresh.db)).rejects.toThrow('differs from its seal')
})

describe('a roll-up', () => {
  it('takes no day that is not sealed, once the ledger has seals', async () => {
    let steps = 0
    // A day takes two steps: it is due, then it is sealed.
    await sealLedger(fresh.db, () => steps++ < 2)
    const [first, ...others] = await seals()
    expect(others).toEqual([])
    await rollUpLedger(fresh.db, 7)
    const newest = await fresh.db('ledger_rollups').max({ partition: 'partition' }).first()
    expect(newest?.partition).toBe(partitionName(Date.parse(first?.day ?? '')))
    await sealLedger(fresh.db)
    expect(await rollUpLedger(fresh.db, 7)).toBeGreaterThan(1)
  })

  it('is sealed again and stays audited', async () => {
    await sealLedger(fresh.db)
    await lateCredit()
    expect(await rollUpLedger(fresh.db, 7)).toBeGreaterThan(2)
    // Between the swap and its seal.
    expect(await problems()).toEqual([])
    expect(await sealLedger(fresh.db)).toBeGreaterThan(2)
    expect((await seals()).at(-1)).toMatchObject({ reason: 'roll-up' })
    expect(await problems()).toEqual([])
    expect((await audit(fresh.db)).problems).toEqual([])
    const { seq } = await aRow()
    await fresh.db('wallet_activity').where({ seq }).increment('amount', 1)
    expect((await problems()).length).toBeGreaterThan(0)
  })

  it('stops before the swap if the single rows are no longer the sealed ones', async () => {
    await sealLedger(fresh.db)
    const { seq } = await aRow()
    await fresh.db('wallet_activity').where({ seq }).delete()
    await expect(rollUpLedger(fresh.db, 7)).rejects.toThrow('differs from its seal')
  })
})

it('a worker that dies after any statement leaves one seal a day', async () => {
  const kills = await cutAfterStatements(fresh.url, {
    work: sealLedger,
    check: async () => expect(await broken()).toEqual([]),
    step: 40,
  })
  expect(kills).toBeGreaterThan(3)
  const days = (await seals()).map(({ day }) => day)
  expect(new Set(days).size).toBe(days.length)
  expect(await problems()).toEqual([])
})

describe('a receipt', () => {
  it('proves a row to somebody who has only the published seals', async () => {
    await sealLedger(fresh.db)
    await signSeals(fresh.db, sealKey(randomBytes(32)))
    const { id } = await aRow()
    const receipt = await readReceipt(fresh.db, members[4] ?? 0, id)
    if (!receipt) throw new Error('there is no receipt')
    const seal = (await seals()).find(({ number }) => number === receipt.seal.number)
    const trusted = { hash: seal?.hash ?? '', publicKey: seal?.publicKey ?? '' }
    expect(Object.values(await verifyReceipt(receipt, trusted))).toEqual(Array(5).fill(true))
    const changed = receipt.row.replace('mining_reward', 'other')
    const forged = { ...receipt, row: changed, rows: [changed, ...receipt.rows.slice(1)] }
    expect(await verifyReceipt(forged, trusted)).toMatchObject({ row: true, root: false })
  })

  it('exists neither for a row of somebody else nor before the seal', async () => {
    const { id } = await aRow()
    expect(await readReceipt(fresh.db, members[4] ?? 0, id)).toBeUndefined()
    await sealLedger(fresh.db)
    expect(await readReceipt(fresh.db, members[5] ?? 0, id)).toBeUndefined()
    expect(await readReceipt(fresh.db, members[4] ?? 0, 'no row')).toBeUndefined()
  })

  it('of a row before a late one stays true, and the late row has none until it is sealed', async () => {
    await sealLedger(fresh.db)
    const [first = 0] = members
    await inTransaction(fresh.db, (tx) => completeTask(tx, first, 'follow_twitter'))
    const row = await fresh
      .db('wallet_activity')
      .where({ userId: first })
      .orderBy('seq', 'desc')
      .first()
    expect(await readReceipt(fresh.db, first, row.id)).toBeUndefined()
    const { id } = await aRow()
    expect(await readReceipt(fresh.db, members[4] ?? 0, id)).toBeDefined()
  })
})
