import { bucketStatement, type Engine } from '#db/engine/engine'
import type { SessionRef } from '#db/ledger/bucket-range-sql'
import { bucketBindings, inRange, POSITIONS } from '#db/ledger/bucket-range-sql'
import { creditSteps } from '#db/ledger/credit-sql'
import { sweepCounter } from '#db/ledger/network-counters'
import {
  FIRST_SLOTS,
  IDLE_WRITE_MS,
  pickedSql,
  rangeSql,
  type SweepRest,
  sweepBindings,
  sweptBatch,
} from '#db/mining/sweep'
import { prepared } from '#db/postgres/statements/prepared'
import type { Db } from '#db/postgres/statements/transaction'
import type { BucketRange } from '#rules/buckets'
import { CREDIT_SLOTS } from '#rules/constants'
import { runForBucket } from './run-on-shard.ts'

/** Clock and positions are on the coordinator. */
const PLAN_SQL = `
  with ${rangeSql(POSITIONS)}
  select "from", last, "to", until, until < now as "isBehind", (select "sweptTo" from swept) as since
  from range`

const UNTIL = ':until::timestamptz'
const IN_SLOTS = `s."creditSlot" between :from::integer and :last::integer and ${inRange('s.bucket')}`
const pickSql = (columns: string) => pickedSql(columns, UNTIL, IN_SLOTS)

/** An idle sweep sends this instead of the credit. */
const IS_DUE_SQL = `select exists (${pickSql('1')}) as "isDue"`
const SESSIONS_SQL = pickSql('s.id as "sessionId", s."userId"')

/** A row that moves while the statement waits for it is left for the next one. */
const CREDIT = bucketStatement('sweep-credit', (fragments) => ({
  steps: `picked as materialized (${pickSql('s.ctid as place')}),
  ${creditSteps(UNTIL, 's.ctid = any(array(select place from picked))', fragments)}`,
  answer: `
  select (select count(*) from picked) as picks, coalesce(bool_or("hasMore"), false) as "hasMore",
    coalesce(json_agg("userId"), '[]') as "memberIds"
  from due`,
}))

/** A position that was moved back during the sweep (`findMissedCredits`) stays. */
const RECORD_SQL = `
  update credit_sweeps set "sweptTo" = :until::timestamptz
  where ${POSITIONS} and "sweptTo" >= :since::timestamptz`

type Plan = { from: number; last: number; to: number; since: Date; until: Date; isBehind: boolean }
type Swept = { picks: number; hasMore: boolean; memberIds: number[] }

/** A list has few sessions of each slot: the limit bounds its first statement. */
const firstSlots = ({ list }: BucketRange) => (list ? CREDIT_SLOTS : FIRST_SLOTS)

async function planSweep(db: Db, buckets: BucketRange, rest: SweepRest | undefined, limit: number) {
  const values = { ...bucketBindings(buckets), ...sweepBindings(rest, limit, firstSlots(buckets)) }
  const plan: Plan = (await prepared(db, 'sweep-plan', PLAN_SQL, values)).rows[0]
  return { plan, values: { ...values, ...plan } }
}

async function creditBatch(
  db: Db,
  buckets: BucketRange,
  values: Record<string, unknown>,
): Promise<Swept> {
  const bindings = { ...values, ...sweepCounter(buckets) }
  const [swept] = await runForBucket<Swept>(db, buckets, CREDIT, bindings)
  if (!swept) throw new Error('a credit returned no row')
  return swept
}

/** An idle sweep writes its position rarely. */
const isWorthWriting = ({ since, until, isBehind }: Plan, credits: number) =>
  credits > 0 || isBehind || until < since || until.getTime() - since.getTime() > IDLE_WRITE_MS

/**
 * Plans, looks, credits and records in a statement each: the position is on the coordinator, the sessions on a node.
 * The credit commits alone: a worker that dies before it records sweeps the same slots again, with nothing due.
 */
export const sweepBatch: Engine['sweepBatch'] = async (db, buckets, rest, limit) => {
  const { plan, values } = await planSweep(db, buckets, rest, limit)
  const [{ isDue }] = (await prepared(db, 'sweep-is-due', IS_DUE_SQL, values)).rows
  const { picks, hasMore, memberIds } = isDue
    ? await creditBatch(db, buckets, values)
    : { picks: 0, hasMore: false, memberIds: [] }
  const isPartial = picks === limit || memberIds.length < picks || hasMore
  if (!isPartial && plan.last === plan.to && isWorthWriting(plan, memberIds.length)) {
    await prepared(db, 'sweep-record', RECORD_SQL, values)
  }
  return sweptBatch({ ...plan, isPartial, picks, memberIds }, values.slots, limit)
}

export const sessionsToSweep: Engine['sessionsToSweep'] = async (db, buckets, rest, limit) => {
  const { values } = await planSweep(db, buckets, rest, limit)
  const { rows }: { rows: SessionRef[] } = await db.raw(SESSIONS_SQL, values)
  return rows.sort((a, b) => a.sessionId - b.sessionId)
}

type Row = { first: number; last: number; list: number[] | null }

/** Each range holds the buckets of one shard, so that one node serves its sweep. */
export async function rangesToSweep(db: Db): Promise<BucketRange[]> {
  const rows: Row[] = await db('credit_sweeps')
    .orderBy('firstBucket')
    .select({ first: 'firstBucket', last: 'lastBucket', list: 'buckets' })
  return rows.map(({ list, ...range }) => (list ? { ...range, list } : range))
}
