import { productNow } from '#db/postgres/connection/product-clock'
import { partitionName } from '#db/postgres/schema/partitions'
import type { Db } from '#db/postgres/statements/transaction'
import { bucketSql } from '#rules/buckets'
import { DAY_MS } from '#rules/constants'

const DAYS = 368
/** Sessions of a member in the year, one each 26 days. */
const SESSIONS = 14
/** Connections that fill days side by side. */
const LANES = 2

/**
 * Members of teams of eleven, and their sessions: most run for 24 hours, each fifth is stopped after
 * 40 credits and leaves 0.02 TESP to claim. `plan` says what each session adds to which balance.
 */
const MEMBERS_SQL = `
  insert into users (id, username, "usernameKey", email, "emailKey", password, "referredBy",
      "referralCode", "teamSize", "miningBoost")
    select n, 'm' || n, 'm' || n, 'm' || n || '@x', 'm' || n || '@x', '-',
      case when n % 11 <> 1 then n - (n - 1) % 11 end,
      case when n % 11 = 1 then 'TESP' || n end,
      case when n % 11 = 1 then team else 0 end, case when n % 11 = 1 then 0.05 * team else 0 end
    from (select n, least(10, :members - n) as team from generate_series(1, :members) n) m;
  insert into wallets (bucket, "userId") select ${bucketSql('id')}, id from users order by id;
  insert into mining_stats (bucket, "userId") select ${bucketSql('id')}, id from users order by id;
  insert into referral_rewards ("userId", "referredUserId", "rewardPercentage")
    select "referredBy", id, 5 from users where "referredBy" is not null;
  create table plan as
    select *, (0.5 * k)::numeric(20, 8) as "usdtBefore",
      (2 + coalesce(sum(0.04 * credits + rest) over earlier, 0))::numeric(20, 8) as "tespBefore"
    from (
      select m, k, case when short then 40 else 72 end as credits,
        case when short then 0.02 else 0 end::numeric(20, 8) as rest,
        :first::timestamptz + (k * 26 + m * 7 % 26) * interval '1 day'
          + (m::bigint * 7919000 % 86400000) * interval '1 ms' as start
      from (select m, k, (m + k) % 5 = 0 as short
        from generate_series(1, :members) m, generate_series(0, ${SESSIONS - 1}) k) each
    ) s window earlier as
      (partition by m order by k rows between unbounded preceding and 1 preceding);
  insert into mining_sessions (bucket, "userId", "startTime", "endTime", active, status, "hashRate",
      "creditSlot", "rateSince", "creditedIntervals", reward, "usdtReward", "rewardClaimed")
    select ${bucketSql('m')}, m, start, start + credits * interval '20 min', false,
      case when rest > 0 then 'stopped' else 'completed' end, 0.12,
      mod(floor(extract(epoch from start))::bigint, 1200), start, credits, 0.04 * credits + rest,
      0.5, true
    from plan order by start;
  alter table plan add session bigint, add wallet integer;
  analyze plan, mining_sessions, wallets;
  update plan set session = s.id, wallet = w.id from mining_sessions s, wallets w
    where s."userId" = m and s."startTime" = start and w."userId" = m;
  create index on plan (start);
  analyze`

/** The rows of the sessions that start on a day, in the order in which they are posted. */
const DAY_SQL = `
  insert into wallet_activity
    (bucket, id, "userId", "walletId", type, amount, "tokenType", description, "createdAt",
      "balanceAfter")
  select ${bucketSql('m')}, * from (
    select 'task:' || m || ':join_telegram', m, wallet, 'other', 2, 'TESP',
      'Task reward: Join Telegram', start - interval '1 hour' as at, 2
    from day where k = 0
    union all
    select 'credit:' || session || ':' || n, m, wallet, 'mining_reward', 0.04, 'TESP',
      'Automatic mining credit', start + n * interval '20 min', "tespBefore" + 0.04 * n
    from day, generate_series(1, credits) n
    union all
    select 'claim:' || m || '.' || k + 1 || ':TESP', m, wallet, 'mining_reward', rest, 'TESP',
      'Claimed mining rewards', start + interval '25 hours', "tespBefore" + 0.04 * credits + rest
    from day where rest > 0
    union all
    select 'claim:' || m || '.' || k + 1 || ':USDT', m, wallet, 'usdt_reward', 0.5, 'USDT',
      'Claimed USDT rewards', start + interval '25 hours', "usdtBefore" + 0.5
    from day
  ) r order by at`

