import type { Db } from '#db/postgres/transaction'

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
       insert into wallets ("userId") select id from made
     ), counted as (
       insert into mining_stats ("userId") select id from made
     )
     select id from made order by id`,
    { prefix, count },
  )
  return rows.map(({ id }: { id: number }) => id)
}

/** Inserts one such member. */
export async function insertMember(db: Db): Promise<number> {
  const [id] = await insertMembers(db, 1)
  return Number(id)
}
