import { setTimeout as sleep } from 'node:timers/promises'
import { expect, it } from 'vitest'
import { swapMonth } from '#db/engine/citus/partition-merge'
import { audit } from '#db/ledger/audit'
import { creditIntervals } from '#db/ledger/ledger'
import { mergePartitions, mergeStep } from '#db/ledger/partition-merges/merge-partitions'
import { rollUpStep } from '#db/ledger/retention/rollup-steps'
import { migrate } from '#db/migrations/migrate'
import { bucketOf } from '#rules/buckets'
import { lateCredit } from '#scripts/testing/db/history'
import { insertMember } from '#scripts/testing/db/members'
import { insertSessions, startedBefore } from '#scripts/testing/db/sessions'
import { cutAfterStatements } from '#scripts/testing/db/statements/cut-after-statements'
import { moveAnyShard, WAYS } from '#trials/citus/placements'
import { Random } from '#trials/kit/random'
import {
  endNodeConnections,
  ledgerOf,
  mergeOf,
  partitionOf,
  splitShards,
  stepsToEnd,
  stepsUntil,
  useDaysToMerge,
} from './testing/fixtures.ts'

/** Longer than the 200 ms that a step waits for a lock. */
const LONG_MS = 500
const DETAIL_DAYS = 7

const fresh = useDaysToMerge()
const random = new Random(1)
const problems = async () => (await audit(fresh.db)).problems
const late = () => lateCredit(fresh.db, fresh.noon)

/** A transaction that has credited a late interval, whose row is in a partition that is due. */
async function creditLate() {
  const memberId = await insertMember(fresh.db)
  const startedAt = startedBefore(fresh.noon, 1)
  const [sessionId = 0] = await insertSessions(fresh.db, [{ userId: memberId, startedAt }])
  const tx = await fresh.db.transaction()
  expect(await creditIntervals(tx, { sessionId, memberId })).toHaveLength(1)
  return { tx, memberId }
}

/** Number of transactions that wait until `ledger_seals` is unlocked. */
async function waitingForSeals(): Promise<number> {
  const { rows } = await fresh.db.raw(
    `select count(*) from pg_locks where not granted and relation = 'ledger_seals'::regclass`,
  )
  return rows[0].count
}

/** The rows of these members are in the partition that the merge has made, once each. */
async function expectMerged(members: number[]): Promise<void> {
  const merged = await partitionOf(fresh, fresh.noon)
  expect(merged).not.toMatch(/_\d{8}$/)
  const rows = await fresh.db(merged).whereIn('userId', members)
  expect(rows.map(({ userId }) => userId).sort()).toEqual(members.toSorted())
  expect(await problems()).toEqual([])
}

it('a late row that is not committed yet delays the trigger of its day, and is copied', async () => {
  await stepsUntil(fresh, 'created')
  const { tx, memberId } = await creditLate()
  await stepsUntil(fresh, 'waiting')
  await tx.commit()
  await stepsToEnd(fresh)
  await expectMerged([memberId])
})

it('a swap on Citus gives up while a shard is written, and is repeated', async () => {
  await stepsUntil(fresh, 'verified')
  const { tx, memberId } = await creditLate()
  expect(await mergeStep(fresh.db)).toBe('waiting')
  await tx.commit()
  await stepsUntil(fresh, 'merged')
  await expectMerged([memberId])
})

it('a late credit waits for the swap and is written into the month', async () => {
  await stepsUntil(fresh, 'verified')
  const merge = await mergeOf(fresh)
  let isWritten = false
  const swap = await fresh.db.transaction()
  await swapMonth(swap, merge)
  const waiting = late().finally(() => {
    isWritten = true
  })
  await sleep(LONG_MS)
  expect(isWritten).toBe(false)
  await swap.commit()
  await expectMerged([await waiting])
})

it('a swap that is rolled back leaves the days and their late rows', async () => {
  const before = await ledgerOf(fresh)
  await stepsUntil(fresh, 'verified')
  const merge = await mergeOf(fresh)
  const swap = await fresh.db.transaction()
  await swapMonth(swap, merge)
  await swap.rollback()
  expect(await ledgerOf(fresh)).toEqual(before)
  const member = await late()
  await stepsToEnd(fresh)
  await expectMerged([member])
})

