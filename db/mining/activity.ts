import { descriptionSql } from '#db/ledger/credit-sql'
import type { Db } from '#db/postgres/transaction'
import { DAY_MS } from '#rules/constants'
import type { Activity, ActivityPage } from '#rules/snapshots'

/** A ledger row as JSON carries it: `at` in ms of product time, `seq` the order of posting. */
export type ActivityJson = Omit<Activity, 'timestamp'> & { at: number; seq: number }

/** Milliseconds since the epoch, as SQL. */
export const epochMs = (column: string) => `(extract(epoch from ${column}) * 1000)::float8`

const ACTIVITY_JSON = `json_build_object('id', a.id, 'type', a.type, 'amount', a.amount::text,
  'tokenType', a."tokenType", 'description', ${descriptionSql('a')}, 'at', ${epochMs('a."createdAt"')},
  'seq', a.seq)`

/** The newest rows of a member of `u` within `bound`, as a JSON array, `:limit` at most. */
const newestRows = (bound: string) => `
  select json_agg(row order by "createdAt" desc, seq desc) as activity from (
    select a."createdAt", a.seq, ${ACTIVITY_JSON} as row from wallet_activity a
    where a."userId" = u.id and ${bound}
    order by a."createdAt" desc, a.seq desc limit :limit
  ) newest`

/** None older than `:since`: with the bound Postgres plans only the partitions that can match. */
export const RECENT_ACTIVITY = newestRows('a."createdAt" >= :since')

const OLDER_ACTIVITY_SQL = `
  select u.id as "memberId", coalesce(l.activity, '[]') as activity
  from unnest(:ids::integer[]) u(id)
  cross join lateral (${newestRows('a."createdAt" < :since')}) l`

/**
 * The newest rows of each member that are older than `since`, `limit` each, to fill pages that
 * recent days left short.
 */
export async function olderActivity(
  db: Db,
  memberIds: number[],
  limit: number,
  since: Date,
): Promise<Map<number, ActivityJson[]>> {
  if (memberIds.length === 0) return new Map()
  const { rows } = await db.raw(OLDER_ACTIVITY_SQL, { ids: memberIds, limit, since })
  return new Map(
    rows.map((row: { memberId: number; activity: ActivityJson[] }) => [row.memberId, row.activity]),
  )
}

/** Days of the ledger that a page reads first; active members fill a page from one day. */
const RECENT_DAYS = 2

/** The oldest row, ms, that a first read of activity behind `before` asks for. */
export function recentSince(before = Date.now()): Date {
  return new Date(before - RECENT_DAYS * DAY_MS)
}

/** A page of `limit` rows at most, newest first; `asOf` is the real time of the read, ms. */
export function activityPage(rows: ActivityJson[], limit: number, asOf: number): ActivityPage {
  const last = rows.length === limit ? rows.at(-1) : undefined
  // Field by field: a push maps five rows for each member, and rest and spread cost twice as much.
  const items = rows.map(({ id, type, amount, tokenType, description, at }) => ({
    id,
    type,
    amount,
    tokenType,
    description,
    timestamp: new Date(at).toISOString(),
  }))
  return { items, next: last ? `${last.at}.${last.seq}` : null, asOf }
}

/** Where a page of activity continues: after the row of that time (ms) and posting number. */
export type ActivityCursor = { at: number; seq: number }

/** Parses the cursor that a page ended with; undefined for any other text. */
export function parseCursor(text: string): ActivityCursor | undefined {
  const match = /^(\d{1,15}(?:\.\d{1,3})?)\.(\d{1,15})$/.exec(text)
  return match ? { at: Number(match[1]), seq: Number(match[2]) } : undefined
}

/** Rows of a member with `from` ≤ createdAt < `to` behind the cursor, each bound only if given. */
async function activityRows(
  db: Db,
  memberId: number,
  limit: number,
  { before, from, to }: { before?: ActivityCursor; from?: Date; to?: Date },
): Promise<{ rows: ActivityJson[]; asOf: number }> {
  const conditions = ['a."userId" = :memberId']
  if (from) conditions.push('a."createdAt" >= :from')
  if (to) conditions.push('a."createdAt" < :to')
  if (before) {
    // The first condition prunes partitions, the second one orders rows of the same moment.
    conditions.push('a."createdAt" <= :at', '(a."createdAt", a.seq) < (:at, :seq::bigint)')
  }
  const { rows: answer } = await db.raw(
    `select coalesce(json_agg(row order by "createdAt" desc, seq desc), '[]') as rows,
       ${epochMs('statement_timestamp()')} as "asOf"
     from (
       select a."createdAt", a.seq, ${ACTIVITY_JSON} as row from wallet_activity a
       where ${conditions.join(' and ')} order by a."createdAt" desc, a.seq desc limit :limit
     ) page`,
    {
      memberId,
      limit,
      ...(from && { from }),
      ...(to && { to }),
      ...(before && { at: new Date(before.at), seq: before.seq }),
    },
  )
  return answer[0]
}

/** One page of a member's ledger, newest first: recent days first, all others if they are short. */
export async function readActivity(
  db: Db,
  memberId: number,
  limit: number,
  before?: ActivityCursor,
): Promise<ActivityPage> {
  const from = recentSince(before?.at)
  const { rows, asOf } = await activityRows(db, memberId, limit, { before, from })
  const missing = limit - rows.length
  if (missing > 0) {
    rows.push(...(await activityRows(db, memberId, missing, { before, to: from })).rows)
  }
  return activityPage(rows, limit, asOf)
}
