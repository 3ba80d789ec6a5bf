import type { Engine } from '#db/engine/engine'
import { COUNTER_SQL } from '#db/ledger/network-counters'
import { SESSION_JSON, STATS, STOP_SQL } from '#db/mining/session-sql'
import { CLOCKS, momentOf, SNAPSHOT_CLOCKS } from '#db/postgres/connection/product-clock'
import { prepared } from '#db/postgres/statements/prepared'
import { bucketOf, bucketSql, memberKey } from '#rules/buckets'

const LOCK_STARTER_SQL = `
  select starter.*, nextval('mining_sessions_id_seq') as "sessionId", ${CLOCKS}
  from (
    select u.id as "memberId", u."miningBoost", u."teamLevel", ${STATS},
      exists (select from mining_sessions s where s.bucket = :bucket and s."userId" = u.id and s.active)
        as "isMining"
    from users u join mining_stats m on m.bucket = :bucket and m."userId" = u.id
    where u.id = :userId for share of u
  ) starter`

export const lockStarter: Engine['lockStarter'] = async (tx, memberId) => {
  const { rows } = await prepared(tx, 'lock-starter', LOCK_STARTER_SQL, memberKey(memberId))
  return { ...rows[0], ...momentOf(rows[0]) }
}

export const START_SQL = `
  with started as (
    insert into mining_sessions
      (id, bucket, "userId", "startTime", "rateSince", "creditSlot", "hashRate", "usdtRate")
    values (:sessionId, :bucket, :userId, :startTime, :rateSince, :creditSlot, :hashRate, :usdtRate)
  )
  update network_counters set "activeSessions" = "activeSessions" + 1,
    "activeRate" = "activeRate" + :hashRate where ${COUNTER_SQL}`

export const startSession: Engine['startSession'] = (tx, session) =>
  prepared(tx, 'start-session', START_SQL, session)

export const stopSession: Engine['stopSession'] = (tx, ended) =>
  prepared(tx, 'stop-session', STOP_SQL, ended)

/** Does not touch the ledger, whose partitions cost planning. */
const snapshotSql = (scope: string, bucket: string) => `
  select u.id as "memberId", u."authEpoch", w.id as "walletId", w.name as "walletName", w.balance,
    w."usdtBalance", u."miningBoost", ${STATS}, s.session, ${SNAPSHOT_CLOCKS}
  from users u
  join wallets w on w.bucket = ${bucket} and w."userId" = u.id
  join mining_stats m on m.bucket = ${bucket} and m."userId" = u.id
  left join lateral (
    select ${SESSION_JSON} as session
    from mining_sessions s where s.bucket = ${bucket} and s."userId" = u.id
    order by s.id desc limit 1
  ) s on true
  where ${scope}`

/** For one member Postgres soon keeps a generic plan; a list has another length each time. */
export const SNAPSHOT_SQL = snapshotSql('u.id = :id', ':bucket')
const SNAPSHOTS_SQL = snapshotSql('u.id = any(:ids)', bucketSql('u.id'))

export const readSnapshots: Engine['readSnapshots'] = async (db, memberIds) => {
  const [id = 0, ...others] = memberIds
  const { rows } =
    others.length === 0
      ? await prepared(db, 'member-snapshot', SNAPSHOT_SQL, { id, bucket: bucketOf(id) })
      : await prepared(db, 'member-snapshots', SNAPSHOTS_SQL, { ids: memberIds })
  return rows
}

const REQUEST_SQL = `
  select u."authEpoch", k.route, k.answer
  from users u
  left join (
    select "userId", route, answer from idempotency_keys
    where bucket = :bucket and "userId" = :memberId and key = :key
  ) k on k."userId" = u.id
  where u.id = :memberId`

export const readRequest: Engine['readRequest'] = async (db, memberId, key) => {
  const values = { memberId, bucket: bucketOf(memberId), key }
  return (await prepared(db, 'command-request', REQUEST_SQL, values)).rows[0]
}
