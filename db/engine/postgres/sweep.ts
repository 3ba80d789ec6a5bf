import type { Engine } from '#db/engine/engine'
import { creditSteps } from '#db/ledger/credit-sql'
import { sweepCounter } from '#db/ledger/network-counters'
import {
  IDLE_WRITE_MS,
  pickedSql,
  rangeSql,
  type SweepRest,
  sweepBindings,
  sweptBatch,
} from '#db/mining/sweep'
import { prepared } from '#db/postgres/statements/prepared'
import { durationSql } from '#db/postgres/statements/times'
import type { BucketRange } from '#rules/buckets'
import { FRAGMENTS } from './bucket-statements.ts'

const RANGE = rangeSql('"firstBucket" between :firstBucket and :lastBucket')
const UNTIL = '(select until from range)'
const PICKED = pickedSql(
  's.ctid as place, s.id, s."userId"',
  UNTIL,
  `s."creditSlot" between (select "from" from range) and (select last from range)
      and s.bucket between :firstBucket and :lastBucket`,
)

/**
 * Reads the clock, credits at most `:limit` sessions and records how far the buckets are swept, in one statement: a
 * worker that dies or freezes holds no lock. A row that moves while the statement waits for it is left for the next
 * one. A position that was moved back during the sweep (`findMissedCredits`) stays.
 */
export const SWEEP_SQL = `
  with ${RANGE}, picked as materialized (${PICKED}
  ), ${creditSteps(UNTIL, 's.ctid = any(array(select place from picked))', FRAGMENTS)},
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

const bindings = (buckets: BucketRange, rest: SweepRest | undefined, limit: number) => ({
  firstBucket: buckets.first,
  lastBucket: buckets.last,
  ...sweepCounter(buckets),
  ...sweepBindings(rest, limit),
})

export const sweepBatch: Engine['sweepBatch'] = async (db, buckets, rest, limit) => {
  const values = bindings(buckets, rest, limit)
  const { rows } = await prepared(db, 'sweep-batch', SWEEP_SQL, values)
  return sweptBatch(rows[0], values.slots, limit)
}

export const sessionsToSweep: Engine['sessionsToSweep'] = async (db, buckets, rest, limit) => {
  const { rows } = await db.raw(
    `with ${RANGE}, picked as materialized (${PICKED})
     select id as "sessionId", "userId" from picked order by id`,
    bindings(buckets, rest, limit),
  )
  return rows
}
