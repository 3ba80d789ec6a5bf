import { buildRoles } from '#scripts/build/build-roles'
import { cpuTable } from '#trials/bench/credits/cpu'
import {
  copiedDatabase,
  type PopulatedDatabase,
  populatedDatabase,
} from '#trials/bench/credits/databases'
import { rateTable } from '#trials/bench/credits/rate'
import { steadyTables } from '#trials/bench/credits/steady'
import { assertCleanAudit } from '#trials/bench/harness/clean-audit'
import { benchServers } from '#trials/bench/harness/servers'
import type { BenchOptions, PartResult } from '#trials/bench/result'

const SIZES = { rate: 200_000, cpu: [10_000, 100_000, 1_000_000], jobs: 2_000 }
const QUICK_SIZES = { rate: 8_000, cpu: [1_000, 4_000, 16_000], jobs: 200 }

/** The sweep beside its limits: rate, CPU time by size, steady load and lateness. */
export async function run({ rounds, quick, log }: BenchOptions): Promise<PartResult> {
  await buildRoles()
  const sizes = quick ? QUICK_SIZES : SIZES
  // Lateness is measured by the times of commits.
  const servers = await benchServers(['track_commit_timestamp=on'])
  const open: PopulatedDatabase[] = []
  const populated = async (name: string, members: number) => {
    log(`inserting ${members} sessions`)
    const database = await populatedDatabase(servers.databaseUrl, name, members)
    open.push(database)
    return database
  }
  try {
    const product = await populated('rate', sizes.rate)
    const bare = await copiedDatabase(product, 'bare')
    open.push(bare)
    const { redisUrl } = servers
    const rate = await rateTable(product, bare, { rounds, redisUrl, jobs: sizes.jobs })
    log('rate measured')
    const bySize: PopulatedDatabase[] = []
    for (const members of sizes.cpu) bySize.push(await populated(`members_${members}`, members))
    const cpu = await cpuTable(bySize, servers.pids.postgres, rounds)
    log('CPU time measured')
    const largest = bySize.at(-1) ?? product
    const steady = await steadyTables(largest, servers, { rounds, quick })
    for (const { db } of [product, ...bySize]) {
      // The audit of millions of new rows is planned by their statistics.
      await db.raw('analyze')
      await assertCleanAudit(db)
    }
    return {
      part: 'credits',
      title: 'Credits',
      tables: [rate, cpu, ...steady],
      notes: [
        'Bare writes: the session, wallet and ledger rows of the same batches with constant amounts in an equal database, without due condition, earnings, USDT shares, counters, bounds or answer (`trials/bench/credits/bare-writes.ts`).',
        "One BullMQ job a session: 16 jobs at a time credit by the product's statement and add the delayed job of the next interval.",
        'CPU time: all processes of Postgres and the process that sweeps.',
        'Steady: one worker process from its bundle. At rest the clock is 10 minutes back, so all sessions run and none falls due.',
      ],
    }
  } finally {
    for (const database of open) await database.close()
    await servers.stop()
  }
}
