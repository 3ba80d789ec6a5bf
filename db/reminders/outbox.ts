import { prepared } from '#db/postgres/statements/prepared'
import { durationSql } from '#db/postgres/statements/times'
import type { Db, Tx } from '#db/postgres/statements/transaction'
import { bucketOf } from '#rules/buckets'
import type { Announcement } from '#rules/inbox'
import { DEFAULT_LANGUAGE, isLanguage, type Language } from '#rules/members/languages'
import { FIRST_PUSH_KINDS, type PushKind, REMINDER_LIFE_MS } from '#rules/members/reminders'

/** When a reminder expires: a worker that comes back later does not write or send it. */
const expirySql = (endedAt: string) => `${endedAt} + ${durationSql(REMINDER_LIFE_MS)}`

/** Sessions that have ended, one at each index; `endTimes` in product time, as Postgres writes them to JSON. */
export type Ended = { ids: number[]; userIds: number[]; endTimes: string[] }

const CHOSEN_SQL = `coalesce(p."pushKinds", '{${FIRST_PUSH_KINDS}}')`

const QUEUE_SQL = `
  insert into reminders ("sessionId", "userId", "subscriptionId", "endedAt")
  select e.id, e."userId", channel."subscriptionId", e."endTime"
  from unnest(:ids::bigint[], :userIds::integer[], :endTimes::timestamptz[]) as e(id, "userId", "endTime")
  cross join lateral (
    select null::bigint as "subscriptionId" from reminder_preferences p
    where p."userId" = e."userId" and p.mail
    union all
    select s.id from push_subscriptions s left join reminder_preferences p using ("userId")
    where s."userId" = e."userId" and 'session' = any(${CHOSEN_SQL})
  ) channel
  where ${expirySql('e."endTime"')} > (select product_now())
  on conflict do nothing`

/** Queues a reminder for each channel of the members; whether it is still wanted is checked when it is sent. */
export async function queueReminders(tx: Tx, ended: Ended): Promise<void> {
  if (ended.ids.length > 0) await prepared(tx, 'queue-reminders', QUEUE_SQL, ended)
}

/** How a reminder ended. */
export type Outcome =
  | 'sent'
  /** The push service rejected it for good. */
  | 'failed'
  /** Its device no longer exists. */
  | 'removed'
  | 'expired'
  /** The member has switched it off meanwhile or is frozen, or the address refuses mails. */
  | 'unwanted'
  | 'mining'

/** A reminder that this process sends now, with what decides about it. */
export type ClaimedReminder = {
  id: number
  /** The session that has ended; null for a notice. */
  sessionId: number | null
  userId: number
  /** `session-ended`, of the inbox, or `announcement`. */
  kind: string
  /** Of an announcement that has not ended. */
  announcement: Pick<Announcement, 'kind' | 'texts'> | null
  /** The device of a push; null for a mail. */
  subscriptionId: number | null
  /** Tries including this one. */
  attempts: number
  /** Endpoint and keys, encrypted; null if the device was removed. */
  sealed: Buffer | null
  wantsMail: boolean
  /** Whether the inviter may remind the member; `inviter` is null if the inviter has left. */
  wantsTeam: boolean
  inviter: string | null
  pushKinds: PushKind[]
  /** Of the device or of the mails. */
  language: Language
  isFrozen: boolean
  isMining: boolean
  /** Real time until the reminder expires, ms. */
  leftMs: number
}

/** Announcements last: they go to all members at once. */
const CLAIM_SQL = `
  with personal as (
    select id from reminders
    where "settledAt" is null and "nextTryAt" <= now() and kind <> 'announcement'
    order by "nextTryAt" limit :limit for update skip locked
  ), announced as (
    select id from reminders
    where "settledAt" is null and "nextTryAt" <= now() and kind = 'announcement'
    order by "nextTryAt" limit :limit - (select count(*) from personal) for update skip locked
  )
  update reminders set attempts = attempts + 1,
    "nextTryAt" = now() + :leaseMs * interval '1 millisecond'
  where id = any(array(select id from personal union all select id from announced)) returning id`

