import path from 'node:path'
import { databaseAt, ensureDatabase, withClient } from '#db/postgres/admin'
import { migrate } from '#db/postgres/migrate'
import { startPgBouncer } from '#scripts/chaos/failover/pgbouncer-process'
import { startLoad } from '#scripts/chaos/load'
import { Stage } from '#scripts/chaos/stage'
import { SPEED } from '#scripts/chaos/torture/checks'
import { startEmbedded } from '#scripts/embedded/servers'
import { developmentSecrets } from '#scripts/process/secrets'
import type { Trial } from '#scripts/trial/run-trial'
import { PatroniCluster } from './cluster.ts'
import {
  type Fault,
  FREEZE,
  isTooLong,
  KILL,
  measureOutage,
  STALL_AND_KILL,
  switchover,
} from './outage.ts'
import { Prober } from './prober.ts'
import { checkReads } from './replica-reads.ts'

const MEMBERS = 8
/** Fewer server connections than the pools of the four processes have together. */
const POOLER_CONNECTIONS = 12

export type FailoverOptions = {
  /** Folder of PostgreSQL's programs. */
  programs: string
  /** How often the primary is killed, every second time after its replication has stopped. */
  kills: number
  /** How often it is killed with PgBouncer before it; 0 without PgBouncer. */
  pooledKills: number
}

/**
 * Kills, freezes and switches the primary of a cluster under load, and checks that members are served
 * again in time, without a restart of the product, and that nothing acknowledged is lost.
 */
export async function tryFailover(
  { report, folder, defer }: Trial,
  { programs, kills, pooledKills }: FailoverOptions,
): Promise<void> {
  const cluster = await report.step('etcd, HAProxy and three PostgreSQL under Patroni start', () =>
    PatroniCluster.start(folder, programs),
  )
  defer(() => cluster.stop())
  const { urls } = cluster
  await ensureDatabase(databaseAt(urls.primary, 'postgres'), 'tesp')
  await migrate(urls.primary)
  const dataDir = path.join(folder, 'redis')
  const wanted = { postgres: false, valkey: true }
  const redis = await startEmbedded({ dataDir, durable: false, wanted, log: console.error })
  defer(() => redis.stop())
  const stage = await Stage.start(
    { url: urls.primary, redisUrl: redis.redisUrl, redisPrefix: 'patroni' },
    {
      workers: 2,
      speed: SPEED,
      secrets: developmentSecrets(dataDir),
      env: { DATABASE_REPLICA_URL: urls.replica, JOB_LOCK_MS: '3000' },
    },
  )
  defer(() => stage.stop())
  const load = await startLoad(stage.product, MEMBERS, 29)
  const prober = await Prober.start(stage.product)
  const parts = { cluster, load, prober, db: stage.product.db }

  let tooLong = 0
  const suffer = async (fault: Fault, place = '') => {
    const outage = await measureOutage(parts, fault)
    if (isTooLong(outage)) tooLong++
    const { title, from, to, commandsMs, creditsMs, unavailable, lost } = outage
    const [commands, credits] = [commandsMs, creditsMs].map((ms) => (ms / 1_000).toFixed(1))
    report.fact(
      `${title}${place}, ${from} → ${to}`,
      `commands ${commands} s, credits ${credits} s; ${unavailable} answers 503, ${lost} lost`,
    )
  }
  for (let kill = 1; kill <= kills; kill++) await suffer(kill % 2 ? KILL : STALL_AND_KILL)
  await suffer(FREEZE)
  await suffer(switchover(cluster))
  await checkReads(report, stage, cluster)

  if (pooledKills > 0) {
    await limitTransactions(urls.primary)
    const pooler = await startPgBouncer(urls.primary, POOLER_CONNECTIONS)
    defer(() => pooler.stop())
    await report.step('processes roll to PgBouncer in transaction mode', () =>
      stage.roll({
        DATABASE_URL: pooler.url,
        DATABASE_DIRECT_URL: urls.primary,
        DATABASE_PREPARED: 'off',
      }),
    )
    for (let kill = 1; kill <= pooledKills; kill++) await suffer(KILL, ', through PgBouncer')
  }

  await prober.stop()
  const problems = await load.stop()
  report.fact('claims confirmed during the trial', load.tally.claims.size)
  report.check('lost claims, failed requests, violated rules of the audit', problems)
  report.expect('outages longer than 30 s', tooLong, 0)
  report.check('processes that ended by themselves', await stage.unexpectedExits())
}

/** PgBouncer passes no time-outs on, so the database sets them. */
async function limitTransactions(url: string): Promise<void> {
  await withClient(url, async (client) => {
    await client.query(`alter database tesp set statement_timeout = '15s'`)
    await client.query(`alter database tesp set idle_in_transaction_session_timeout = '10s'`)
  })
}
