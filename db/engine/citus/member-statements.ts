import type { Engine, MemberBindings } from '#db/engine/engine'
import { type InBuckets, inBucket } from '#db/ledger/bucket-range-sql'
import { countMining } from '#db/ledger/network-counters'
import { readEpoch } from '#db/members/execute-once'
import { SESSION_JSON, type SnapshotRow, STATS, STOP_SQL } from '#db/mining/session-sql'
import {
  CLOCKS,
  type ClockRow,
  momentOf,
  SNAPSHOT_CLOCKS,
} from '#db/postgres/connection/product-clock'
import { prepared } from '#db/postgres/statements/prepared'
import type { Tx } from '#db/postgres/statements/transaction'
import { bucketOf, memberKey } from '#rules/buckets'
import { logPollChange } from './run-on-shard.ts'

/** The user is on the coordinator, and so is the sequence (`replaceIdentity` of distribute.ts). */
const LOCK_STARTER_SQL = `
  select starter.*, nextval('mining_sessions_id_numbers') as "sessionId", ${CLOCKS}
  from (
    select id as "memberId", "miningBoost", "teamLevel" from users where id = :userId for share
  ) starter`

const STARTER_STATS_SQL = `
  select ${STATS}, s.id is not null as "isMining"
  from mining_stats m left join mining_sessions s
    on s.bucket = m.bucket and s.bucket = :bucket and s."userId" = m."userId" and s.active
  where m.bucket = :bucket and m."userId" = :userId`

export const lockStarter: Engine['lockStarter'] = async (tx, memberId) => {
  const [user, stats] = await Promise.all([
    prepared(tx, 'lock-starter', LOCK_STARTER_SQL, memberKey(memberId)),
    prepared(tx, 'starter-stats', STARTER_STATS_SQL, memberKey(memberId)),
  ])
  return { ...user.rows[0], ...stats.rows[0], ...momentOf(user.rows[0]) }
}

const START_SQL = `
  insert into mining_sessions
    (id, bucket, "userId", "startTime", "rateSince", "creditSlot", "hashRate", "usdtRate")
  values (:sessionId, :bucket, :userId, :startTime, :rateSince, :creditSlot, :hashRate, :usdtRate)`

export const startSession = (tx: Tx, session: MemberBindings & { hashRate: string }) =>
  Promise.all([
    prepared(tx, 'start-session', START_SQL, session),
    countMining(tx, session.userId, 1, session.hashRate),
    logPollChange(tx, [session.userId]),
  ])

export const stopSession = (tx: Tx, ended: MemberBindings) =>
  Promise.all([prepared(tx, 'stop-session', STOP_SQL, ended), logPollChange(tx, [ended.userId])])

type SnapshotSql = { rows: string; users: string }

/**
 * Each table names its buckets, so that Citus reads only the nodes of these members. Joined with `users` in one
 * statement, the users would be copied to these nodes first, which costs more than the rest.
 */
const snapshotSql = (isOne: (id: string) => string, isIn: InBuckets): SnapshotSql => ({
  rows: `
  select w."userId" as "memberId", w.id as "walletId", w.name as "walletName", w.balance, w."usdtBalance",
    ${STATS}, (
      select ${SESSION_JSON} from mining_sessions s
      where ${isIn('s.bucket')} and s.bucket = w.bucket and s."userId" = w."userId"
      order by s.id desc limit 1
    ) as session
  from wallets w join mining_stats m on m.bucket = w.bucket and m."userId" = w."userId"
  where ${isIn('w.bucket')} and ${isIn('m.bucket')} and ${isOne('w."userId"')}`,
  users: `select u.id as "memberId", u."authEpoch", u."miningBoost", ${SNAPSHOT_CLOCKS}
    from users u where ${isOne('u.id')}`,
})

const ONE = snapshotSql((id) => `${id} = :id::integer`, inBucket)
const MANY = snapshotSql(
  (id) => `${id} = any(:ids::integer[])`,
  (bucket) => `${bucket} = any(:buckets::smallint[])`,
)

type SnapshotUser = Pick<SnapshotRow, 'memberId' | 'authEpoch' | 'miningBoost' | keyof ClockRow>
type SnapshotOnNode = Omit<SnapshotRow, Exclude<keyof SnapshotUser, 'memberId'>>

/**
 * Reads the clock last, so that no row is newer than its moment; `asOf` is when the reading began, so that the rows
 * do not count as newer than a push that was read after them.
 */
export const readSnapshots: Engine['readSnapshots'] = async (db, memberIds) => {
  const [id = 0, ...others] = memberIds
  const isOne = others.length === 0
  const [name, { rows, users }] = isOne ? ['member-snapshot', ONE] : ['member-snapshots', MANY]
  const values = isOne
    ? { id, bucket: bucketOf(id) }
    : { ids: memberIds, buckets: memberIds.map(bucketOf) }
  const startedAt = performance.now()
  const onNodes: SnapshotOnNode[] = (await prepared(db, name, rows, values)).rows
  const found: SnapshotUser[] = (await prepared(db, `${name}-users`, users, values)).rows
  const tookMs = performance.now() - startedAt
  const userOf = new Map(found.map((user) => [user.memberId, user]))
  return onNodes.flatMap((row) => {
    const user = userOf.get(row.memberId)
    return user ? [{ ...row, ...user, asOf: user.asOf - tookMs }] : []
  })
}

/** Users are on the coordinator and keys on a node: joined, the users would be copied there. */
const STORED_SQL = `
  select route, answer from idempotency_keys
  where bucket = :bucket and "userId" = :memberId and key = :key`

export const readRequest: Engine['readRequest'] = async (db, memberId, key) => {
  const [epoch, stored] = await Promise.all([
    readEpoch(db, memberId),
    prepared(db, 'command-stored', STORED_SQL, { memberId, bucket: bucketOf(memberId), key }),
  ])
  return epoch && { ...epoch, route: null, answer: null, ...stored.rows[0] }
}
