import { durationSql } from '#db/ledger/interval-sql'
import { REMINDER_LIFE_MS } from '#rules/members/reminders'

/**
 * The end of the life of a reminder, as SQL: a worker that comes back later does not write or send it.
 */
export const expirySql = (endedAt: string) => `${endedAt} + ${durationSql(REMINDER_LIFE_MS)}`

/**
 * Common table expression that queues a reminder for each channel of the members of `ended`, which has
 * the columns id, "userId" and "endTime". Whether it is still wanted is checked when it is sent.
 */
export const queueRemindersSql = (ended: string) => `
  reminded as (
    insert into reminders ("sessionId", "userId", "subscriptionId", "endedAt")
    select e.id, e."userId", channel."subscriptionId", e."endTime"
    from ${ended} e cross join lateral (
      select null::bigint as "subscriptionId" from reminder_preferences p
      where p."userId" = e."userId" and p.mail
      union all
      select s.id from push_subscriptions s where s."userId" = e."userId"
    ) channel
    where ${expirySql('e."endTime"')} > (select product_now())
    on conflict do nothing
  )`
