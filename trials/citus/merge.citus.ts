import { expect, it } from 'vitest'
import { copySql, differingSql } from '#db/engine/citus/partition-merge'
import { audit } from '#db/ledger/audit'
import { mergeStep } from '#db/ledger/partition-merges/merge-partitions'
import { ensurePartitions, PARTITIONS_AHEAD, partitionName } from '#db/ledger/partitions'
import { rollUpLedger } from '#db/ledger/retention/rollup-steps'
import { auditSeals, CHAIN_RULE, SEAL_RULE } from '#db/ledger/seals/audit-seals'
import { sealLateRows, sealLedger } from '#db/ledger/seals/seal-steps'
import { inTransaction } from '#db/postgres/statements/transaction'
import { BUCKETS, bucketOf } from '#rules/buckets'
import { DAY_MS } from '#rules/constants'
import { advance } from '#scripts/testing/db/clock'
import { lateCredit, ledgerDetail } from '#scripts/testing/db/history'
import {
  ledgerOf,
  mergeOf,
  partitionOf,
  partitionsOf,
  stepsToEnd,
  stepsUntil,
  useDaysToMerge,
} from './testing/fixtures.ts'

const DETAIL_DAYS = 7
const NO_PROBLEM = { [CHAIN_RULE]: [], [SEAL_RULE]: [] }
const DAYS = /_\d{8}$/

const fresh = useDaysToMerge()
const problems = async () => (await audit(fresh.db)).problems

const SHAPE_SQL = `
  select string_agg(replace(name, c.relname, 'partition'), ',' order by name) from pg_class c, lateral (
    select conname::text as name from pg_constraint where conrelid = c.oid
    union all select tgname from pg_trigger where tgrelid = c.oid
    union all select indexdef from pg_indexes
      where tablename = c.relname and strpos(indexdef, 'USING brin') = 0
  ) d where c.oid = '%s'::regclass`

/** Constraints, triggers and indexes, but that of a month's days, of a table on its shards. */
async function shapes(table: string): Promise<Set<string>> {
  const { rows } = await fresh.db.raw('select result from run_command_on_shards(?, ?)', [
    table,
    SHAPE_SQL,
  ])
  return new Set(
    rows.map(({ result }: { result: string }) =>
      result.replaceAll(new RegExp(`${table}|_\\d{5,}`, 'g'), ''),
    ),
  )
}

it('old days on Citus become a month with the same rows, and the days ahead stay', async () => {
  const before = await ledgerOf(fresh)
  expect(before.length).toBeGreaterThan(800)
  expect(await stepsToEnd(fresh)).toBeGreaterThan(0)
  expect(await ledgerOf(fresh)).toEqual(before)
  const names = await partitionsOf(fresh)
  const merged = await partitionOf(fresh, fresh.noon)
  expect(merged).toMatch(/_\d{6}$/)
  expect(names.filter((name) => DAYS.test(name))).toHaveLength(PARTITIONS_AHEAD + 2)
  expect(await fresh.db('ledger_merges')).toEqual([])
  const newest = names.filter((name) => DAYS.test(name)).at(-1) ?? ''
  expect(await shapes(merged)).toEqual(await shapes(newest))
  expect(await problems()).toEqual([])
  expect(await stepsToEnd(fresh)).toBe(0)
})

it('a ledger on Citus has fewer than 60 partitions after months of days', async () => {
  let most = 0
  for (let days = 0; days < 64; days += PARTITIONS_AHEAD + 1) {
    await advance(fresh.db, (PARTITIONS_AHEAD + 1) * DAY_MS)
    await ensurePartitions(fresh.db)
    most = Math.max(most, (await partitionsOf(fresh)).length)
    await stepsToEnd(fresh)
  }
  expect(most).toBeLessThan(60)
})

it('late credits of an old day are kept after each step of a merge on Citus', async () => {
  const before = await ledgerOf(fresh)
  const late = [await lateCredit(fresh.db, fresh.noon)]
  const steps = new Set<string>()
  for (;;) {
    const step = await mergeStep(fresh.db)
    if (step === undefined) break
    if (step !== 'waiting') steps.add(step)
    late.push(await lateCredit(fresh.db, fresh.noon))
  }
  expect(steps).toEqual(new Set(['created', 'mirrored', 'copied', 'verified', 'merged']))
  const after = await ledgerOf(fresh)
  expect(after.filter(({ userId }) => !late.includes(userId))).toEqual(before)
  const merged = await partitionOf(fresh, fresh.noon)
  expect(merged).not.toMatch(DAYS)
  expect(await fresh.db(merged).whereIn('userId', late)).toHaveLength(late.length)
  expect(await problems()).toEqual([])
})

