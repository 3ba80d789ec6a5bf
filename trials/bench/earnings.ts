import type { Db } from '#db/postgres/statements/transaction'
import { readEarnings } from '#db/wallet/earnings'
import { bucketSql } from '#rules/buckets'
import { DAY_MS, EARNINGS_DAYS, MINED_DAYS } from '#rules/constants'
import { cpuSeconds, timeReads } from './measure.ts'
import { populate } from './members.ts'
import { type BenchOptions, type PartResult, rowsOf } from './result.ts'
import { benchServers } from './servers.ts'

const MEMBERS = 1_000
/** Daily partitions of the ledger, those ahead of today among them. */
const PARTITIONS = 365
const READS = 500
/** Days before today whose credits are single, as `LEDGER_DETAIL_DAYS` keeps them. */
const SINGLE_DAYS = 7

/** Creates earlier days of the ledger until there are so many; returns how many days lie before today. */
async function addPartitions(db: Db): Promise<number> {
  const { rows } = await db.raw(
    `select count(*)::integer as count, min(substring(c.relname from '\\d{8}$'))::date::text as first
     from pg_inherits i join pg_class c on c.oid = i.inhrelid
     where i.inhparent = 'wallet_activity'::regclass and c.relname ~ '\\d{8}$'`,
  )
  const { count, first } = rows[0]
  for (let back = 1; back <= PARTITIONS - count; back++) {
    const day = (shift: number) =>
      new Date(Date.parse(first) + shift * DAY_MS).toISOString().slice(0, 10)
    const [from, to] = [day(-back), day(1 - back)]
    await db.raw(
      `create table ?? partition of wallet_activity for values from ('${from} 00:00Z') to ('${to} 00:00Z')`,
      [`wallet_activity_${from.replaceAll('-', '')}`],
    )
  }
  const { rows: days } = await db.raw(
    `select (product_now() at time zone 'UTC')::date - (?::date - ?::integer) as before`,
    [first, PARTITIONS - count],
  )
  return days[0].before
}

/**
 * Members who have mined all day since the first partition: single credits of the last days, two rolled-up
 * runs on each day before, and a claim of USDT a week.
 */
async function writeLedger(db: Db, days: number): Promise<void> {
  const insert = (id: string, token: string, at: string, from: string) =>
    db.raw(
      `insert into wallet_activity (bucket, id, "userId", "walletId", type, amount, "tokenType",
         description, "createdAt", "balanceAfter")
       select ${bucketSql('u.id')}, ${id}, u.id, u.id, '${token === 'TESP' ? 'mining_reward' : 'usdt_reward'}',
         2.64, '${token}', '', date_trunc('day', product_now(), 'UTC') - d * interval '1 day' + ${at}, 1000
       from users u, ${from}`,
    )
  await insert(
    `'credit:' || u.id * 1000 + d || ':' || n`,
    'TESP',
    `n * interval '20 minutes' - interval '1 minute'`,
    `generate_series(1, ${SINGLE_DAYS}) d, generate_series(1, 72) n`,
  )
  await insert(
    `'credit:' || u.id * 1000 + d || ':' || half * 36 + 1 || '-' || half * 36 + 36`,
    'TESP',
    `(half + 1) * interval '12 hours' - interval '1 minute'`,
    `generate_series(${SINGLE_DAYS + 1}, ${days}) d, generate_series(0, 1) half`,
  )
  await insert(
    `'claim:' || u.id || '.' || d || ':USDT'`,
    'USDT',
    `interval '9 hours'`,
    `generate_series(1, ${days}, 7) d`,
  )
  await db.raw('vacuum analyze wallet_activity')
}

/** How long the earnings of a member take with the daily partitions of a year. */
export async function measureEarnings({ rounds, quick, log }: BenchOptions): Promise<PartResult> {
  const members = quick ? 20 : MEMBERS
  const servers = await benchServers()
  const measured: Record<string, number[]> = {}
  const add = (label: string, value: number) => {
    measured[label] = [...(measured[label] ?? []), value]
  }
  let rowCount = 0
  try {
    const db = servers.pool(1)
    const ids = await populate(db, members)
    await writeLedger(db, await addPartitions(db))
    rowCount = Number((await db.raw('select count(*) from wallet_activity')).rows[0].count)
    log(`${rowCount} ledger rows are written`)
    const memberOf = (nth: number) => ids[(nth * 7919) % ids.length] ?? 1
    for (let round = 0; round < rounds; round++) {
      // A new connection plans the statement once.
      const fresh = servers.pool(1)
      await fresh.raw('select 1')
      const from = performance.now()
      await readEarnings(fresh, memberOf(round), EARNINGS_DAYS)
      add(`first read of a connection, ${EARNINGS_DAYS} days`, performance.now() - from)
      for (const days of [EARNINGS_DAYS, MINED_DAYS]) {
        const before = cpuSeconds(servers.pids.postgres)
        const { p50, p99 } = await timeReads(READS, (nth) =>
          readEarnings(fresh, memberOf(nth), days),
        )
        const cpuMs = ((cpuSeconds(servers.pids.postgres) - before) / READS) * 1_000
        add(`${days} days, CPU of Postgres`, cpuMs)
        add(`${days} days, p50`, p50)
        add(`${days} days, p99`, p99)
      }
      log(`round ${round + 1}`)
    }
  } finally {
    await servers.stop()
  }
  const rows = rowsOf(measured, (label) =>
    label === `${EARNINGS_DAYS} days, p50` ? { atMost: 5 } : undefined,
  )
  return {
    title: 'Earnings',
    tables: [{ title: `Reads, ${PARTITIONS} partitions`, unit: 'ms', higherIsBetter: false, rows }],
    notes: [
      `${READS} reads one after the other through \`readEarnings\`, each for another of ${members} members, from one process on the machine of the servers.`,
      `${rowCount} ledger rows: 72 single credits a day of the last ${SINGLE_DAYS} days, two rolled-up rows on each day before, and a claim of USDT a week.`,
    ],
  }
}
