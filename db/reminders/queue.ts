import { durationSql } from '#db/ledger/credit-sql'
import { prepared } from '#db/postgres/statements/prepared'
import type { Tx } from '#db/postgres/statements/transaction'
import { REMINDER_LIFE_MS } from '#rules/members/reminders'

/**
 * The end of the life of a reminder, as SQL: a worker that comes back later does not write or send it.
 */
export const expirySql = (endedAt: string) => `${endedAt} + ${durationSql(REMINDER_LIFE_MS)}`

/** Sessions that have ended, one at each index; `endTimes` in product time, as Postgres writes them to JSON. */
export type Ended = { ids: number[]; userIds: number[]; endTimes: string[] }

const QUEUE_SQL = `
  insert into reminders ("sessionId", "userId", "subscriptionId", "endedAt")
  select e.id, e."userId", channel."subscriptionId", e."endTime"
  from unnest(:ids::bigint[], :userIds::integer[], :endTimes::timestamptz[]) as e(id, "userId", "endTime")
  cross join lateral (
    select null::bigint as "subscriptionId" from reminder_preferences p
    where p."userId" = e."userId" and p.mail
    union all
    select s.id from push_subscriptions s where s."userId" = e."userId"
  ) channel
  where ${expirySql('e."endTime"')} > (select product_now())
  on conflict do nothing`

/**
 * Queues a reminder for each channel of the members of sessions that the transaction has ended. Whether it
 * is still wanted is checked when it is sent.
 */
export async function queueReminders(tx: Tx, ended: Ended): Promise<void> {
  if (ended.ids.length > 0) await prepared(tx, 'queue-reminders', QUEUE_SQL, ended)
}
