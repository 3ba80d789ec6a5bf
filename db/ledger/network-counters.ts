import { productNow } from '#db/postgres/connection/product-clock'
import { prepared } from '#db/postgres/statements/prepared'
import type { Db, Tx } from '#db/postgres/statements/transaction'
import { networkAi } from '#rules/ai-figures'
import { type BucketRange, bucketOf } from '#rules/buckets'
import { DAY_MS, HOUR_MS } from '#rules/constants'
import type { Money } from '#rules/money/money'
import type { NetworkStatus } from '#rules/snapshots'

/**
 * A row of `network_counters`. Commands lock it until their commit, so there is one for each bucket; lane 0 is for
 * sweeps, lane 1 for members' commands, so that neither waits for the other.
 */
type Counter = { counterBucket: number; lane: 0 | 1 }

/** SQL condition of the row whose values are bound by a `Counter`. */
export const COUNTER_SQL = 'bucket = :counterBucket::smallint and lane = :lane::smallint'

/** The row for a member's own actions. */
export function memberCounter(memberId: number): Counter {
  return { counterBucket: bucketOf(memberId), lane: 1 }
}

/** The row for the credits of a sweep, whose buckets begin with one of `rangesToSweep`. */
export function sweepCounter({ first }: BucketRange): Counter {
  return { counterBucket: first, lane: 0 }
}

const COUNT_SQL = `
  update network_counters set "activeSessions" = "activeSessions" + :sessions,
    "activeRate" = "activeRate" + :rate where ${COUNTER_SQL}`

/** Adds to the number of running sessions and to their rate (TESP/h); both may be negative. */
export async function countMining(
  tx: Tx,
  memberId: number,
  sessions: number,
  rate: Money,
): Promise<void> {
  await prepared(tx, 'count-mining', COUNT_SQL, { sessions, rate, ...memberCounter(memberId) })
}

type Counters = { nodes: number; rate: Money; rows: number; now: Date; asOf: number }

/** The network's real figures and the simulated state of its AI (rules.md: The simulation). */
export async function readNetwork(db: Db): Promise<NetworkStatus> {
  const counted = await db.raw(
    `select sum("activeSessions") as nodes, sum("activeRate") as rate,
       sum("ledgerRows")::bigint as rows, product_now() as now,
       (extract(epoch from statement_timestamp()) * 1000)::float8 as "asOf"
     from network_counters`,
  )
  const { nodes, rate, rows, now, asOf }: Counters = counted.rows[0]
  const thisHour = Math.floor(now.getTime() / HOUR_MS) * HOUR_MS
  const first = thisHour - DAY_MS + HOUR_MS
  const hours: { hour: Date; credits: number }[] = await db('network_hours')
    .where('hour', '>=', new Date(first))
    .groupBy('hour')
    .select('hour', db.raw('sum(credits)::integer as credits'))
  const credits = new Map(hours.map((row) => [row.hour.getTime(), row.credits]))
  const activity = Array.from({ length: 24 }, (_, index) => {
    const hour = first + index * HOUR_MS
    return { hour: new Date(hour).toISOString(), credits: credits.get(hour) ?? 0 }
  })
  return {
    nodes,
    blockHeight: rows,
    hashrate: Number(rate),
    activity,
    aiStatus: networkAi(now.getTime()),
    asOf,
  }
}

/** Sessions that mine now, and what they earn together, TESP an hour. */
export async function runningSessions(db: Db): Promise<{ sessions: number; tespPerHour: number }> {
  const { rows } = await db.raw(
    `select sum("activeSessions")::integer as sessions, sum("activeRate")::float8 as "tespPerHour"
     from network_counters`,
  )
  return rows[0]
}

/** Deletes hourly counts older than three days; the Network screen shows 24 hours. */
export async function deleteOldHours(db: Db): Promise<number> {
  const before = new Date((await productNow(db)) - 3 * DAY_MS)
  return db('network_hours').where('hour', '<', before).delete()
}
