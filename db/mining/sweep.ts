import { engineOf } from '#db/engine/engine'
import { dueSql } from '#db/ledger/credit-sql'
import { durationSql } from '#db/postgres/statements/times'
import type { Db } from '#db/postgres/statements/transaction'
import type { BucketRange } from '#rules/buckets'
import { CREDIT_SLOTS, INTERVAL_MS, MINUTE_MS, SECOND_MS } from '#rules/constants'

/** Most credits of one statement, which bounds its time and the rows that it locks. */
export const BATCH_CREDITS = 4_000
/** Slots that the first statement of a long range reads: 4,000 sessions at a million members. */
export const FIRST_SLOTS = 40
/** Age of `sweptTo` from which a sweep without a credit writes it; at once at the end of the cycle. */
export const IDLE_WRITE_MS = 10 * SECOND_MS

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

type BatchRow = Omit<SweepRest, 'slots'> & {
  last: number
  isBehind: boolean
  isPartial: boolean
  picks: number
  memberIds: number[]
}

const CYCLE = durationSql(INTERVAL_MS)
const cycleStartSql = (time: string) => `date_bin(${CYCLE}, ${time}, to_timestamp(0))`

/** SQL twin of `creditSlot` of #rules/money/mining: a slot is a second of the 20-minute cycle. */
export const creditSlotSql = (time: string) =>
  `floor(extract(epoch from ${time} - ${cycleStartSql(time)}))::integer`

/** SQL condition that the slots repeat between `sweptTo` and `now`, so that all have to be read. */
const allSlotsSql = `(now - "sweptTo" >= ${durationSql(INTERVAL_MS - MINUTE_MS)})`

/**
 * `range` has one row: the slots `from…to`, of which `last` ends this statement, and the time `until`.
 * A sweep reads the slots since the last one. At the end of the cycle it stops and another follows.
 * It reads none if the clock moved back, because everything until then is credited.
 * @param positions condition of the rows of `credit_sweeps`
 */
export const rangeSql = (positions: string) => `
  swept as materialized (
    select coalesce(:since::timestamptz, min("sweptTo")) as "sweptTo", product_now() as now from credit_sweeps
    where ${positions}
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

/** At most `:limit` sessions with an interval to credit at `until`, in the slots and buckets of `isIn`. */
export const pickedSql = (columns: string, until: string, isIn: string) => `
    select ${columns} from mining_sessions s
    where ${dueSql(until)} and ${isIn} limit :limit::integer`

/** Values of `rangeSql` and `pickedSql`. */
export const sweepBindings = (
  rest: SweepRest | undefined,
  limit: number,
  firstSlots = FIRST_SLOTS,
) => ({ ...(rest ?? { from: null, to: null, since: null, until: null, slots: firstSlots }), limit })

/** Slots that hold four fifths of a batch if sessions are spread evenly: some seconds hold more. */
function slotsAfter(picks: number, slots: number, limit: number): number {
  if (picks === limit) return Math.max(1, slots >> 1)
  const fitting = Math.round((slots * limit * 0.8) / Math.max(1, picks))
  return Math.max(1, Math.min(fitting, slots * 4, CREDIT_SLOTS))
}

/** What a batch means for the sweep. */
export function sweptBatch(row: BatchRow, slots: number, limit: number): SweptBatch {
  const { memberIds, isBehind, isPartial, picks, to, since, until } = row
  const isFull = picks === limit
  if (!isPartial && row.last === to) return { memberIds, isFull, isDone: !isBehind }
  const from = isPartial ? row.from : row.last + 1
  const rest = { from, to, since, until, slots: slotsAfter(picks, slots, limit) }
  return { memberIds, isFull, isDone: false, rest }
}

/** Runs `work` for each range until one returns true. A failure (node down) is thrown after the last range. */
export async function forEachRange(
  ranges: BucketRange[],
  work: (range: BucketRange) => Promise<boolean>,
): Promise<void> {
  const errors: unknown[] = []
  for (const range of ranges) {
    try {
      if (await work(range)) return
    } catch (error) {
      errors.push(error)
    }
  }
  if (errors.length > 0) throw errors[0]
}

export const rangesToSweep = async (db: Db): Promise<BucketRange[]> =>
  (await engineOf(db)).rangesToSweep(db)

/**
 * Credits the next due interval of at most `limit` sessions of the buckets, which must be whole ranges of
 * `rangesToSweep`; ten missed intervals need ten calls. Call it again with `rest` until it is done.
 */
export async function sweepBatch(
  db: Db,
  buckets: BucketRange,
  rest?: SweepRest,
  limit = BATCH_CREDITS,
): Promise<SweptBatch> {
  return (await engineOf(db)).sweepBatch(db, buckets, rest, limit)
}
