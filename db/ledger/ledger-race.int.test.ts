import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest'
import { deleteMember } from '#db/members/deletion'
import { claimRewards, stopMining } from '#db/mining/mining'
import { releaseSession } from '#db/mining/quarantine'
import { rangesToSweep } from '#db/mining/sweep'
import { productNow } from '#db/postgres/connection/product-clock'
import { inTransaction, type Tx } from '#db/postgres/statements/transaction'
import { applyReferralCode, generateReferralCode } from '#db/team/referrals'
import { ALL_BUCKETS, bucketOf, memberKey } from '#rules/buckets'
import { HOUR_MS, MINUTE_MS } from '#rules/constants'
import { isOneServer } from '#scripts/testing/db/database'
import { type FreshDatabase, freshDatabase } from '#scripts/testing/db/fresh-database'
import { creditRanges } from '#scripts/testing/db/history'
import { insertMember, insertMembers, insertMembersOf } from '#scripts/testing/db/members'
import { insertSessions, startedBefore } from '#scripts/testing/db/sessions'
import { waitingForRows } from '#scripts/testing/db/statements/waiting-for-rows'
import { audit } from './audit.ts'
import { creditIntervals } from './ledger.ts'

const MEMBERS = 160
const INTERVALS_DUE = 6
let fresh: FreshDatabase
let members: number[]
let sessions: number[]

beforeAll(async () => {
  fresh = await freshDatabase()
})
afterAll(() => fresh.close())
beforeEach(async () => {
  const now = await productNow(fresh.db)
  members = await insertMembers(fresh.db, MEMBERS)
  sessions = await insertSessions(
    fresh.db,
    members.map((userId, i) => ({
      userId,
      startedAt: startedBefore(now, INTERVALS_DUE, i * 997),
      usdtRate: '0.003',
    })),
  )
})

const codeOf = (member: number) => inTransaction(fresh.db, (tx) => generateReferralCode(tx, member))

it('six workers on the same buckets credit each interval once', async () => {
  const ranges = await rangesToSweep(fresh.db)
  const all = await Promise.all(
    Array.from({ length: 6 }, (_, first) => {
      const rotated = [...ranges.slice(first), ...ranges.slice(0, first)]
      return creditRanges(fresh.pool(1), undefined, rotated)
    }),
  )
  const credits = all.flat()
  expect(all.filter((own) => own.length > 0).length).toBeGreaterThan(1)
  expect(new Set(credits.map(({ sessionId, n }) => `${sessionId}:${n}`)).size).toBe(credits.length)
  expect(credits).toHaveLength(MEMBERS * INTERVALS_DUE)
  expect((await audit(fresh.db)).problems).toEqual([])
})

it('each interval is paid once while members stop and claim, and others join their teams', async () => {
  const pool = fresh.pool(8)
  const half = members.slice(0, MEMBERS / 2)
  const codes = await Promise.all(half.map(codeOf))
  const joining = await insertMembers(fresh.db, half.length)
  const lanes = Array.from({ length: 8 }, async (_, lane) => {
    for (const member of half.filter((id) => id % 8 === lane)) {
      await inTransaction(pool, (tx) => stopMining(tx, member))
      await inTransaction(pool, (tx) => claimRewards(tx, member))
    }
  })
  const join = async () => {
    const joins = fresh.pool(1)
    for (const [i, member] of joining.entries()) {
      await inTransaction(joins, (tx) => applyReferralCode(tx, member, codes[i] ?? ''))
    }
  }
  const reversed = (await rangesToSweep(fresh.db)).toReversed()
  const [first, second] = await Promise.all([
    creditRanges(fresh.pool(1)),
    creditRanges(fresh.pool(1), undefined, reversed),
    Promise.all(lanes),
    join(),
  ])
  expect(first.length + second.length).toBeGreaterThan(0)
  const rows = await fresh.db('mining_sessions').whereIn('id', sessions)
  expect(rows.filter(({ creditedIntervals }) => creditedIntervals !== INTERVALS_DUE)).toEqual([])
  expect((await audit(fresh.db)).problems).toEqual([])
})

it.runIf(isOneServer())(
  'a join by the code of a member who mines locks the wallet before the stats',
  async () => {
    const [owner = 0] = members
    const code = await codeOf(owner)
    const joining = await insertMember(fresh.db)
    const claim = await fresh.db.transaction()
    await claim('wallets').where(memberKey(owner)).forUpdate().first('id')
    const join = fresh.db.transaction((tx) => applyReferralCode(tx, joining, code))
    await expect.poll(() => waitingForRows(fresh.db)).toBe(1)
    await claim('mining_stats').where(memberKey(owner)).forUpdate().first('userId')
    await claim.commit()
    expect(await join).toBe(owner)
  },
)

