import type { Db } from '#db/postgres/statements/transaction'
import { bucketSql } from '#rules/buckets'
import { insertTask } from '#scripts/testing/db/tasks'

/** A member to insert, and the size of a team of members who do nothing. */
type Founder = { id: number; teamSize: number }

const ALPHABET = 'ABCDEFGHJKLMNPQRSTUVWXYZ23456789'

export function codeOf(memberId: number): string {
  const digits = Array.from(memberId.toString(32).padStart(6, '0'))
  return `TESP${digits.map((digit) => ALPHABET[Number.parseInt(digit, 32)]).join('')}`
}

/** Ids of the inserted team members lie above those of all founders. */
const FIRST_OF_TEAMS = 1_000_000

const INSERT_SQL = `
  with founder as (
    select * from unnest(:ids::integer[], :codes::text[], :sizes::integer[]) f(id, code, size)
  ), follower as (
    select (${FIRST_OF_TEAMS} + row_number() over (order by f.id, n))::integer as id, f.id as referrer
    from founder f cross join lateral generate_series(1, f.size) n
  ), person as (
    select id, code, size, null::integer as referrer from founder
    union all select id, null, 0, referrer from follower
  ), made as (
    insert into users (id, username, "usernameKey", password, email, "emailKey", "referralCode",
      "referredBy", "teamSize", "miningBoost")
    select id, 'member' || id, 'member' || id, 'none', id || '@test.example', id || '@test.example',
      code, referrer, size, 0.05 * size
    from person returning id
  ), walleted as (
    insert into wallets (bucket, "userId") select ${bucketSql('id')}, id from made
  ), counted as (
    insert into mining_stats (bucket, "userId") select ${bucketSql('id')}, id from made
  )
  insert into referral_rewards ("userId", "referredUserId", level, "rewardPercentage")
  select referrer, id, 1, 5 from follower`

export async function populate(db: Db, founders: Founder[]): Promise<void> {
  await insertTask(db, { id: 'read_twice', reward: '0.25', dailyLimit: 2 })
  await db.raw(INSERT_SQL, {
    ids: founders.map(({ id }) => id),
    codes: founders.map(({ id }) => codeOf(id)),
    sizes: founders.map(({ teamSize }) => teamSize),
  })
}

/** Stops product time at `at`, ms. */
export async function setClock(db: Db, at: number): Promise<void> {
  await db.raw(
    `update product_clock set "productAnchor" = ?, "realAnchor" = clock_timestamp(), speed = 1e-12`,
    [new Date(at)],
  )
}
