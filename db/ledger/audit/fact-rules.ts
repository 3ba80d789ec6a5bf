import { intervalEndSql } from '#db/ledger/credit-sql'
import { durationSql } from '#db/postgres/statements/times'
import { bucketSql } from '#rules/buckets'
import { INTERVAL_MS, SESSION_MS } from '#rules/constants'
import { ledgerIdLike, ledgerIdRegex, ledgerIdSql } from '#rules/money/ledger-id'
import { MILESTONES } from '#rules/money/milestones'
import type { Partition } from './audit-step.ts'

const TASK = { memberId: 't."userId"', taskId: 't."taskId"' }
const TASK_ID = ledgerIdSql('task', TASK)
const DAILY_TASK_ID = ledgerIdSql('dailyTask', { ...TASK, day: 't.day' })
const MILESTONE_ID = ledgerIdSql('milestone', {
  memberId: 'm."userId"',
  members: 'm.milestone',
  token: 'r.token',
})
/** The share of a milestone's reward that it pays in TESP and in USDT; never changes. */
const MILESTONE_SHARES = MILESTONES.map(
  ({ members, usdtRate }) => `(${members}, 'TESP', 1), (${members}, 'USDT', ${usdtRate})`,
)
/** What the ids of a session's credits have in common: `credit:71:`. */
const SESSION_FACT = ledgerIdSql('credit', { sessionId: 's.id', n: "''" })
/** The same of any session; at most 18 digits, so that the number does not overflow. */
const FACT_REGEX = '^credit:[1-9][0-9]{0,17}:$'
/** What a credit's id ends with: the number of its interval, without leading zeros. */
const DIGITS = "'0123456789'"
const IS_CREDIT = `id like '${ledgerIdLike('credit')}' and id not like '%:0%'`
const IS_RANGE = `(${IS_CREDIT} and strpos(id, '-') > 0 and id ~ '${ledgerIdRegex('creditRange')}')`

/**
 * A row for each session with credits in the partition (`credit:71:`), one for each other id. `start` is a credit's
 * time less its intervals: the start of its session if both are right; null for other ids. At most six digits, so
 * that no time overflows. The volatile `barrier` keeps Postgres from computing `fact` again wherever it is used.
 */
const singleFacts = (name: string) => `
  select fact, start, count(*) as rows, null::bigint as "rangeRows", null::int4multirange as ranges,
    min("createdAt") as "oldestSingle", max("createdAt") as "newestSingle",
    min("userId") as "userId", max("userId") as "otherUserId", max("createdAt") as newest,
    sum(amount) as amount, bool_or(usdt) as usdt, min(bucket) as bucket
  from (
    select fact, bucket, "userId", amount, usdt, "createdAt", "createdAt" - ${durationSql(INTERVAL_MS)}
      * nullif(left(substr(id, length(fact) + 1), 6), '')::integer as start
    from (
      select id, bucket, "userId", amount, "tokenType" = 'USDT' as usdt, "createdAt",
        clock_timestamp() as barrier,
        case when ${IS_CREDIT} then rtrim(id, ${DIGITS}) else id end as fact
      from ${name}
    ) a
  ) b group by 1, 2`

/** The same with rolled-up rows, at twice the cost a row: `rows` counts the intervals in `ranges` too. */
const rolledFacts = (name: string) => `
  select fact, "createdAt" - ${durationSql(INTERVAL_MS)} * last as start,
    count(*) + coalesce(sum(last - first) filter (where "isRange"), 0) as rows,
    sum(last - first + 1) filter (where "isRange") as "rangeRows",
    range_agg(int4range(first, last, '[]')) filter (where "isRange" and first <= last) as ranges,
    min("createdAt") filter (where not "isRange") as "oldestSingle",
    max("createdAt") filter (where not "isRange") as "newestSingle",
    min("userId") as "userId", max("userId") as "otherUserId", max("createdAt") as newest,
    sum(amount) as amount, bool_or(usdt) as usdt, min(bucket) as bucket
  from (
    select fact, bucket, "userId", amount, usdt, "createdAt", "isRange", clock_timestamp() as barrier,
      case when "isRange" then left(split_part(intervals, '-', 1), 6)::integer end as first,
      nullif(left(case when "isRange" then split_part(intervals, '-', 2) else intervals end, 6), '')
        ::integer as last
    from (
      select *, substr(id, length(fact) + 1) as intervals from (
        select id, bucket, "userId", amount, "tokenType" = 'USDT' as usdt, "createdAt",
          clock_timestamp() as barrier, ${IS_RANGE} as "isRange",
          case when ${IS_RANGE} then rtrim(id, ${DIGITS} || '-')
            when ${IS_CREDIT} and strpos(id, '-') = 0 then rtrim(id, ${DIGITS}) else id end as fact
        from ${name}
      ) a
    ) b
  ) c group by 1, 2`

