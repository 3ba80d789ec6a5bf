import {
  type BucketOrRange,
  type BucketStatement,
  bucketStatement,
  engineOf,
} from '#db/engine/engine'
import { writeInbox } from '#db/inbox/inbox'
import {
  bucketBindings,
  inList,
  oneOfSessionsSql,
  type SessionRef,
  sessionRefs,
} from '#db/ledger/bucket-range-sql'
import { COUNTER_SQL, memberCounter, sweepCounter } from '#db/ledger/network-counters'
import { productNow } from '#db/postgres/connection/product-clock'
import { durationSql } from '#db/postgres/statements/times'
import type { Db, Tx } from '#db/postgres/statements/transaction'
import { type Ended, queueReminders } from '#db/reminders/outbox'
import { ALL_BUCKETS, type BucketRange, bucketOf } from '#rules/buckets'
import { INTERVALS, SESSION_MS } from '#rules/constants'
import type { Money } from '#rules/money/money'

/** A quarantined session waits for an operator. */
const FULLY_CREDITED = `active and "quarantinedAt" is null and "creditedIntervals" = ${INTERVALS}`

/** Ends fully credited sessions in scope. Counters need "mined": the stats are locked before them, as in a claim. */
const endSteps = (scope: string) => `
  over as (
    update mining_sessions s set active = false, status = 'completed',
      "endTime" = "startTime" + ${durationSql(SESSION_MS)}, "rewardClaimed" = ("usdtReward" = 0)
    where ${FULLY_CREDITED} and ${scope}
    returning id, bucket, "userId", "endTime", reward, "usdtReward", "hashRate"
  ), mined as (
    update mining_stats m set "totalMined" = m."totalMined" + over.reward, "updatedAt" = now()
    from over where m.bucket = over.bucket and m."userId" = over."userId"
    returning over."hashRate"
  ), left_network as (
    update network_counters set "activeSessions" = "activeSessions" - t.sessions,
      "activeRate" = "activeRate" - t.rate
    from (select count(*) as sessions, sum("hashRate") as rate from mined) t
    where ${COUNTER_SQL} and t.sessions > 0
  )`

/** `earned` has one entry at each index too. */
type EndedRow = Ended & { earned: { tesp: Money; usdt: Money }[] }

const ENDED = `
  select coalesce(json_agg(id), '[]') as ids, coalesce(json_agg("userId"), '[]') as "userIds",
    coalesce(json_agg("endTime"), '[]') as "endTimes",
    coalesce(json_agg(json_build_object('tesp', reward::text, 'usdt', "usdtReward"::text)), '[]') as earned
  from over`

/** Returns one row, an `EndedRow`; inbox and reminders follow in the transaction. */
const endStatement = (name: string, scope: string) =>
  bucketStatement(name, () => ({ steps: endSteps(scope), answer: ENDED }), { usesCustomPlan: true })

const OVER = 's."startTime" <= :startedBy::timestamptz'

/** Sessions that one statement ends in a range; the job runs each second, so the next one ends the rest. */
export const ENDED_AT_ONCE = 2_000

/**
 * The longest over come first. Rows are named by `ctid`, because the planner takes the conditions for independent
 * and would read the stats of many. `endSteps` checks again, for sessions that changed meanwhile.
 */
const LONGEST_OVER = `s.ctid = any(array(
    select s.ctid from mining_sessions s where ${FULLY_CREDITED} and ${OVER}
    order by s."startTime" limit ${ENDED_AT_ONCE}
  ))`
const END_RANGE = endStatement('end-sessions', LONGEST_OVER)
const END_MANY = endStatement('end-these-sessions', oneOfSessionsSql('s.bucket', 's.id'))
const END_ONE = endStatement(
  'end-session',
  's.bucket = :bucket::smallint and s.id = :sessionId::bigint',
)
const FINISHED_SQL = `
  select s.id as "sessionId", s."userId" from mining_sessions s
  where ${FULLY_CREDITED} and ${OVER} and ${inList('s.bucket')}
  order by s."startTime" limit ${ENDED_AT_ONCE}`

const startedBy = async (db: Db) => new Date((await productNow(db)) - SESSION_MS)

async function end(
  tx: Tx,
  place: BucketOrRange,
  statement: BucketStatement,
  values: Record<string, unknown>,
): Promise<number[]> {
  const engine = await engineOf(tx)
  const [row] = await engine.runForBucket<EndedRow>(tx, place, statement, values)
  if (!row) throw new Error('an end of sessions returned no row')
  const { earned, ...ended } = row
  await queueReminders(tx, ended)
  await writeInbox(
    tx,
    ...ended.ids.map((fact, at) => ({
      memberId: ended.userIds[at] ?? 0,
      kind: 'session-ended' as const,
      fact,
      facts: earned[at] ?? { tesp: '0', usdt: '0' },
    })),
  )
  await engine.logPollChange(tx, ended.userIds)
  return ended.userIds
}

/** Completes fully credited sessions of a range or of all members, `ENDED_AT_ONCE` a range; returns member ids. */
export async function endSessions(db: Db, range: BucketRange = ALL_BUCKETS): Promise<number[]> {
  const before = { startedBy: await startedBy(db) }
  const ended: number[] = []
  const ranges = range.list ? [range] : await (await engineOf(db)).rangesOfStatement(db)
  for (const one of ranges) {
    const values = { ...sweepCounter(one), ...before }
    ended.push(...(await db.transaction((tx) => end(tx, one, END_RANGE, values))))
  }
  return ended
}

/** Completes one session if its 72 intervals are credited. */
export function endSession(tx: Tx, { id, userId }: { id: number; userId: number }) {
  const bucket = bucketOf(userId)
  return end(tx, bucket, END_ONE, { bucket, sessionId: id, ...memberCounter(userId) })
}

/** Completes these sessions only, to isolate one that breaks the statement for all. */
export function endTheseSessions(
  db: Db,
  sessions: SessionRef[],
  range: BucketRange = ALL_BUCKETS,
): Promise<number[]> {
  const values = { ...sessionRefs(sessions), ...sweepCounter(range) }
  return db.transaction((tx) => end(tx, range, END_MANY, values))
}

/** The sessions that `endSessions` would end next. */
export async function finishedSessions(
  db: Db,
  range: BucketRange = ALL_BUCKETS,
): Promise<SessionRef[]> {
  const values = { ...bucketBindings(range), startedBy: await startedBy(db) }
  return (await db.raw(FINISHED_SQL, values)).rows
}
