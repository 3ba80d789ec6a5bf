import { mkdtempSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import type { Knex } from 'knex'
import { creditIntervals } from '#db/ledger/ledger'
import { connect } from '#db/postgres/connect'
import { migrate } from '#db/postgres/migrate'
import { SHARDS } from '#rules/constants'
import { removeDataDir } from '#scripts/embedded/postgres-home'
import { startEmbedded } from '#scripts/embedded/servers'
import { makeDue, populate } from '#workers/bench/population'
import { slotsToSweep } from '#workers/jobs/sweep-slots'

/**
 * Credits per second of the sweep statement on a durable Postgres (fsync on) with one and with two
 * concurrent sweeps, compared with the same rows written without any rule. The shapes are
 * interleaved; medians of all rounds.
 *
 *   node --import tsx workers/bench/credits.bench.ts [members] [rounds]
 */
const members = Number(process.argv[2] ?? 200_000)
const rounds = Number(process.argv[3] ?? 5)

async function sweepAll(db: Knex, connections: number): Promise<number> {
  const work = Array.from({ length: SHARDS }, (_, shard) => shard).flatMap((shard) =>
    slotsToSweep(undefined, 0, 0).map((range) => ({ shard, ...range })),
  )
  let credits = 0
  const worker = async () => {
    for (let scope = work.shift(); scope; scope = work.shift()) {
      const credited = await creditIntervals(db, scope)
      credits += credited.length
    }
  }
  await Promise.all(Array.from({ length: connections }, worker))
  return credits
}

/** Baseline: the rows that a credit writes, with constant amounts. */
async function bareWrites(db: Knex, connections: number): Promise<number> {
  const size = 1_000
  const batches = Array.from({ length: Math.ceil(members / size) }, (_, n) => n * size)
  const worker = async () => {
    for (let first = batches.shift(); first !== undefined; first = batches.shift()) {
      await db.raw(
        `with s as (update mining_sessions set "creditedIntervals" = 1, reward = 0.03333333
           where "userId" > :first and "userId" <= :last returning id, "userId"),
         w as (update wallets set balance = balance + 0.03333333 where "userId" > :first
           and "userId" <= :last returning id, "userId", balance)
         insert into wallet_activity (id, "userId", "walletId", type, amount, "tokenType",
           description, "createdAt", "balanceAfter")
         select 'bare:' || s.id, w."userId", w.id, 'mining_reward', 0.03333333, 'TESP', '', now(),
           w.balance from s join w on w."userId" = s."userId"`,
        { first, last: first + size },
      )
    }
  }
  await Promise.all(Array.from({ length: connections }, worker))
  return members
}

const median = (values: number[]) => values.toSorted((a, b) => a - b)[values.length >> 1] ?? 0
const dataDir = mkdtempSync(path.join(tmpdir(), 'tesp-bench-'))
const wanted = { postgres: true, valkey: false }
const servers = await startEmbedded({ dataDir, durable: true, wanted })
await migrate(servers.databaseUrl)
const db = connect(servers.databaseUrl, { max: 4, statementTimeoutMs: 0 })
try {
  await populate(db, members)
  const shapes: Record<string, () => Promise<number>> = {
    'sweep, one connection': () => sweepAll(db, 1),
    'sweep, two connections': () => sweepAll(db, 2),
    'bare writes, two connections': () => bareWrites(db, 2),
  }
  const rates: Record<string, number[]> = {}
  for (let round = 0; round < rounds; round++) {
    for (const [name, run] of Object.entries(shapes)) {
      await makeDue(db)
      const start = performance.now()
      const credits = await run()
      if (credits !== members)
        throw new Error(`${name} made ${credits} credits, expected ${members}`)
      rates[name] = [...(rates[name] ?? []), credits / ((performance.now() - start) / 1000)]
    }
  }
  const table = Object.entries(rates).map(([shape, values]) => ({
    shape,
    'credits/s, median': Math.round(median(values)),
    min: Math.round(Math.min(...values)),
    max: Math.round(Math.max(...values)),
  }))
  console.log(`${members} members, ${rounds} rounds, fsync on`)
  console.table(table)
} finally {
  await db.destroy()
  await servers.stop()
  removeDataDir(dataDir)
}
process.exit(0)