const factsOf = ({ name, isRolledUp }: Partition) =>
  isRolledUp ? rolledFacts(name) : singleFacts(name)

/** The number of the interval that ends at a time, of a session that started at `start`. */
const numberOf = (time: string) =>
  `(extract(epoch from ${time} - start) * 1000 / ${INTERVAL_MS})::integer`

/** Reads each ledger row once: CTEs of `FACT_RULES`; `archivedCredits` are credits of sessions without a row. */
export const factTables = (partitions: Partition[]) => `
  facts as materialized (${partitions.map(factsOf).join(' union all ')}),
  credits as materialized (
    select fact, sum(rows) as rows, sum("rangeRows") as "rangeRows",
      range_agg(ranges) filter (where ranges is not null) as ranges,
      min(${numberOf('"oldestSingle"')}) as "firstSingle",
      max(${numberOf('"newestSingle"')}) as "lastSingle",
      min("userId") as "userId", max("otherUserId") as "otherUserId",
      min(start) as "firstStart", max(start) as "lastStart", max(newest) as newest
    from facts where start is not null group by 1),
  "archivedCredits" as materialized (
    select c.*, case when c.fact ~ '${FACT_REGEX}' then split_part(c.fact, ':', 2)::bigint end as session
    from credits c left join mining_sessions s on c.fact = ${SESSION_FACT} where s.id is null)`

/** Sessions of which two rolled-up rows pay the same interval. */
const RANGES_OVERLAP = `
  c."rangeRows" <> (select sum(upper(r) - lower(r)) from unnest(c.ranges) r)`

/** A rolled-up and a single row pay one interval. `case`: rows are read only if one could lie within a range. */
const RANGE_AND_ROW_OVERLAP = `
  case when c."firstSingle" is not null
    and c.ranges && int4range(c."firstSingle", c."lastSingle", '[]') then exists (
    select from wallet_activity a
    where a.bucket = ${bucketSql('c."userId"')} and a."userId" = c."userId"
      and starts_with(a.id, c.fact)
      and case when a.id ~ '${ledgerIdRegex('credit')}'
        then c.ranges @> left(substr(a.id, length(c.fact) + 1), 6)::integer end) end`

/** Credits of an archived session that have two starts, or pay an interval twice or after its end. */
const ARCHIVED_WRONG = `
  c."firstStart" <> c."lastStart" or c.newest > c."firstStart" + ${durationSql(SESSION_MS)}
    or ${RANGES_OVERLAP} or ${RANGE_AND_ROW_OVERLAP}`

/** Facts that single rows pay: tasks, milestones, corrections. Rows of deleted members stay in these tables. */
const SINGLE_FACTS = `
  select case when t.day = '' then ${TASK_ID} else ${DAILY_TASK_ID} end as id, t."userId",
    t."rewardAmount" as amount, false as usdt
  from completed_tasks t
  union all
  select ${MILESTONE_ID}, m."userId", m."rewardAmount" * r.share, r.token = 'USDT'
  from team_milestones m
  join (values ${MILESTONE_SHARES.join(', ')}) r(members, token, share) on r.members = m.milestone
  where m.achieved
  union all
  select details->>'ledgerRow', "userId", (details->>'amount')::numeric, details->>'token' = 'USDT'
  from operator_actions where details->>'ledgerRow' is not null`

