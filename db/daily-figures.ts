import { bucketSql } from '#rules/buckets'
import { DAY_MS } from '#rules/constants'
import { runningSessions } from './ledger/network-counters.ts'
import { creditLagSeconds } from './mining/credit-lag.ts'
import type { Db } from './postgres/statements/transaction.ts'

const FIGURE_DAYS = 30

/** Figures of a UTC day; null if not known (yet). Times are real, but those of sessions are product time. */
export type DayFigures = {
  /** `2026-11-24`. */
  day: string
  signUps: number
  invited: number
  /** Members, and those of them who joined a team, at the end of the day. */
  members: number | null
  joined: number | null
  /** Of the day's sign-ups, those who started a session one and seven UTC days later. */
  backAfterOneDay: number | null
  backAfterSevenDays: number | null
  credits: number | null
  mailsFailed: number
  /** Largest of the day; the lag in seconds. */
  activeSessions: number | null
  creditLag: number | null
  /** When it was counted last. */
  at: Date
}

const IN_DAY = (column: string) =>
  `${column} >= d.start and ${column} < d.start + interval '24 hours'`

/** Figures that rows still tell later; each uses an index. */
const COUNTED = `
  (select count(*) from users u where ${IN_DAY('u."createdAt"')}) as "signUps",
  (select count(*) from users u where ${IN_DAY('u."createdAt"')} and u."referredBy" is not null) as invited,
  (select count(*) from mails m where ${IN_DAY('m."failedAt"')}) as "mailsFailed"`

const TODAY_SQL = `
  insert into daily_figures as f
    (day, "signUps", invited, "mailsFailed", credits, "activeSessions", "creditLag", at)
  select d.day, ${COUNTED}, :credits, :sessions, :lag, clock_timestamp()
  from (select :day::date as day, :day::date::timestamp at time zone 'UTC' as start) d
  on conflict (day) do update set
    "signUps" = excluded."signUps", invited = excluded.invited,
    "mailsFailed" = excluded."mailsFailed", credits = excluded.credits, at = excluded.at,
    "activeSessions" = greatest(f."activeSessions", excluded."activeSessions"),
    "creditLag" = greatest(f."creditLag", excluded."creditLag")`

/** Days that ended without a last count, for example before this table existed: what rows still tell. */
const ENDED_SQL = `
  insert into daily_figures as f (day, "signUps", invited, "mailsFailed")
  select d.day, ${COUNTED}
  from (
    select day::date, day::date::timestamp at time zone 'UTC' as start
    from generate_series(:day::date - ${FIGURE_DAYS - 1}, :day::date - 1, interval '1 day') day
  ) d
  where not exists (
    select from daily_figures g where g.day = d.day and g.at >= d.start + interval '24 hours')
  on conflict (day) do update set "signUps" = excluded."signUps", invited = excluded.invited,
    "mailsFailed" = excluded."mailsFailed", at = clock_timestamp()`

/** Closes yesterday: counts all members once; `greatest`, because intervals may be credited late. */
const CLOSE_SQL = `
  update daily_figures f set credits = greatest(f.credits, :credits),
    members = coalesce(f.members, (select count(*) from users where "deletedAt" is null)),
    joined = coalesce(f.joined,
      (select count(*) from users where "deletedAt" is null and "referredBy" is not null))
  where f.day = :day::date - 1`

const BACK = { backAfterOneDay: 1, backAfterSevenDays: 7 } as const

const backSql = (days: number) => `
  select count(distinct u.id) as back
  from users u join mining_sessions s on s.bucket = ${bucketSql('u.id')} and s."userId" = u.id
    and s."startTime" >= :start::timestamptz + interval '${days * 24} hours'
    and s."startTime" < :start::timestamptz + interval '${(days + 1) * 24} hours'
  where u."createdAt" >= :start::timestamptz
    and u."createdAt" < :start::timestamptz + interval '24 hours'`

/** Credits of the day that began then; null once its hours are deleted. */
async function creditsOf(db: Db, start: number): Promise<number | null> {
  const hours = db('network_hours').where('hour', '>=', new Date(start))
  const counted = await hours
    .where('hour', '<', new Date(start + DAY_MS))
    .sum('credits as sum')
    .first()
  return counted?.sum ?? null
}

/** Counts who came back for the oldest day that lacks it, at most one a call. */
async function countBack(db: Db, today: string): Promise<void> {
  for (const [column, days] of Object.entries(BACK)) {
    const due = await db('daily_figures')
      .whereNull(column)
      .whereRaw('day < ?::date - ?::integer', [today, days])
      .whereRaw('day >= ?::date - ?::integer', [today, FIGURE_DAYS])
      .orderBy('day')
      .first({ day: db.raw('day::text') })
    if (!due) continue
    const { rows } = await db.raw(backSql(days), { start: new Date(Date.parse(due.day)) })
    await db('daily_figures')
      .whereRaw('day = ?::date', [due.day])
      .update({ [column]: rows[0].back })
  }
}

/** Counts today's figures at most once a minute and closes yesterday's; safe twice and late. False if not due. */
export async function recordFigures(db: Db): Promise<boolean> {
  const { rows } = await db.raw(
    `select (now() at time zone 'UTC')::date::text as today, coalesce(
       (select f.at < now() - interval '55 seconds' or f.at > now() from daily_figures f
        where f.day = (now() at time zone 'UTC')::date), true) as due`,
  )
  const { today, due } = rows[0]
  if (!due) return false
  await db.raw(TODAY_SQL, {
    day: today,
    credits: (await creditsOf(db, Date.parse(today))) ?? 0,
    sessions: (await runningSessions(db)).sessions,
    lag: await creditLagSeconds(db),
  })
  await db.raw(ENDED_SQL, { day: today })
  const credits = await creditsOf(db, Date.parse(today) - DAY_MS)
  await db.raw(CLOSE_SQL, { day: today, credits })
  await countBack(db, today)
  return true
}

/** The last 30 days, today included, oldest first; a day that nothing counted is missing. */
export async function readFigures(db: Db): Promise<DayFigures[]> {
  return db('daily_figures')
    .whereRaw(`day > (now() at time zone 'UTC')::date - ${FIGURE_DAYS}`)
    .orderBy('day')
    .select({ day: db.raw('day::text') }, 'signUps', 'invited', 'members', 'joined')
    .select('backAfterOneDay', 'backAfterSevenDays', 'credits', 'mailsFailed')
    .select('activeSessions', 'creditLag', 'at')
}