it.runIf(isOneServer())(
  'a release of a quarantined session locks the user before the session',
  async () => {
    const [owner = 0] = members
    const [id = 0] = sessions
    const session = () => fresh.db('mining_sessions').where({ id })
    await session().update({ quarantinedAt: fresh.db.fn.now(), quarantineReason: 'a check' })
    const join = await fresh.db.transaction()
    await join('users').where({ id: owner }).forUpdate().first('id')
    const now = await productNow(fresh.db)
    const release = fresh.db.transaction((tx) => releaseSession(tx, id, now))
    await expect.poll(() => waitingForRows(fresh.db)).toBe(1)
    expect(await join('mining_sessions').where({ id }).forUpdate().skipLocked()).toHaveLength(1)
    await join.commit()
    expect(await release).toBe(owner)
  },
)

it.runIf(isOneServer())('a deletion locks the user before the session', async () => {
  const [owner = 0] = members
  const [id = 0] = sessions
  const join = await fresh.db.transaction()
  await join('users').where({ id: owner }).forUpdate().first('id')
  const deletion = fresh.db.transaction((tx) =>
    deleteMember(tx, fresh.dataKey, { memberId: owner, epoch: 0 }),
  )
  await expect.poll(() => waitingForRows(fresh.db)).toBe(1)
  expect(await join('mining_sessions').where({ id }).forUpdate().skipLocked()).toHaveLength(1)
  await join.commit()
  await deletion
})

it.runIf(isOneServer())('a worker locks sessions in the order of their keys', async () => {
  const keys = await fresh.db('mining_sessions').whereIn('id', sessions).orderBy(['bucket', 'id'])
  const due = keys.map(({ id, userId }) => ({ sessionId: id, userId }))
  // Places the rows in the table in the opposite order.
  for (const { id } of keys.toReversed()) {
    await fresh.db('mining_sessions').where({ id }).update({ description: 'moved' })
  }
  const held = await fresh.db.transaction()
  await held('mining_sessions').where({ id: keys[0].id }).update({ description: 'touched' })
  const worker = fresh.pool(1)
  // A plan that finds the sessions in the order of the table.
  for (const way of ['nestloop', 'mergejoin', 'indexscan', 'bitmapscan', 'sort']) {
    await worker.raw(`set enable_${way} = off`)
  }
  const credited = creditIntervals(worker, { sessions: due.toReversed(), range: ALL_BUCKETS })
  await expect.poll(() => waitingForRows(fresh.db)).toBe(1)
  const free = fresh.db('mining_sessions').whereIn('id', sessions).forUpdate().skipLocked()
  expect(await free.pluck('id')).toHaveLength(MEMBERS - 1)
  await held.commit()
  expect(await credited).toHaveLength(MEMBERS)
})

it.runIf(isOneServer())(
  'commands of one bucket take the hours of the network in turn',
  async () => {
    const hour = Math.floor((await productNow(fresh.db)) / HOUR_MS) * HOUR_MS - HOUR_MS
    const bucket = bucketOf(members[0] ?? 0)
    const pair = await insertMembersOf(fresh.db, { first: bucket, last: bucket }, 2)
    const [one = 0, two = 0] = pair
    // Credits of one fall due before and after the hour, the other's after it.
    const starts = [hour - 30 * MINUTE_MS, hour - 10 * MINUTE_MS]
    const ids = await insertSessions(
      fresh.db,
      pair.map((userId, i) => ({ userId, startedAt: Number(starts[i]) })),
    )
    const credit = (tx: Tx, memberId: number, i: number) =>
      creditIntervals(tx, { memberId, sessionId: Number(ids[i]) }, hour + 10 * MINUTE_MS)
    const first = await fresh.db.transaction()
    await credit(first, one, 0)
    const second = fresh.db.transaction((tx) => credit(tx, two, 1))
    await expect.poll(() => waitingForRows(fresh.db)).toBe(1)
    expect(await credit(first, one, 0)).toMatchObject([{ n: 2 }])
    await first.commit()
    expect(await second).toMatchObject([{ n: 1 }])
  },
)

it('credits, stops, claims and joins cause no deadlock', async () => {
  const { rows } = await fresh.db.raw(
    'select deadlocks from pg_stat_database where datname = current_database()',
  )
  expect(rows[0].deadlocks).toBe(0)
})