it('rows of the month that are in the default partition on Citus move into it', async () => {
  const { sources } = await mergeOf(fresh)
  const [first = ''] = sources
  const before = await ledgerOf(fresh)
  // The first day has no rows and no partition, as if it had been made too late.
  expect(await fresh.db(first).count()).toEqual([{ count: 0 }])
  await fresh.db.raw('drop table ??', [first])
  const day = Date.parse(`${first.slice(-8, -4)}-${first.slice(-4, -2)}-${first.slice(-2)}`)
  const late = await lateCredit(fresh.db, day + DAY_MS / 2)
  expect(await fresh.db('wallet_activity_default')).toHaveLength(1)
  await stepsToEnd(fresh)
  expect(await fresh.db('wallet_activity_default')).toEqual([])
  expect(await fresh.db(await partitionOf(fresh, day)).where({ userId: late })).toHaveLength(1)
  expect(await ledgerOf(fresh)).toHaveLength(before.length + 1)
  expect(await problems()).toEqual([])
})

it('a month of rolled-up days on Citus counts as rolled up, with the same detail and seals', async () => {
  const { db, members, noon } = fresh
  const before = await ledgerDetail(db, members)
  await sealLedger(db)
  // A step waits while a shard is in use, as by autovacuum.
  const openRollups = async () => {
    await rollUpLedger(db, DETAIL_DAYS)
    return db('ledger_rollups').whereNull('swappedAt')
  }
  await expect.poll(openRollups, { timeout: 60_000 }).toEqual([])
  await sealLedger(db)
  const sealed = await db('ledger_seals')
  await stepsToEnd(fresh)
  const partition = await partitionOf(fresh, noon)
  expect(partition).not.toMatch(DAYS)
  expect(await db('ledger_rollups').where({ partition }).whereNotNull('swappedAt')).toHaveLength(1)
  expect(await rollUpLedger(db, DETAIL_DAYS)).toBe(0)
  expect(await ledgerDetail(db, members)).toEqual(before)
  expect(await sealLedger(db)).toBe(0)
  await sealLateRows(db)
  expect(await db('ledger_seals')).toEqual(sealed)
  expect(await auditSeals(db)).toEqual(NO_PROBLEM)
  expect(await problems()).toEqual([])
})

it('a source on Citus is copied from the bucket on that has not been copied yet', async () => {
  const { db, members, noon } = fresh
  await stepsUntil(fresh, 'mirrored')
  const { into, sources } = await mergeOf(fresh)
  const inSpan = () => db(into.name).distinct('bucket').orderBy('bucket').pluck('bucket')
  const nextPage = bucketOf(members[5] ?? 0)
  const source = partitionName(noon)
  while (!(await db('ledger_merges').where({ day: source }).first())) await mergeStep(db)
  await db('ledger_merges').where({ day: source }).update({ nextPage })
  expect(sources).toContain(source)
  await stepsUntil(fresh, 'copied')
  expect((await inSpan()).at(-1)).toBe(bucketOf(members.at(-1) ?? 0))
  expect(
    await db(into.name).where('createdAt', '>=', new Date(noon)).min('bucket').first(),
  ).toEqual({
    min: nextPage,
  })
  await db('ledger_merges').where({ day: source }).update({ nextPage: 0, copiedBy: null })
  await stepsToEnd(fresh)
  expect(await problems()).toEqual([])
})

it('the rows of a merge are copied and compared on the nodes of their shards', async () => {
  await stepsUntil(fresh, 'copied')
  const merge = await mergeOf(fresh)
  const [source = ''] = merge.sources
  const plans = await inTransaction(fresh.db, async (tx) => [
    await tx.raw(`explain (costs off) ${await differingSql(tx, merge)}`),
    await tx.raw(`explain (costs off) ${await copySql(tx, source, merge.into, [0, BUCKETS])}`),
  ])
  for (const { rows } of plans) {
    const plan = rows.map((row: Record<string, string>) => row['QUERY PLAN']).join('\n')
    expect(plan).toContain('Task Count: 4')
    expect(plan).not.toMatch(/Subplan|coordinator|repartition/)
  }
})
