import { afterAll, beforeAll, expect, it } from 'vitest'
import { differingMember, readFigures, rollUpShardSql } from '#db/engine/citus/roll-up-shard'
import { audit } from '#db/ledger/audit'
import { partitionName } from '#db/ledger/partitions'
import { rollUpLedger, rollUpStep } from '#db/ledger/retention/rollup-steps'
import { auditSeals, CHAIN_RULE, SEAL_RULE } from '#db/ledger/seals/audit-seals'
import { sealLateRows, sealLedger } from '#db/ledger/seals/seal-steps'
import { rangesToSweep } from '#db/mining/sweep'
import { ALL_BUCKETS } from '#rules/buckets'
import { creditCount } from '#rules/money/ledger-id'
import { type FreshDatabase, freshDatabase } from '#scripts/testing/db/fresh-database'
import { lateCredit, ledgerDetail, seedOldDays } from '#scripts/testing/db/history'
import { cutAfterStatements } from '#scripts/testing/db/statements/cut-after-statements'
import { endNodeConnections } from './testing/fixtures.ts'

const DETAIL_DAYS = 7
const NO_PROBLEM = { [CHAIN_RULE]: [], [SEAL_RULE]: [] }
/** Members of `late` have one credit each, which arrived after its day was swept. */
const late: number[] = []

let fresh: FreshDatabase
let members: number[]
let noon: number
let before: Awaited<ReturnType<typeof ledgerDetail>>
beforeAll(async () => {
  fresh = await freshDatabase()
  ;({ members, noon } = await seedOldDays(fresh.db))
  before = await ledgerDetail(fresh.db, members)
  await sealLedger(fresh.db)
})
afterAll(() => fresh.close())

const problems = async () => (await audit(fresh.db)).problems
const rowsOf = (ids: number[]) => fresh.db('wallet_activity').whereIn('userId', ids)
const rollup = () =>
  fresh
    .db('ledger_rollups')
    .where({ partition: partitionName(noon) })
    .first()

it('the rows of a roll-up are written on the node that has their shard', async () => {
  const [range = ALL_BUCKETS] = await rangesToSweep(fresh.db)
  for (const sql of rollUpShardSql(partitionName(noon), range)) {
    const values = { corrected: [1] }
    const { rows } = await fresh.db.raw(`explain (costs off) ${sql}`, values)
    const plan = rows.map((row: Record<string, string>) => row['QUERY PLAN']).join('\n')
    expect(plan).toContain('Task Count: 1')
    expect(plan).not.toContain('coordinator')
  }
})

it.each([
  ['a missing row', `delete from wallet_activity where id like 'task:%'`],
  ['a missing credit', `delete from wallet_activity where id like 'credit:%:5'`],
  ['another amount', `update wallet_activity set amount = amount + 0.00000001 where id like '%:5'`],
])('the figures that prove a roll-up differ with %s', async (_, sql) => {
  const table = partitionName(noon)
  const read = fresh.db.transaction(async (tx) => {
    const figures = await readFigures(tx, table, ALL_BUCKETS)
    expect(differingMember(figures, await readFigures(tx, table, ALL_BUCKETS))).toBeUndefined()
    await tx.raw(sql)
    const member = differingMember(figures, await readFigures(tx, table, ALL_BUCKETS))
    throw new Error(`differs for ${member}`)
  })
  await expect(read).rejects.toThrow(/differs for \d+/)
})

it('late credits stay single rows and lost nodes lose nothing, after each step of a roll-up', async () => {
  const worker = fresh.pool(1)
  let lost = 0
  for (let tries = 0; !(await rollup())?.swappedAt; tries++) {
    expect(tries).toBeLessThan(200)
    if (tries % 3 === 2) await endNodeConnections(worker)
    const [step] = await Promise.allSettled([rollUpStep(worker, DETAIL_DAYS)])
    if (step.status === 'rejected') lost++
    if (await rollup()) late.push(await lateCredit(fresh.db, noon))
  }
  expect(late.length).toBeGreaterThan(4)
  expect(lost).toBeGreaterThan(0)
  const rows = await rowsOf(late)
  expect(rows.map(({ userId }) => userId).sort()).toEqual(late.toSorted())
  expect(rows.every(({ id }) => creditCount(id) === 1)).toBe(true)
  expect(await ledgerDetail(fresh.db, members)).toEqual(before)
  expect(await problems()).toEqual([])
})

it('a worker that dies after any statement of a roll-up leaves what the next one completes', async () => {
  const some = members.slice(0, 3)
  const expected = await ledgerDetail(fresh.db, some)
  const cuts = await cutAfterStatements(fresh.url, {
    work: (db) => rollUpLedger(db, DETAIL_DAYS),
    check: async () => expect(await ledgerDetail(fresh.db, some)).toEqual(expected),
    step: 9,
  })
  expect(cuts).toBeGreaterThan(5)
})

it('old credits on Citus are one row a session and day, sealed again, and nothing is left to do', async () => {
  await expect.poll(() => rollUpLedger(fresh.db, DETAIL_DAYS), { timeout: 60_000 }).toBe(0)
  expect(await fresh.db('ledger_rollups').whereNull('swappedAt')).toEqual([])
  expect((await rowsOf(members)).length).toBeLessThan(before.length / 20)
  expect(await ledgerDetail(fresh.db, members)).toEqual(before)
  expect(await problems()).toEqual([])
  expect(await sealLedger(fresh.db)).toBeGreaterThan(0)
  await sealLateRows(fresh.db)
  expect(await auditSeals(fresh.db)).toEqual(NO_PROBLEM)
})
