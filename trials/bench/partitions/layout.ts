import { ACTIVITY_PAGE } from '#contract/routes'
import { migrate } from '#db/migrations/migrate'
import { readSnapshots } from '#db/mining/snapshots'
import { databaseAt, ensureDatabase } from '#db/postgres/connection/admin'
import { connect } from '#db/postgres/connection/connect'
import { freePort } from '#runtime/config/free-port'
import { assertCleanAudit } from '#trials/bench/harness/clean-audit'
import { median } from '#trials/bench/harness/figures/statistics'
import { productEnv } from '#trials/bench/harness/product-env'
import { startRole } from '#trials/bench/harness/role'
import type { BenchServers } from '#trials/bench/harness/servers'
import { signInMembers } from '#trials/bench/harness/sign-ins'
import { insertLedgerHistory } from './ledger-history.ts'

/** What is read, sequentially for one member after another. */
export const READS = ['status', 'wallet', 'activity page', 'push of one member'] as const
export type Read = (typeof READS)[number]

const PATHS: Partial<Record<Read, string>> = {
  status: '/api/mining/status',
  wallet: '/api/wallet',
  'activity page': `/api/wallet/activity?limit=${ACTIVITY_PAGE}`,
}

/** A database with that many daily partitions and a gateway on it. */
export type Layout = {
  /** Median duration of `calls` reads, ms. */
  measure(read: Read, calls: number): Promise<number>
  assertCleanAudit(): Promise<void>
  stop(): Promise<void>
}

/** Makes a database of its own on the part's servers and starts a gateway on it. */
export async function startLayout(
  servers: BenchServers,
  days: number,
  members: number,
): Promise<Layout> {
  const server = databaseAt(servers.databaseUrl, 'postgres')
  const databaseUrl = await ensureDatabase(server, `days_${days}`)
  await migrate(databaseUrl)
  const db = connect(databaseUrl, { max: 1, name: 'bench', statementTimeoutMs: 0 })
  const ids = await insertLedgerHistory(db, { members, days })
  const port = String(await freePort())
  const place = { databaseUrl, redisUrl: servers.redisUrl }
  const env = productEnv(place, { PORT: port, REDIS_PREFIX: `days-${days}` })
  const cookies = await signInMembers(env, ids)
  const gateway = await startRole('gateway', env)
  let next = 0

  async function call(read: Read): Promise<void> {
    const at = next++ % ids.length
    const path = PATHS[read]
    if (!path) {
      await readSnapshots(db, [ids[at] ?? 0])
      return
    }
    const headers = { cookie: cookies[at] ?? '' }
    const answer = await fetch(`http://127.0.0.1:${port}${path}`, { headers })
    if (answer.status !== 200) throw new Error(`${path} answered ${answer.status}`)
    await answer.arrayBuffer()
  }

  return {
    async measure(read, calls) {
      const durations: number[] = []
      for (let n = 0; n < calls; n++) {
        const startedAt = performance.now()
        await call(read)
        durations.push(performance.now() - startedAt)
      }
      return median(durations)
    },
    assertCleanAudit: () => assertCleanAudit(db),
    async stop() {
      await gateway.stop()
      await db.destroy()
    },
  }
}
