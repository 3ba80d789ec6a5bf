import { bucketBindings, inList, inRange, POSITIONS } from '#db/ledger/citus/buckets-sql'
import { creditSessions } from '#db/ledger/citus/credit-sessions'
import { creditStatements } from '#db/ledger/citus/credit-statements'
import { sweepCounter } from '#db/ledger/network-counters'
import type { SessionKey } from '#db/ledger/session-keys'
import {
  FIRST_SLOTS,
  IDLE_WRITE_MS,
  pickedSql,
  rangeSql,
  type SweepRest,
  type SweptBatch,
  sweepBindings,
  sweptBatch,
} from '#db/mining/sweep-range'
import { prepared } from '#db/postgres/statements/prepared'
import type { Db } from '#db/postgres/statements/transaction'
import { BUCKETS, type BucketRange } from '#rules/buckets'
import { CREDIT_SLOTS } from '#rules/constants'

/** Clock and positions are on the coordinator. */
const PLAN_SQL = `
  with ${rangeSql(POSITIONS)}
  select "from", last, "to", until, until < now as "isBehind", (select "sweptTo" from swept) as since
  from range`

const UNTIL = ':until::timestamptz'
const PICK_SQL = pickedSql(
  's.ctid::text as place, s.id as "sessionId", s."userId"',
  UNTIL,
  `s."creditSlot" between :from::integer and :last::integer and ${inRange('s.shard')}`,
)

/** A row that moves while the statement waits for it is left for the next one. */
const CREDIT = creditStatements(
  { scope: 's.ctid = any(:places::tid[])', now: UNTIL, name: 'sweep-credit' },
  inList,
)

/** A position that was moved back during the sweep (`missed-credits.ts`) stays. */
const RECORD_SQL = `
  update credit_sweeps set "sweptTo" = :until::timestamptz
  where ${POSITIONS} and "sweptTo" >= :since::timestamptz`

type Plan = { from: number; last: number; to: number; since: Date; until: Date; isBehind: boolean }
type Picked = SessionKey & { place: string }

/** As many slots as hold the sessions that `FIRST_SLOTS` hold of all buckets. */
function firstSlots({ list }: BucketRange): number {
  return list
    ? Math.min(CREDIT_SLOTS, Math.round((FIRST_SLOTS * BUCKETS) / list.length))
    : FIRST_SLOTS
}

/** The slots that the next statement reads, and the sessions in them with an interval to credit. */
async function pick(
  db: Db,
  buckets: BucketRange,
  rest: SweepRest | undefined,
  limit: number,
): Promise<{ plan: Plan; picked: Picked[] }> {
  const values = {
    ...bucketBindings(buckets),
    ...sweepBindings(rest, limit, firstSlots(buckets)),
  }
  const plan: Plan = (await prepared(db, 'sweep-plan', PLAN_SQL, values)).rows[0]
  const { rows: picked } = await prepared(db, 'sweep-pick', PICK_SQL, { ...values, ...plan })
  return { plan, picked }
}

/** An idle sweep writes its position seldom. */
const isWorthWriting = ({ since, until, isBehind }: Plan, credits: number) =>
  credits > 0 || isBehind || until < since || until.getTime() - since.getTime() > IDLE_WRITE_MS

/**
 * `sweepBatch` on Citus: a statement each that plans, picks, credits and records, because the position is
 * on the coordinator and the sessions are on a node. Each batch is one transaction; Postgres ends that of
 * a worker that freezes in it after 10 s.
 */
export async function splitSweepBatch(
  db: Db,
  buckets: BucketRange,
  rest: SweepRest | undefined,
  limit: number,
): Promise<SweptBatch> {
  const { plan, picked } = await pick(db, buckets, rest, limit)
  const { since, until } = plan
  const places = picked.map(({ place }) => place)
  const values = { ...bucketBindings(buckets), ...sweepCounter(buckets), until }
  const credits = places.length === 0 ? [] : await creditSessions(db, CREDIT, { ...values, places })
  const isPartial =
    picked.length === limit ||
    credits.length < picked.length ||
    credits.some(({ hasMore }) => hasMore)
  if (!isPartial && plan.last === plan.to && isWorthWriting(plan, credits.length)) {
    await prepared(db, 'sweep-record', RECORD_SQL, { ...values, since })
  }
  const memberIds = credits.map(({ userId }) => userId)
  const row = { ...plan, isPartial, picks: picked.length, memberIds }
  return sweptBatch(row, rest?.slots ?? firstSlots(buckets), limit)
}

/** The sessions that `splitSweepBatch` would credit. */
export async function splitSessionsToSweep(
  db: Db,
  buckets: BucketRange,
  rest: SweepRest | undefined,
  limit: number,
): Promise<SessionKey[]> {
  const { picked } = await pick(db, buckets, rest, limit)
  return picked.sort((a, b) => a.sessionId - b.sessionId)
}
