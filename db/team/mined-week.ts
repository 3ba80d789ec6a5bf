import { withoutTimeLimit } from '#db/postgres/statements/batch-settings'
import { type Db, inTransaction } from '#db/postgres/statements/transaction'
import { BUCKETS } from '#rules/buckets'
import { DAY_MS } from '#rules/constants'
import { dayText } from '#rules/duration-text'
import type { BoardListing } from '#rules/snapshots'

/** 1970-01-05, a Monday. */
const FIRST_MONDAY_MS = 4 * DAY_MS
const WEEK_MS = 7 * DAY_MS

/** Start of the week of `now`: its Monday, 00:00 UTC, ms. */
export function weekStart(now: number): number {
  return now - ((now - FIRST_MONDAY_MS) % WEEK_MS)
}

/** Buckets whose members are summed by one statement, which reads all rows of its days. */
const CHUNK = 128

export const CHUNKS: number[][] = Array.from({ length: BUCKETS / CHUNK }, (_, n) =>
  Array.from({ length: CHUNK }, (_, bucket) => n * CHUNK + bucket),
)

/** A member and TESP in units of 10⁻⁸, which a float of 53 bits holds exactly up to 90 million TESP. */
export type Mined = [memberId: number, units: number]

/** As in `GET /api/wallet/earnings`. Credits are rolled up within their UTC day, so the sums stay the same. */
const MINED_SQL = `
  select "userId", (sum(amount) * 100000000)::float8 as units
  from wallet_activity
  where bucket = any(:buckets::smallint[]) and "createdAt" >= :from and "createdAt" < :to
    and type = 'mining_reward' and "tokenType" = 'TESP'
  group by bucket, "userId"`

/** What mining paid each member from `from` until `to` (product ms); no time limit: a million members take long. */
export async function sumMined(
  db: Db,
  buckets: number[],
  { from, to }: { from: number; to: number },
): Promise<Mined[]> {
  if (from >= to) return []
  const bounds = { from: new Date(from), to: new Date(to) }
  const { rows } = await inTransaction(db, async (tx) => {
    await withoutTimeLimit(tx)
    return tx.raw(MINED_SQL, { buckets, ...bounds })
  })
  return rows.map(({ userId, units }: { userId: number; units: number }) => [userId, units])
}

const SEALED_SQL = `
  select day::text as day, max(number) as number from ledger_seals
  where day >= :week::date and day < :week::date + 7 group by ledger_seals.day order by 1`

/**
 * For each sealed day with which a week begins the newest seal up to its end. Sums of these days hold while the
 * number of the last one stays the same, because a late row or a roll-up makes a new seal.
 */
export async function sealedDays(db: Db, week: number): Promise<number[]> {
  const { rows } = await db.raw(SEALED_SQL, { week: dayText(week) })
  const numbers: number[] = []
  for (const { day, number } of rows as { day: string; number: number }[]) {
    if (day !== dayText(week + numbers.length * DAY_MS)) break
    numbers.push(Math.max(number, numbers.at(-1) ?? 0))
  }
  return numbers
}

const SHOWN = `u."frozenAt" is null and u."deletedAt" is null`

/** The members who are on the board of all members. */
export async function listedMembers(db: Db): Promise<Set<number>> {
  const { rows } = await db.raw(
    `select u.id from users u where u."weekBoard" is not null and ${SHOWN}`,
  )
  return new Set(rows.map(({ id }: { id: number }) => id))
}

/** Largest team whose board is complete; of a larger one the newest members are on it. */
const TEAM_MAX = 10_000

const TEAM_SQL = `
  with self as (select id, "referredBy", "weekBoard" from users where id = :memberId)
  select self.id, "referredBy" as "inviterId", "weekBoard" as listing,
    array(select u.id from users u where u."referredBy" = self.id and ${SHOWN}
      order by u.id desc limit ${TEAM_MAX})
    || array(select u.id from users u where u.id = self."referredBy" and ${SHOWN}) as others
  from self`

type TeamOfBoard = { inviterId: number | null; listing: BoardListing; others: number[] }

/** Whom the board of a member's team shows besides the member: direct members and the inviter. */
export async function boardTeam(db: Db, memberId: number): Promise<TeamOfBoard> {
  return (await db.raw(TEAM_SQL, { memberId })).rows[0]
}

type Shown = { id: number; username: string; listing: BoardListing }

/** Of the members of these places those whom a board may show now, by id. */
export async function shownMembers(
  db: Db,
  places: { memberId: number }[],
): Promise<Map<number, Shown>> {
  const ids = places.map(({ memberId }) => memberId)
  const { rows } = await db.raw(
    `select u.id, u.username, u."weekBoard" as listing from users u
     where u.id = any(:ids::integer[]) and ${SHOWN}`,
    { ids },
  )
  return new Map(rows.map((row: Shown) => [row.id, row]))
}

/** Puts the member on the board of all members, or takes the member off. */
export async function setBoardListing(
  db: Db,
  memberId: number,
  weekBoard: BoardListing,
): Promise<void> {
  await db('users').where({ id: memberId, deletedAt: null }).update({ weekBoard })
}
