import { migrate } from '#db/migrations/migrate'
import { withClient } from '#db/postgres/connection/pool'
import type { Db } from '#db/postgres/statements/transaction'
import { INTERVAL_MS } from '#rules/constants'
import { databaseAt, ensureDatabase } from '#scripts/embedded/create-database'
import { advance } from '#scripts/testing/db/clock'
import { cpuSeconds, interleave } from '#trials/bench/measure'
import { assertCleanAudit, populate } from '#trials/bench/members'
import { type BenchTable, type Part, rowsOf } from '#trials/bench/result'
import { rateTable } from './rate.ts'
import { steadyTables } from './steady.ts'
import { sweepAll } from './sweep.ts'

export type PopulatedDatabase = { url: string; members: number; db: Db }

const SIZES = { rate: 200_000, cpu: [10_000, 100_000, 1_000_000] }
const QUICK_SIZES = { rate: 8_000, cpu: [1_000, 4_000, 16_000] }

/** Credits of one measurement, so that the clock ticks of /proc (10 ms) are below 1 % of it. */
const MIN_CREDITS = 60_000
const MAX_CREDITS = 250_000

async function copyDatabase(source: PopulatedDatabase, name: string): Promise<string> {
  // Postgres copies a database only while nobody is connected to it.
  await source.db.destroy()
  const original = new URL(source.url).pathname.slice(1)
  await withClient(databaseAt(source.url, 'postgres'), (client) =>
    client.query(`create database ${name} template ${original}`),
  )
  source.db.initialize()
  return databaseAt(source.url, name)
}

/** CPU time of one credit in µs: every process of Postgres, and the one that sweeps. */
async function cpuPerCredit({ db, members }: PopulatedDatabase, postmaster: number) {
  const share = Math.min(1, MAX_CREDITS / members)
  let credits = 0
  let seconds = 0
  while (credits < Math.min(MIN_CREDITS, members * 6)) {
    await advance(db, INTERVAL_MS * share)
    const [postgres, own] = [cpuSeconds(postmaster), process.cpuUsage()]
    credits += await sweepAll(db, 1)
    const { user, system } = process.cpuUsage(own)
    seconds += cpuSeconds(postmaster) - postgres + (user + system) / 1e6
  }
  return (seconds / credits) * 1e6
}

const labelOf = ({ members }: PopulatedDatabase) => `${members.toLocaleString('en')} sessions`

async function cpuTable(
  databases: PopulatedDatabase[],
  postmaster: number,
  rounds: number,
): Promise<BenchTable> {
  const shapes = Object.fromEntries(
    databases.map((database) => [labelOf(database), () => cpuPerCredit(database, postmaster)]),
  )
  const values = await interleave(shapes, { rounds })
  const [smallest, ...larger] = databases.map(labelOf)
  return {
    title: 'CPU time of a credit',
    unit: 'µs',
    rows: rowsOf(values),
    ratios: larger.map((of) => ({ of, to: smallest ?? of, goal: { atMost: 1.25 } })),
  }
}

export const measureCredits: Part = async (servers, options) => {
  const { rounds, quick, log } = options
  const sizes = quick ? QUICK_SIZES : SIZES
  const opened = (url: string, members: number): PopulatedDatabase => {
    return { url, members, db: servers.pool(2, url) }
  }
  const populated = async (name: string, members: number) => {
    log(`inserting ${members} sessions`)
    const url = await ensureDatabase(servers.databaseUrl, name)
    await migrate(url)
    const database = opened(url, members)
    await populate(database.db, members)
    return database
  }
  const product = await populated('rate', sizes.rate)
  const bare = opened(await copyDatabase(product, 'bare'), sizes.rate)
  const rate = await rateTable(product, bare, rounds)
  log('rate measured')
  const bySize: PopulatedDatabase[] = []
  for (const members of sizes.cpu) bySize.push(await populated(`members_${members}`, members))
  const cpu = await cpuTable(bySize, servers.pids.postgres, rounds)
  log('CPU time measured')
  const steady = await steadyTables(bySize.at(-1) ?? product, servers, options)
  for (const { db } of [product, ...bySize]) {
    // The audit of millions of new rows is planned by their statistics.
    await db.raw('analyze')
    await assertCleanAudit(db)
  }
  return {
    title: 'Credits',
    tables: [rate, cpu, ...steady],
    notes: [
      'Bare writes: the session, wallet and ledger rows of the same batches with constant amounts in an equal database, without due condition, earnings, USDT shares, counters, bounds or answer.',
      'CPU time: all processes of Postgres and the process that sweeps.',
      'Steady: one worker process from its bundle. At rest the clock is 10 minutes back, so all sessions run and none falls due.',
    ],
  }
}
