import type { Db } from '#db/postgres/statements/transaction'
import { type BucketRange, bucketOf, bucketSql } from '#rules/buckets'

let batches = 0

/** Inserts members with wallet and stats by SQL; they have no password and cannot sign in. */
export async function insertMembers(db: Db, count: number): Promise<number[]> {
  const prefix = `member${process.pid}x${++batches}`
  const { rows } = await db.raw(
    `with made as (
       insert into users (username, "usernameKey", password, email, "emailKey")
       select :prefix || '.' || n, :prefix || '.' || n, 'none',
         :prefix || '.' || n || '@test.example', :prefix || '.' || n || '@test.example'
       from generate_series(1, :count) as n returning id
     ), walleted as (
       insert into wallets (bucket, "userId") select ${bucketSql('id')}, id from made
     ), counted as (
       insert into mining_stats (bucket, "userId") select ${bucketSql('id')}, id from made
     )
     select id from made order by id`,
    { prefix, count },
  )
  return rows.map(({ id }: { id: number }) => id)
}

/** Whether a range has the bucket of a member. */
export function isInRange({ first, last, list }: BucketRange, memberId: number): boolean {
  const bucket = bucketOf(memberId)
  return list ? list.includes(bucket) : bucket >= first && bucket <= last
}

/** Inserts such members until `count` of them are in the range of buckets; returns these. */
export async function insertMembersOf(
  db: Db,
  range: BucketRange,
  count: number,
): Promise<number[]> {
  const found: number[] = []
  while (found.length < count) {
    const ids = await insertMembers(db, 256)
    found.push(...ids.filter((id) => isInRange(range, id)))
  }
  return found.slice(0, count)
}

/** Inserts one such member. */
export async function insertMember(db: Db): Promise<number> {
  const [id] = await insertMembers(db, 1)
  return Number(id)
}
