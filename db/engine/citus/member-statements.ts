import type { QueryResult } from 'pg'
import type { MemberBindings } from '#db/engine/engine'
import { type InBuckets, inBucket } from '#db/ledger/bucket-range-sql'
import { COUNTER_SQL } from '#db/ledger/network-counters'
import { type RequestRow, readEpoch } from '#db/members/execute-once'
import {
  MOMENT,
  type SnapshotRow,
  STARTED,
  STATS,
  STOPPED,
  type StatusRow,
  sessionJson,
  statusOf,
} from '#db/mining/session-sql'
import { prepared } from '#db/postgres/statements/prepared'
import type { Db, Tx } from '#db/postgres/statements/transaction'
import { bucketOf } from '#rules/buckets'
import type { MiningStatus } from '#rules/snapshots'
import { logPollChange } from './run-on-shard.ts'

/** Columns of a member's rows, which a node has, and of the user, who is on the coordinator. */
const memberColumns = (session: string) => `${STATS}, ${session} as session`
const USER_COLUMNS = `u."miningBoost", ${MOMENT}`

/** Counts a session that was just started, and reads it with the stats. */
const STARTED_SQL = `
  with counted as (
    update network_counters set "activeSessions" = "activeSessions" + 1,
      "activeRate" = "activeRate" + :hashRate where ${COUNTER_SQL}
  )
  select ${memberColumns(sessionJson('s'))}
  from mining_sessions s join mining_stats m on m.bucket = s.bucket and m."userId" = s."userId"
  where s.bucket = :bucket and m.bucket = :bucket and s."userId" = :userId and s.active`

const STOP_SQL = `
  ${STOPPED} select ${memberColumns(sessionJson('stopped'))} from stopped cross join mined m`

const STATUS_USER_SQL = `select ${USER_COLUMNS} from users u where u.id = :memberId`

type StatusOnNode = Pick<
  StatusRow,
  'pendingRewards' | 'pendingUsdtRewards' | 'lastClaimTime' | 'session'
>

/**
 * The status after a change, given the statement that changes and returns the rows of the member's node: the
 * log and users are on the coordinator. The three are sent together.
 */
async function statusAfter(
  tx: Tx,
  memberId: number,
  changed: Promise<QueryResult<StatusOnNode>>,
): Promise<MiningStatus> {
  const [member, user] = await Promise.all([
    changed,
    prepared(tx, 'status-user', STATUS_USER_SQL, { memberId }),
    logPollChange(tx, [memberId]),
  ])
  return statusOf({ ...member.rows[0], ...user.rows[0] })
}

export async function startSession(
  tx: Tx,
  session: MemberBindings,
): Promise<MiningStatus | undefined> {
  const { rowCount } = await prepared(tx, 'start-session', STARTED, session)
  if (rowCount !== 1) return undefined
  return statusAfter(tx, session.userId, prepared(tx, 'started-session', STARTED_SQL, session))
}

export function stopSession(tx: Tx, ended: MemberBindings): Promise<MiningStatus> {
  return statusAfter(tx, ended.userId, prepared(tx, 'stop-session', STOP_SQL, ended))
}

/** A snapshot's statements: of the nodes that have the members' rows, and of the coordinator. */
type SnapshotSql = { rows: string; users: string }

/**
 * The statements for members, given conditions on their ids and buckets: each table names its buckets,
 * so that Citus reads the nodes of these members only. Joined with `users` in one statement, the
 * users would be copied to these nodes first, which costs more than the rest.
 */
const snapshotSql = (isOne: (id: string) => string, isIn: InBuckets): SnapshotSql => ({
  rows: `
  select w."userId" as "memberId", w.id as "walletId", w.name as "walletName", w.balance, w."usdtBalance",
    ${memberColumns(`(
      select ${sessionJson('s')} from mining_sessions s
      where ${isIn('s.bucket')} and s.bucket = w.bucket and s."userId" = w."userId"
      order by s.id desc limit 1
    )`)}
  from wallets w join mining_stats m on m.bucket = w.bucket and m."userId" = w."userId"
  where ${isIn('w.bucket')} and ${isIn('m.bucket')} and ${isOne('w."userId"')}`,
  users: `select u.id as "memberId", u."authEpoch", ${USER_COLUMNS} from users u where ${isOne('u.id')}`,
})

const ONE = snapshotSql((id) => `${id} = :id::integer`, inBucket)
const MANY = snapshotSql(
  (id) => `${id} = any(:ids::integer[])`,
  (bucket) => `${bucket} = any(:buckets::smallint[])`,
)

type SnapshotUser = Pick<
  SnapshotRow,
  'memberId' | 'authEpoch' | 'miningBoost' | 'productNow' | 'speed' | 'asOf'
>
type SnapshotOnNode = Omit<SnapshotRow, Exclude<keyof SnapshotUser, 'memberId'>>

/** Reads the clock last, so that no row is newer than its moment. */
export async function readSnapshots(db: Db, memberIds: number[]): Promise<SnapshotRow[]> {
  const [id = 0, ...others] = memberIds
  const isOne = others.length === 0
  const [name, { rows, users }] = isOne ? ['member-snapshot', ONE] : ['member-snapshots', MANY]
  const values = isOne
    ? { id, bucket: bucketOf(id) }
    : { ids: memberIds, buckets: memberIds.map(bucketOf) }
  const onNodes: SnapshotOnNode[] = (await prepared(db, name, rows, values)).rows
  const found: SnapshotUser[] = (await prepared(db, `${name}-users`, users, values)).rows
  const userOf = new Map(found.map((user) => [user.memberId, user]))
  return onNodes.flatMap((row) => {
    const user = userOf.get(row.memberId)
    return user ? [{ ...row, ...user }] : []
  })
}

/** Users are on the coordinator and keys on a node: joined, the users would be copied there. */
const STORED_SQL = `
  select route, answer from idempotency_keys
  where bucket = :bucket and "userId" = :memberId and key = :key`

export async function readRequest(
  db: Db,
  memberId: number,
  key: string | null,
): Promise<RequestRow | undefined> {
  const [epoch, stored] = await Promise.all([
    readEpoch(db, memberId),
    prepared(db, 'command-stored', STORED_SQL, { memberId, bucket: bucketOf(memberId), key }),
  ])
  return epoch && { ...epoch, route: null, answer: null, ...stored.rows[0] }
}