const REST_SQL = `
  insert into ledger_facts (bucket, id, "createdAt")
    select bucket, id, "createdAt" from wallet_activity where id not like 'credit:%';
  insert into completed_tasks (bucket, "userId", "taskId", "rewardAmount")
    select ${bucketSql('id')}, id, 'join_telegram', 2 from users;
  update wallets set balance = 2 + tesp, "usdtBalance" = usdt from (
    select m, sum(0.04 * credits + rest) as tesp, 0.5 * count(*) as usdt from plan group by 1) p
    where m = "userId";
  update mining_stats set "totalMined" = tesp, claims = ${SESSIONS} from (
    select m, sum(0.04 * credits + rest) as tesp from plan group by 1) p where m = "userId";
  update network_counters set "ledgerRows" = (select count(*) from wallet_activity)
    where bucket = 0 and lane = 0;
  drop table plan`

/**
 * Fills an empty database with a year of history: about 936 ledger rows a member in daily
 * partitions, of which the audit finds every rule kept.
 * @returns the number of ledger rows
 */
export async function yearOfLedger(db: Db, members: number): Promise<number> {
  const first = (Math.floor((await productNow(db)) / DAY_MS) - DAYS + 2) * DAY_MS
  const iso = (day: number) => new Date(first + day * DAY_MS).toISOString()
  await runAll(db, MEMBERS_SQL, { members, first: iso(0) })
  for (let day = -1; day < DAYS; day++) {
    await db.raw(
      `create table if not exists ?? partition of wallet_activity
         for values from ('${iso(day)}') to ('${iso(day + 1)}')`,
      [partitionName(first + day * DAY_MS)],
    )
  }
  const indexes = await dropIndexes(db)
  await Promise.all(Array.from({ length: LANES }, (_, lane) => fillDays(db, iso, lane)))
  // Sorting the rows of a partition once takes less time than keeping its indexes at each row.
  await Promise.all(indexes.map((definition) => db.raw(definition)))
  await runAll(db, REST_SQL, {})
  await db.raw('vacuum analyze')
  const { rows } = await db.raw('select count(*) as count from wallet_activity')
  return rows[0].count
}

/** @returns the statements that create the indexes of the ledger again, on all partitions */
async function dropIndexes(db: Db): Promise<string[]> {
  const { rows } = await db.raw<{ rows: { indexname: string; indexdef: string }[] }>(
    `select indexname, indexdef from pg_indexes where tablename = 'wallet_activity'`,
  )
  for (const { indexname } of rows) await db.raw('drop index ??', [indexname])
  return rows.map(({ indexdef }) => indexdef.replace(' ON ONLY ', ' ON '))
}

/** Fills each second day. A member's sessions are an even number of days apart, so they stay in order. */
async function fillDays(db: Db, iso: (day: number) => string, lane: number): Promise<void> {
  const from = `with day as (select * from plan where start >= :from and start < :to)`
  for (let day = lane; day < DAYS; day += LANES) {
    await db.raw(`${from} ${DAY_SQL}`, { from: iso(day), to: iso(day + 1) })
  }
}

/** Statements with values have to be sent one by one. */
async function runAll(db: Db, sql: string, values: Record<string, number | string>): Promise<void> {
  for (const statement of sql.split(';')) await db.raw(statement, values)
}
