import { creditSteps, dueSql } from '#db/ledger/credit-sql'
import { durationSql } from '#db/ledger/interval-sql'
import { sweepCounter } from '#db/ledger/network-counters'
import { prepared } from '#db/postgres/statements/prepared'
import type { Db } from '#db/postgres/statements/transaction'
import type { BucketRange } from '#rules/buckets'
import { CREDIT_SLOTS, INTERVAL_MS, MINUTE_MS, SECOND_MS } from '#rules/constants'

/** Most credits of one statement, which bounds its time and the rows that it locks. */
export const BATCH_CREDITS = 4_000
/** Slots that the first statement of a long range reads: 4,000 sessions at a million members. */
const FIRST_SLOTS = 40
/** Age of `sweptTo` from which a sweep without a credit writes it; at once at the end of the cycle. */
const IDLE_WRITE_MS = 10 * SECOND_MS

/** What is left of a sweep: slots `from…to` of intervals that ended until `until`. */
export type SweepRest = {
  from: number
  to: number
  /** Position at the start of the sweep, product time. */
  since: Date
  /** Product time. */
  until: Date
  /** Slots that the next statement reads. */
  slots: number
}

/** What one statement of a sweep has credited. */
export type SweptBatch = {
  memberIds: number[]
  /** The statement reached its limit. */
  isFull: boolean
  /** False if another statement has to follow, with `rest` if it is given. */
  isDone: boolean
  rest?: SweepRest
}

const CYCLE = durationSql(INTERVAL_MS)
const cycleStartSql = (time: string) => `date_bin(${CYCLE}, ${time}, to_timestamp(0))`

/** SQL twin of `creditSlot` of #rules/mining: a slot is a second of the 20-minute cycle. */
export const creditSlotSql = (time: string) =>
  `floor(extract(epoch from ${time} - ${cycleStartSql(time)}))::integer`

/** SQL condition that the slots repeat between `sweptTo` and `now`, so that all have to be read. */
export const allSlotsSql = `(now - "sweptTo" >= ${durationSql(INTERVAL_MS - MINUTE_MS)})`

/**
 * `range` has one row: the slots `from…to`, of which `last` ends this statement, and the time `until`.
 * A sweep reads the slots since the last one. At the end of the cycle it stops and another follows.
 * It reads none if the clock moved back, because everything until then is credited.
 */
const RANGE = `
  swept as materialized (
    select coalesce(:since::timestamptz, min("sweptTo")) as "sweptTo", product_now() as now from credit_sweeps
    where "firstBucket" between :firstBucket and :lastBucket
  ), planned as materialized (
    select
      case when ${allSlotsSql} then 0 else ${creditSlotSql('"sweptTo"')} end as "from",
      case when ${allSlotsSql} or "cycleEnd" <= now then ${CREDIT_SLOTS - 1}
        else ${creditSlotSql('now')} end as "to",
      case when ${allSlotsSql} then now else least(now, "cycleEnd") end as until, now
    from swept cross join lateral (select ${cycleStartSql('"sweptTo"')} + ${CYCLE} as "cycleEnd") e
  ), range as materialized (
    select r.*, least(r."to", r."from" + :slots::integer - 1) as last from (
      select coalesce(:from::integer, "from") as "from", coalesce(:to::integer, "to") as "to",
        coalesce(:until::timestamptz, until) as until, now
      from planned
    ) r
  )`

const UNTIL = '(select until from range)'
const IN_RANGE = `s."creditSlot" between (select "from" from range) and (select last from range)
      and s.shard between :firstBucket and :lastBucket`

const PICKED = `
  picked as materialized (
    select s.ctid as place, s.id, s."userId" from mining_sessions s
    where ${dueSql(UNTIL)} and ${IN_RANGE} limit :limit
  )`

/**
 * The sweep of some buckets in one statement, so in one transaction: reads the clock, credits at most
 * `:limit` sessions and records how far the buckets are swept. A worker that dies or freezes between
 * statements holds no lock. A row that moves while the statement waits for it is left for the next one.
 * A position that was moved back during the sweep (`missed-credits.ts`) stays.
 */
const SWEEP_SQL = `
  with ${RANGE}, ${PICKED}, ${creditSteps(UNTIL, 's.ctid = any(array(select place from picked))')},
  batch as materialized (
    select r.*, d.*, p.*, d.credits < p.picks or p.picks = :limit or d."hasMore" as "isPartial"
    from range r,
      (select count(*) as credits, coalesce(bool_or("hasMore"), false) as "hasMore",
        coalesce(json_agg("userId"), '[]') as "memberIds" from due) d,
      (select count(*) as picks from picked) p
  ), recorded as (
    update credit_sweeps c set "sweptTo" = b.until from batch b, swept s
    where c."firstBucket" between :firstBucket and :lastBucket and c."sweptTo" >= s."sweptTo"
      and not b."isPartial" and b.last = b."to"
      and (b.credits > 0 or b.until < b.now
      or b.until not between c."sweptTo" and c."sweptTo" + ${durationSql(IDLE_WRITE_MS)})
  )
  select "from", last, "to", (select "sweptTo" from swept) as since, until, until < now as "isBehind",
    "isPartial", picks, "memberIds"
  from batch`

type BatchRow = {
  from: number
  last: number
  to: number
  since: Date
  until: Date
  isBehind: boolean
  isPartial: boolean
  picks: number
  memberIds: number[]
}

const bindings = (buckets: BucketRange, rest: SweepRest | undefined, limit: number) => ({
  firstBucket: buckets.first,
  lastBucket: buckets.last,
  ...sweepCounter(buckets),
  from: rest?.from ?? null,
  to: rest?.to ?? null,
  since: rest?.since ?? null,
  until: rest?.until ?? null,
  slots: rest?.slots ?? FIRST_SLOTS,
  limit,
})

/** Slots that hold four fifths of a batch if sessions are spread evenly: some seconds hold more. */
function slotsAfter({ picks }: BatchRow, slots: number, limit: number): number {
  if (picks === limit) return Math.max(1, slots >> 1)
  const fitting = Math.round((slots * limit * 0.8) / Math.max(1, picks))
  return Math.max(1, Math.min(fitting, slots * 4, CREDIT_SLOTS))
}

/**
 * Credits the next due interval of at most `limit` sessions of the buckets, which must be whole ranges
 * of `SWEEP_RANGES`. A session that missed ten intervals needs ten calls. Call it again with `rest` until
 * it is done.
 */
export async function sweepBatch(
  db: Db,
  buckets: BucketRange,
  rest?: SweepRest,
  limit = BATCH_CREDITS,
): Promise<SweptBatch> {
  const values = bindings(buckets, rest, limit)
  const { rows } = await prepared(db, 'sweep-batch', SWEEP_SQL, values)
  const row: BatchRow = rows[0]
  const { memberIds, isBehind, isPartial, to, since, until } = row
  const isFull = row.picks === limit
  if (!isPartial && row.last === to) return { memberIds, isFull, isDone: !isBehind }
  const from = isPartial ? row.from : row.last + 1
  const slots = slotsAfter(row, values.slots, limit)
  return { memberIds, isFull, isDone: false, rest: { from, to, since, until, slots } }
}

/** The sessions that `sweepBatch` would credit. */
export async function sessionsToSweep(
  db: Db,
  buckets: BucketRange,
  rest?: SweepRest,
): Promise<{ sessionId: number; userId: number }[]> {
  const { rows } = await db.raw(
    `with ${RANGE}, ${PICKED} select id as "sessionId", "userId" from picked order by id`,
    bindings(buckets, rest, BATCH_CREDITS),
  )
  return rows
}