it.each([
  ['every node', false],
  ['the node of one member', true],
])(
  'a reader with a snapshot of %s from before the copies keeps seeing every row',
  async (_, isOne) => {
    const before = await ledgerOf(fresh)
    const [member = 0] = fresh.members
    const reader = await fresh.db.transaction({ isolationLevel: 'repeatable read', readOnly: true })
    await reader('wallets').where(isOne ? { bucket: bucketOf(member) } : {})
    await stepsUntil(fresh, 'verified')
    expect(await mergeStep(fresh.db)).toBe('waiting')
    expect(await reader('wallet_activity').orderBy(['userId', 'seq'])).toEqual(before)
    await reader.commit()
    expect(await stepsToEnd(fresh)).toBeGreaterThan(0)
  },
)

it('nodes that are lost in the middle of steps lose and repeat nothing', async () => {
  const worker = fresh.pool(1)
  const before = await ledgerOf(fresh)
  const members: number[] = []
  let lost = 0
  for (let tries = 0; ; tries++) {
    expect(tries).toBeLessThan(200)
    if (tries % 3 === 2) await endNodeConnections(worker)
    const [step] = await Promise.allSettled([mergeStep(worker)])
    if (step.status === 'rejected') lost++
    else if (step.value === undefined) break
    if (members.length < 20) members.push(await late())
  }
  expect(lost).toBeGreaterThan(3)
  const rows = await ledgerOf(fresh)
  expect(rows.filter(({ userId }) => !members.includes(userId))).toEqual(before)
  await expectMerged(members)
})

it('a worker that dies after any statement of a merge on Citus leaves what the next one completes', async () => {
  const before = await ledgerOf(fresh)
  const cuts = await cutAfterStatements(fresh.url, {
    work: (db) => mergePartitions(db),
    check: async () => expect(await ledgerOf(fresh)).toEqual(before),
    step: 7,
  })
  expect(cuts).toBeGreaterThan(5)
  await stepsToEnd(fresh)
  await expectMerged([])
})

it('workers that merge while late credits arrive and shards move lose and repeat nothing', async () => {
  const before = await ledgerOf(fresh)
  const members: number[] = []
  const credits = async () => {
    for (let count = 0; count < 10; count++) members.push(await late())
  }
  const moves = async () => {
    for (let count = 0; count < 3; count++) await moveAnyShard(fresh.db, random, 'auto')
  }
  const workers = [1, 2].map(() => stepsToEnd({ ...fresh, db: fresh.pool(1) }))
  await Promise.all([...workers, credits(), credits(), moves()])
  expect(await ledgerOf(fresh)).toHaveLength(before.length + members.length)
  await expectMerged(members)
})

it('shards that are moved and split between the steps keep their late rows', async () => {
  const before = await ledgerOf(fresh)
  const members: number[] = []
  for (let taken = 0; ; taken++) {
    const step = await mergeStep(fresh.db)
    if (step === undefined) break
    if (taken < 40 && taken % 4 === 3) await moveAnyShard(fresh.db, random, random.pick(WAYS))
    if (taken === 10) await splitShards(fresh.db)
    if (taken < 40) members.push(await late())
  }
  await migrate(fresh.url)
  expect(await ledgerOf(fresh)).toHaveLength(before.length + members.length)
  await expectMerged(members)
})

it('a roll-up that has looked for work before a merge begins leaves its days alone', async () => {
  const blocker = await fresh.db.transaction()
  await blocker.raw('lock table ledger_seals in access exclusive mode')
  const looked = rollUpStep(fresh.db, DETAIL_DAYS)
  await expect.poll(waitingForSeals).toBe(1)
  await stepsUntil(fresh, 'mirrored')
  const { sources } = await mergeOf(fresh)
  await blocker.commit()
  await looked
  expect(await fresh.db('ledger_rollups').whereIn('partition', sources)).toEqual([])
  await stepsToEnd(fresh)
})

it('a month that differs from its days stops the merge on Citus, and their rows stay', async () => {
  const before = await ledgerOf(fresh)
  await stepsUntil(fresh, 'verified')
  await fresh.db('ledger_merges').update({ verified: false })
  const { into } = await mergeOf(fresh)
  await fresh.db.raw('delete from ?? where seq = (select max(seq) from ??)', [into.name, into.name])
  await expect(mergeStep(fresh.db)).rejects.toThrow('differs from its days')
  expect(await ledgerOf(fresh)).toEqual(before)
})