/** The rule that compares sums over all buckets. */
export const COUNTERS_RULE = 'the network counters equal what they count'

/** What the counters say, and what they count. A rolled-up row counts as the rows that it stands for. */
export const COUNTED = `
    select c.*, r.*, l.* from
      (select sum("activeSessions") as sessions, sum("activeRate") as rate,
        sum("ledgerRows") as rows from network_counters) c,
      (select count(*) as "realSessions", coalesce(sum("hashRate"), 0) as "realRate"
        from mining_sessions where active) r,
      (select coalesce(sum(rows), 0) as "realRows" from facts) l`

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
      where bucket in (${bucketSql('c."userId"')}, ${bucketSql('c."otherUserId"')})
        and "userId" in (c."userId", c."otherUserId") and starts_with(id, c.fact)
      group by id having count(*) > 1
    ) a
    where c."firstStart" <> c."lastStart"`,
  // As many paid intervals as credited ones, all different, none later than the last one: exactly
  // these, and no gap where rolled-up rows and single rows meet.
  'each credited interval has exactly its row': `
    select s.id, s."creditedIntervals", coalesce(c.rows, 0) as rows, s."startTime",
      c."firstStart", c."lastStart", c.newest
    from mining_sessions s left join credits c on c.fact = ${SESSION_FACT}
    where s."creditedIntervals" <> coalesce(c.rows, 0)
      or s."startTime" <> c."firstStart" or s."startTime" <> c."lastStart"
      or c.newest > ${intervalEndSql('s', 's."creditedIntervals"')}
      or ${RANGES_OVERLAP} or ${RANGE_AND_ROW_OVERLAP}`,
  // Of archived sessions (decision 41) as many as their members' totals count.
  'archived sessions count exactly the credits of the ledger': `
    select f."userId", f."creditedIntervals", coalesce(c.rows, 0) as rows, null as fact
    from folded_sessions f left join (
      select "userId", sum(rows) as rows from "archivedCredits" group by 1) c using ("userId")
    where f."creditedIntervals" <> coalesce(c.rows, 0)
    union all
    select c."userId", null, c.rows, c.fact from "archivedCredits" c where ${ARCHIVED_WRONG}`,
  'a credit row belongs to a session of its member': `
    select c.fact, c."userId", c."otherUserId" from credits c
    join mining_sessions s on ${SESSION_FACT} = c.fact
    where s."userId" <> c."userId" or s."userId" <> c."otherUserId"
    union all
    select c.fact, c."userId", c."otherUserId" from "archivedCredits" c
    left join folded_sessions f on f."userId" = c."userId" and c.session <= f."lastId"
    where f."userId" is null or c."userId" <> c."otherUserId"
    union all
    select fact, "userId", "otherUserId" from facts
    where start is null and fact like '${ledgerIdLike('credit')}'`,
  'tasks, milestones and corrections pay exactly their ledger rows': `
    select coalesce(p.fact, f.id) as id, p."userId", p.amount, p.usdt, f."userId" as "userIdOfFact",
      f.amount as "amountOfFact", f.usdt as "usdtOfFact"
    from (
      select * from facts where start is null and fact not like '${ledgerIdLike('credit')}'
        and fact not like '${ledgerIdLike('claim')}'
    ) p full join (${SINGLE_FACTS}) f
      on f.id = p.fact and f."userId" = p."userId" and f.amount = p.amount and f.usdt = p.usdt
    where p.fact is null or f.id is null`,
  'each paid fact is stored in the bucket of its ledger row': `
    select coalesce(f.fact, p.id) as fact, f.bucket, p.bucket as "bucketOfFact"
    from (
      select * from facts where start is null and fact not like '${ledgerIdLike('credit')}'
    ) f full join ledger_facts p on p.id = f.fact
    where p.bucket is distinct from f.bucket`,
  [COUNTERS_RULE]: `
    ${COUNTED} where c.sessions <> r."realSessions" or c.rate <> r."realRate" or c.rows <> l."realRows"`,
}