/** A notice lives in real time, that of an announcement at most as long as what it announces. */
const NOTICE_EXPIRY_SQL = `case when r.kind = 'announcement' and a.id is null then r."createdAt"
  else least(a.until, r."createdAt" + ${durationSql(REMINDER_LIFE_MS)}) end`

/** What decides about reminders, except whether members mine: on Citus the nodes know that. */
const FACTS_SQL = `
  select r.id, r."sessionId", r."userId", r."subscriptionId", r.attempts, r.kind, s.sealed,
    coalesce(p.mail, false) as "wantsMail", i.username as inviter,
    coalesce(p.team and p."inviterBlockedAt" is null, false) as "wantsTeam",
    ${CHOSEN_SQL} as "pushKinds",
    coalesce(s.language, u.language, p.language) as language,
    u."frozenAt" is not null as "isFrozen",
    case when a.id is not null then json_build_object('kind', a.kind, 'texts', a.texts) end as announcement,
    1000 * (case when r."sessionId" is not null
      then extract(epoch from ${expirySql('r."endedAt"')} - clock.now) / clock.speed
      else extract(epoch from ${NOTICE_EXPIRY_SQL} - now()) end)::float8 as "leftMs"
  from reminders r
  join users u on u.id = r."userId"
  left join users i on i.id = u."referredBy" and i."deletedAt" is null
  left join reminder_preferences p on p."userId" = r."userId"
  left join push_subscriptions s on s.id = r."subscriptionId" and s."userId" = r."userId"
  left join announcements a on r.kind = 'announcement' and a.id::text = r.fact and a.until > now()
  cross join (select product_now() as now, speed from product_clock) clock
  where r.id = any(:ids::bigint[])
  order by r.id`

async function miningAmong(db: Db, members: Set<number>): Promise<Set<number>> {
  const memberIds = [...members]
  const mining: number[] = await db('mining_sessions')
    .whereIn('bucket', memberIds.map(bucketOf))
    .whereIn('userId', memberIds)
    .where({ active: true })
    .pluck('userId')
  return new Set(mining)
}

/** Claims due reminders for `leaseMs`: no other process sends them, and if this one dies, they are due again. */
export async function claimReminders(
  db: Db,
  { limit, leaseMs }: { limit: number; leaseMs: number },
): Promise<ClaimedReminder[]> {
  const claimed: { id: number }[] = (await db.raw(CLAIM_SQL, { limit, leaseMs })).rows
  if (claimed.length === 0) return []
  const ids = claimed.map(({ id }) => id)
  const rows: Omit<ClaimedReminder, 'isMining'>[] = (await db.raw(FACTS_SQL, { ids })).rows
  const mining = await miningAmong(db, new Set(rows.map(({ userId }) => userId)))
  return rows.map((row) => ({
    ...row,
    isMining: mining.has(row.userId),
    // A newer version may have stored another language; a removed device has none.
    language: isLanguage(row.language) ? row.language : DEFAULT_LANGUAGE,
    // A stopped clock of a test would make it infinite.
    leftMs: Math.min(row.leftMs, REMINDER_LIFE_MS),
  }))
}

/** Records how a reminder ended; false if it has ended before, or its member was deleted. */
export async function settleReminder(
  db: Db,
  id: number,
  outcome: Outcome,
  error: string | null = null,
): Promise<boolean> {
  const settled = await db('reminders')
    .where({ id, settledAt: null })
    .update({ settledAt: db.fn.now(), outcome, lastError: error?.slice(0, 500) ?? null })
  return settled === 1
}

/** Makes a reminder due again in `delayMs`. */
export async function postponeReminder(
  db: Db,
  id: number,
  delayMs: number,
  error: string,
): Promise<void> {
  await db('reminders')
    .where({ id, settledAt: null })
    .update({
      nextTryAt: db.raw(`now() + ? * interval '1 millisecond'`, [Math.round(delayMs)]),
      lastError: error.slice(0, 500),
    })
}

/** Number of reminders that wait to be sent, for operators. */
export async function countWaitingReminders(db: Db): Promise<number> {
  const [row] = await db('reminders').whereNull('settledAt').count({ count: '*' })
  return Number(row?.count ?? 0)
}
