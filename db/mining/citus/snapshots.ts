import type { InBuckets } from '#db/ledger/buckets-sql'
import type { SnapshotRow } from '#db/mining/snapshots'
import { memberColumns, sessionJson, USER_COLUMNS } from '#db/mining/status-row'
import { prepared } from '#db/postgres/statements/prepared'
import type { Db } from '#db/postgres/statements/transaction'

/** A snapshot's statements: of the nodes that have the members' rows, and of the coordinator. */
export type SplitSql = { rows: string; users: string }

/**
 * The statements for members, given conditions on their ids and buckets: each table names its buckets,
 * so that Citus reads the nodes of these members only. Joined with `users` in one statement, the
 * users would be copied to these nodes first, which costs more than the rest.
 */
export const splitSnapshotSql = (isOne: (id: string) => string, isIn: InBuckets): SplitSql => ({
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

type UserRow = Pick<
  SnapshotRow,
  'memberId' | 'authEpoch' | 'miningBoost' | 'productNow' | 'speed' | 'asOf'
>
type MemberRow = Omit<SnapshotRow, Exclude<keyof UserRow, 'memberId'>>

/** Reads the clock last, so that no row is newer than its moment. */
export async function readSplitSnapshots(
  db: Db,
  name: string,
  { rows, users }: SplitSql,
  bindings: Record<string, unknown>,
): Promise<SnapshotRow[]> {
  const members: MemberRow[] = (await prepared(db, name, rows, bindings)).rows
  const found: UserRow[] = (await prepared(db, `${name}-users`, users, bindings)).rows
  const userOf = new Map(found.map((user) => [user.memberId, user]))
  return members.flatMap((member) => {
    const user = userOf.get(member.memberId)
    return user ? [{ ...member, ...user }] : []
  })
}
