import { durationSql, intervalEndSql } from '#db/ledger/interval-sql'
import { INTERVAL_MS } from '#rules/constants'
import { ledgerIdLike, ledgerIdSql } from '#rules/ledger-id'
import { partitionLegs } from './partition-legs.ts'

const TASK = { memberId: 't."userId"', taskId: 't."taskId"' }
const TASK_ID = ledgerIdSql('task', TASK)
const DAILY_TASK_ID = ledgerIdSql('dailyTask', { ...TASK, day: 't.day' })
const MILESTONE_TESP_ID = ledgerIdSql('milestone', {
  memberId: 'm."userId"',
  members: 'm.milestone',
  token: "'TESP'",
})
/** What the ids of a session's credits have in common: `credit:71:`. */
const SESSION_FACT = ledgerIdSql('credit', { sessionId: 's.id', n: "''" })
/** What a credit's id ends with: the number of its interval, without leading zeros. */
const DIGITS = "'0123456789'"
const IS_CREDIT = `id like '${ledgerIdLike('credit')}' and id not like '%:0%'`

/**
 * The facts of one partition: one row for each session with credits there (`credit:71:`), one for
 * each other id. A credit's `start` is its time less its intervals: the start of its session, if
 * both are right; it is null for everything else. At most six digits, so that no time overflows.
 * The volatile column keeps Postgres from computing `fact` again wherever it is used.
 */
const factsOf = (partition: string) => `
  select fact, start, count(*) as rows, min("userId") as "userId",
    max("userId") as "otherUserId", max("createdAt") as newest, sum(amount) as amount
  from (
    select fact, "userId", amount, "createdAt", "createdAt" - ${durationSql(INTERVAL_MS)}
      * nullif(left(substr(id, length(fact) + 1), 6), '')::integer as start
    from (
      select id, "userId", amount, "createdAt", clock_timestamp() as barrier,
        case when ${IS_CREDIT} then rtrim(id, ${DIGITS}) else id end as fact
      from ${partition}
    ) a
  ) b group by 1, 2`

/** Reads each ledger row once: the tables `facts` and `credits` of `FACT_RULES`. */
export const factTables = (partitions: string[]) => `
  facts as materialized (${partitionLegs(partitions, factsOf)}),
  credits as materialized (
    select fact, sum(rows) as rows, min("userId") as "userId", max("otherUserId") as "otherUserId",
      min(start) as "firstStart", max(start) as "lastStart", max(newest) as newest
    from facts where start is not null group by 1)`

/** Rules about what ledger rows pay for. */
export const FACT_RULES: Record<string, string> = {
  // (id, createdAt) is unique, so a credit that is paid twice has two times: two starts.
  'a ledger id is paid once': `
    select fact as id, sum(rows) as count from facts where start is null
    group by 1 having sum(rows) > 1
    union all
    select a.id, a.count from credits c
    cross join lateral (
      select id, count(*) from wallet_activity
      where "userId" in (c."userId", c."otherUserId") and starts_with(id, c.fact)
      group by id having count(*) > 1
    ) a
    where c."firstStart" <> c."lastStart"`,
  // As many rows as intervals, all different, none later than the last one: exactly these.
  'each credited interval has exactly its row': `
    select s.id, s."creditedIntervals", coalesce(c.rows, 0) as rows, s."startTime",
      c."firstStart", c."lastStart", c.newest
    from mining_sessions s left join credits c on c.fact = ${SESSION_FACT}
    where s."creditedIntervals" <> coalesce(c.rows, 0)
      or s."startTime" <> c."firstStart" or s."startTime" <> c."lastStart"
      or c.newest > ${intervalEndSql('s', 's."creditedIntervals"')}`,
  'a credit row belongs to a session of its member': `
    select c.fact, c."userId", c."otherUserId" from credits c
    left join mining_sessions s on ${SESSION_FACT} = c.fact
    where s.id is null or s."userId" <> c."userId" or s."userId" <> c."otherUserId"
    union all
    select fact, "userId", "otherUserId" from facts
    where start is null and fact like '${ledgerIdLike('credit')}'`,
  'a task and a milestone pay once': `
    select t.id, t."userId", t."taskId" from completed_tasks t
    left join facts f on f."userId" = t."userId" and f.amount = t."rewardAmount"
      and f.fact = case when t.day = '' then ${TASK_ID} else ${DAILY_TASK_ID} end
    where f.fact is null
    union all
    select m.id, m."userId", m.milestone::text from team_milestones m
    left join facts f on f.amount = m."rewardAmount" and f.fact = ${MILESTONE_TESP_ID}
    where m.achieved and f.fact is null`,
}
