import { inBucket } from '#db/ledger/buckets-sql'
import { isDistributed } from '#db/postgres/connection/layout'
import { prepared } from '#db/postgres/statements/prepared'
import type { Db } from '#db/postgres/statements/transaction'
import { bucketOf, bucketSql } from '#rules/buckets'
import { miningStatus, unchangedMs } from '#rules/money/mining-status'
import type { Money } from '#rules/money/money'
import type { MiningStatus, Wallet } from '#rules/snapshots'
import { readSplitSnapshots, type SplitSql, splitSnapshotSql } from './citus/snapshots.ts'
import { factsOf, type StatusRow, sessionJson, statusColumns } from './status-row.ts'

/** What a member's status and wallet show, read in one statement. */
export type MemberSnapshot = {
  memberId: number
  /** A sign-in of another epoch has ended. */
  authEpoch: number
  mining: MiningStatus
  wallet: Wallet
  /** Real ms for which mining and wallet stay as they are unless somebody writes. */
  unchangedMs: number
}

/** A row of the snapshot statements. */
export type SnapshotRow = StatusRow & {
  memberId: number
  authEpoch: number
  walletId: number
  walletName: string
  balance: Money
  usdtBalance: Money
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

type Read = { name: string; sql: string; split: SplitSql }

/** For one member Postgres soon keeps a generic plan; a list has another length each time. */
export const ONE_SNAPSHOT_SQL = snapshotSql('u.id = :id', ':bucket')
const ONE: Read = {
  name: 'member-snapshot',
  sql: ONE_SNAPSHOT_SQL,
  split: splitSnapshotSql((id) => `${id} = :id::integer`, inBucket),
}
const MANY: Read = {
  name: 'member-snapshots',
  sql: snapshotSql('u.id = any(:ids)', bucketSql('u.id')),
  split: splitSnapshotSql(
    (id) => `${id} = any(:ids::integer[])`,
    (bucket) => `${bucket} = any(:buckets::smallint[])`,
  ),
}

async function read(
  db: Db,
  { name, sql, split }: Read,
  bindings: Record<string, unknown>,
): Promise<SnapshotRow[]> {
  if (await isDistributed(db)) return readSplitSnapshots(db, name, split, bindings)
  return (await prepared(db, name, sql, bindings)).rows
}

/** What a row says to the member's screens. */
export function snapshotView(row: SnapshotRow): MemberSnapshot {
  const { facts, moment } = factsOf(row)
  const entry = { id: row.walletId, name: row.walletName, balance: row.balance }
  return {
    memberId: row.memberId,
    authEpoch: row.authEpoch,
    mining: miningStatus(facts, moment),
    wallet: { tesp: [entry], usdtBalance: row.usdtBalance, asOf: row.asOf },
    unchangedMs: unchangedMs(facts, moment),
  }
}

/** The snapshots of many members in one query, in no particular order. */
export async function readSnapshots(db: Db, memberIds: number[]): Promise<MemberSnapshot[]> {
  const [id, ...others] = memberIds
  if (id === undefined) return []
  const rows =
    others.length === 0
      ? await read(db, ONE, { id, bucket: bucketOf(id) })
      : await read(db, MANY, { ids: memberIds, buckets: memberIds.map(bucketOf) })
  return rows.map(snapshotView)
}

/** The snapshot of one existing member. */
export async function readSnapshot(db: Db, memberId: number): Promise<MemberSnapshot> {
  const [snapshot] = await readSnapshots(db, [memberId])
  if (!snapshot) throw new Error(`no member ${memberId}`)
  return snapshot
}
