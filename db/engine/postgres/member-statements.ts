import type { MemberBindings } from '#db/engine/engine'
import { COUNTER_SQL } from '#db/ledger/network-counters'
import type { RequestRow } from '#db/members/execute-once'
import {
  type SnapshotRow,
  STARTED,
  STOPPED,
  sessionJson,
  statusColumns,
  statusOf,
} from '#db/mining/session-sql'
import { prepared } from '#db/postgres/statements/prepared'
import type { Db, Tx } from '#db/postgres/statements/transaction'
import { bucketOf, bucketSql } from '#rules/buckets'
import type { MiningStatus } from '#rules/snapshots'

/** Inserts the session, counts it and reads the status. */
export const START_SQL = `
  with started as (${STARTED}
  ), counted as (
    update network_counters set "activeSessions" = "activeSessions" + 1,
      "activeRate" = "activeRate" + started."hashRate"
    from (select "hashRate" from started) started where ${COUNTER_SQL}
  )
  select ${statusColumns(sessionJson('started'))}
  from started
  join users u on u.id = started."userId"
  join mining_stats m on m.bucket = started.bucket and m."userId" = started."userId"`

export async function startSession(
  tx: Tx,
  session: MemberBindings,
): Promise<MiningStatus | undefined> {
  const { rows } = await prepared(tx, 'start-session', START_SQL, session)
  return rows.map(statusOf)[0]
}

/** Ends the session and reads the status. */
export const STOP_SQL = `
  ${STOPPED} select ${statusColumns(sessionJson('stopped'))}
  from stopped cross join mined m join users u on u.id = stopped."userId"`

export async function stopSession(tx: Tx, ended: MemberBindings): Promise<MiningStatus> {
  const { rows } = await prepared(tx, 'stop-session', STOP_SQL, ended)
  return statusOf(rows[0])
}

/**
 * Snapshots of the members in `scope`, given their bucket as SQL. It does not touch the ledger, whose
 * partitions cost planning.
 */
const snapshotSql = (scope: string, bucket: string) => `
  select u.id as "memberId", u."authEpoch", w.id as "walletId", w.name as "walletName", w.balance,
    w."usdtBalance", ${statusColumns('s.session')}
  from users u
  join wallets w on w.bucket = ${bucket} and w."userId" = u.id
  join mining_stats m on m.bucket = ${bucket} and m."userId" = u.id
  left join lateral (
    select ${sessionJson('s')} as session
    from mining_sessions s where s.bucket = ${bucket} and s."userId" = u.id
    order by s.id desc limit 1
  ) s on true
  where ${scope}`

/** For one member Postgres soon keeps a generic plan; a list has another length each time. */
export const SNAPSHOT_SQL = snapshotSql('u.id = :id', ':bucket')
const SNAPSHOTS_SQL = snapshotSql('u.id = any(:ids)', bucketSql('u.id'))

export async function readSnapshots(db: Db, memberIds: number[]): Promise<SnapshotRow[]> {
  const [id = 0, ...others] = memberIds
  const { rows } =
    others.length === 0
      ? await prepared(db, 'member-snapshot', SNAPSHOT_SQL, { id, bucket: bucketOf(id) })
      : await prepared(db, 'member-snapshots', SNAPSHOTS_SQL, { ids: memberIds })
  return rows
}

/** The epoch of the member, and the command that ran under this key. */
const REQUEST_SQL = `
  select u."authEpoch", k.route, k.answer
  from users u
  left join (
    select "userId", route, answer from idempotency_keys
    where bucket = :bucket and "userId" = :memberId and key = :key
  ) k on k."userId" = u.id
  where u.id = :memberId`

export async function readRequest(
  db: Db,
  memberId: number,
  key: string | null,
): Promise<RequestRow | undefined> {
  const values = { memberId, bucket: bucketOf(memberId), key }
  return (await prepared(db, 'command-request', REQUEST_SQL, values)).rows[0]
}
