import { limitTransactions, startPgBouncer } from '#trials/failover/pgbouncer-process'
import type { Trial } from '#trials/kit/run-trial'
import { ONE_DATABASE, PatroniCluster } from './cluster/patroni-cluster.ts'
import { FREEZE, KILL, STALL_AND_KILL, switchover } from './faults.ts'
import { Outages } from './outages.ts'
import { startUnderLoad } from './product-under-load.ts'
import { checkReads } from './replica-reads.ts'

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
  trial: Trial,
  { programs, kills, pooledKills }: FailoverOptions,
): Promise<void> {
  const { report, folder, defer } = trial
  const cluster = await report.step('etcd, HAProxy and three PostgreSQL under Patroni start', () =>
    PatroniCluster.start(folder, programs, ONE_DATABASE),
  )
  defer(() => cluster.stop())
  const { replica } = cluster.urls
  const env = { DATABASE_REPLICA_URL: replica }
  const product = await startUnderLoad(trial, cluster, { env })
  const { stage, load, prober } = product
  const outages = new Outages(report, product)
  const { first } = cluster

  for (let kill = 1; kill <= kills; kill++)
    await outages.suffer(first, kill % 2 ? KILL : STALL_AND_KILL)
  await outages.suffer(first, FREEZE)
  await outages.suffer(first, switchover(first))
  await checkReads(report, stage, cluster)

  if (pooledKills > 0) {
    const { primary } = cluster.urls
    await limitTransactions(primary)
    const pooler = await startPgBouncer(primary, POOLER_CONNECTIONS)
    defer(() => pooler.stop())
    const change = { DATABASE_URL: pooler.url, DATABASE_DIRECT_URL: primary }
    await report.step('processes roll to PgBouncer in transaction mode', () =>
      stage.roll({ ...change, DATABASE_PREPARED: 'off' }),
    )
    const pooled = { ...KILL, title: `${KILL.title}, through PgBouncer` }
    for (let kill = 1; kill <= pooledKills; kill++) await outages.suffer(first, pooled)
  }

  await prober.stop()
  const problems = await load.stop()
  outages.summarise()
  report.fact('claims confirmed during the trial', load.tally.claims.size)
  report.check('lost claims, failed requests, violated rules of the audit', problems)
  report.check('processes that ended by themselves', await stage.unexpectedExits())
}
