import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest'
import { creditLagSeconds } from '#db/mining/credit-lag'
import { listQuarantined, releaseSession } from '#db/mining/quarantine'
import { rangesToSweep } from '#db/mining/sweep'
import { productNow } from '#db/postgres/connection/product-clock'
import { inTransaction } from '#db/postgres/statements/transaction'
import { ALL_BUCKETS, type BucketRange } from '#rules/buckets'
import { freeze } from '#scripts/testing/db/clock'
import { insertMembersOf } from '#scripts/testing/db/members'
import { insertSessions, startedBefore } from '#scripts/testing/db/sessions'
import { type TestContext, testContext } from '#scripts/testing/workers/context'
import { endSessionsDue } from './end-sessions.ts'
import { sweepCredits } from './sweep-credits.ts'

const HEALTHY = 24
/** The largest amount of numeric(20,8). */
const FULL = '999999999999.99999999'

/** SQL that makes the session `:session` of member `:user` unprocessable, and SQL that repairs it. */
const POISONS: Record<string, { poison: string; repair: string; reason: RegExp }> = {
  'a rate history that makes the next credit negative': {
    poison: `update mining_sessions set "tespAccrued" = -1e15 where id = :session`,
    repair: `update mining_sessions set "tespAccrued" = 0 where id = :session`,
    reason: /23514: .*(mining_sessions_credit_not_negative|wallets_balance_check)/,
  },
  'a wallet that cannot hold more': {
    poison: `update wallets set balance = ${FULL} where "userId" = :user`,
    repair: `update wallets set balance = 0 where "userId" = :user`,
    reason: /22003: numeric field overflow/,
  },
  'stats that cannot hold more': {
    poison: `with share as (update mining_sessions set "usdtRate" = 1 where id = :session)
      update mining_stats set "pendingUsdtRewards" = ${FULL} where "userId" = :user`,
    repair: `update mining_stats set "pendingUsdtRewards" = 0 where "userId" = :user`,
    reason: /22003: numeric field overflow/,
  },
  'a ledger row that exists already': {
    poison: `insert into wallet_activity (bucket, id, "userId", "walletId", type, amount,
        "tokenType", description, "createdAt", "balanceAfter")
      select s.bucket, 'credit:' || s.id || ':1', s."userId", 0, 'other', 1, 'TESP', 'clash',
        s."startTime" + interval '20 minutes', 1 from mining_sessions s where id = :session`,
    repair: `delete from wallet_activity where id = 'credit:' || :session || ':1'`,
    reason: /23505: .*wallet_activity/,
  },
  'a missing wallet': {
    poison: `delete from wallets where "userId" = :user`,
    repair: `insert into wallets (bucket, "userId") values (:user::integer % 1024, :user)`,
    reason: /23502: /,
  },
}

let context: TestContext
let buckets: BucketRange
beforeAll(async () => {
  context = await testContext()
  await freeze(context.db)
  const [, second = ALL_BUCKETS] = await rangesToSweep(context.db)
  buckets = second
})
afterAll(() => context.close())
beforeEach(() => context.db.raw('truncate mining_sessions cascade'))

async function dueSessions(count: number, intervals = 1) {
  const now = await productNow(context.db)
  const members = await insertMembersOf(context.db, buckets, count)
  const startedAt = startedBefore(now, intervals)
  const sessions = await insertSessions(
    context.db,
    members.map((userId) => ({ userId, startedAt })),
  )
  return members.map((user, i) => ({ user, session: sessions[i] ?? 0 }))
}
const creditedIntervals = async (ids: number[]): Promise<number[]> =>
  context.db('mining_sessions').whereIn('id', ids).orderBy('id').pluck('creditedIntervals')
const sweep = () => sweepCredits(context, { buckets })

it('a session with any kind of poison is quarantined, and all other sessions are credited', async () => {
  const all = await dueSessions(HEALTHY + Object.keys(POISONS).length)
  const poisoned = Object.values(POISONS).map((kind, i) => ({
    ...kind,
    ...(all[i * 3] ?? never()),
  }))
  for (const { poison, user, session } of poisoned) await context.db.raw(poison, { user, session })
  const bad = new Set(poisoned.map(({ session }) => session))
  const healthy = all.filter(({ session }) => !bad.has(session))

  await sweep()

  expect(await creditedIntervals(healthy.map(({ session }) => session))).toEqual(
    healthy.map(() => 1),
  )
  const listed = new Map(
    (await listQuarantined(context.db)).map((row) => [row.sessionId, row.quarantineReason]),
  )
  expect([...listed.keys()].sort()).toEqual([...bad].sort())
  for (const { session, reason } of poisoned) expect(listed.get(session)).toMatch(reason)
  expect(await creditedIntervals([...bad])).toEqual(poisoned.map(() => 0))
  expect(await creditLagSeconds(context.db)).toBe(0)
})

it.each(Object.entries(POISONS))(
  'a session released after %s is repaired gets what it missed',
  async (_kind, { poison, repair }) => {
    const [bad = never(), good = never()] = await dueSessions(2, 3)
    await context.db.raw(poison, bad)
    await sweep()
    expect(await creditedIntervals([bad.session, good.session])).toEqual([0, 3])
    const now = await productNow(context.db)
    const release = () => inTransaction(context.db, (tx) => releaseSession(tx, bad.session, now))
    await expect(release()).rejects.toThrow()
    expect(await listQuarantined(context.db)).toHaveLength(1)
    await context.db.raw(repair, bad)
    await release()
    expect(await creditedIntervals([bad.session])).toEqual([3])
    expect(await listQuarantined(context.db)).toEqual([])
  },
)

it('a statement that fails for every session quarantines none of them', async () => {
  const all = await dueSessions(20)
  const ids = all.map(({ session }) => session)
  await context.db('mining_sessions').whereIn('id', ids).update({ tespAccrued: '-1e15' })
  await expect(sweep()).rejects.toThrow()
  expect(await listQuarantined(context.db)).toEqual([])
})

it('a sweep that fails while no session is due fails its job', async () => {
  const position = context.db('credit_sweeps').where({ firstBucket: buckets.first })
  await position.clone().update({ sweptTo: new Date(0) })
  const bound = `alter table credit_sweeps add constraint never check ("sweptTo" = to_timestamp(0))`
  await context.db.raw(`${bound} not valid`)
  try {
    await expect(sweep()).rejects.toThrow(/never/)
    expect(await listQuarantined(context.db)).toEqual([])
  } finally {
    await context.db.raw('alter table credit_sweeps drop constraint never')
  }
})

it('a session that cannot end is quarantined and all others end', async () => {
  const all = await dueSessions(6, 72)
  await sweep()
  const [bad = never()] = all
  await context.db('mining_stats').where({ userId: bad.user }).update({ totalMined: FULL })
  await endSessionsDue(context, {})
  const active = await context.db('mining_sessions').where({ active: true }).pluck('id')
  expect(active).toEqual([bad.session])
  expect(await listQuarantined(context.db)).toMatchObject([{ sessionId: bad.session }])
})

function never(): never {
  throw new Error('too few sessions')
}
