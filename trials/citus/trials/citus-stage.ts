import path from 'node:path'
import { migrate } from '#db/postgres/schema/migrate'
import { developmentSecrets } from '#runtime/process/development-secrets'
import { startEmbedded } from '#scripts/embedded/servers'
import { Stage } from '#trials/chaos/stage'
import { CitusCluster } from '#trials/citus/citus-cluster'
import { limitTransactions, startPgBouncer } from '#trials/failover/pgbouncer-process'
import type { Trial } from '#trials/kit/run-trial'
import { SPEED } from '#trials/torture/checks'
import { RETENTION_SETTINGS } from '#trials/torture/torture'

/** The database of the product. */
export const DATABASE = 'tesp'
const SHARDS = 8
/** Server connections of PgBouncer. */
const POOL_SIZE = 12

type CitusStageOptions = {
  /** Nodes that are started, besides the coordinator. */
  workers: number
  /** How many of them have joined the database before its tables are distributed. */
  joined: number
  /** Whether the product reaches the coordinator through PgBouncer. */
  pooled?: boolean
}

/** Two gateways and two workers on a Citus cluster, which end with the trial. */
export async function startOnCitus(
  { report, folder, defer }: Trial,
  { workers, joined, pooled = false }: CitusStageOptions,
): Promise<{ cluster: CitusCluster; stage: Stage }> {
  const dataDir = path.join(folder, 'servers')
  const wanted = { postgres: false, valkey: true }
  const servers = await startEmbedded({ dataDir, durable: false, wanted })
  defer(() => servers.stop())
  const cluster = await report.step(`a coordinator and ${workers} nodes start`, () =>
    CitusCluster.start(folder, { shards: SHARDS, workers }),
  )
  defer(() => cluster.stop())
  await cluster.createPlainDatabase(DATABASE)
  const url = await cluster.joinDatabase(DATABASE, cluster.workers.slice(0, joined))
  await report.step('migrations', () => migrate(url))
  const place = { url, redisUrl: servers.redisUrl, redisPrefix: 'citus' }
  if (pooled) {
    await limitTransactions(url)
    const pooler = await startPgBouncer(url, POOL_SIZE)
    defer(() => pooler.stop())
    place.url = pooler.url
  }
  const stage = await Stage.start(place, {
    workers: 2,
    speed: SPEED,
    secrets: developmentSecrets(dataDir),
    env: { ...RETENTION_SETTINGS, ...(pooled && { DATABASE_PREPARED: 'off' }) },
  })
  defer(() => stage.stop())
  return { cluster, stage }
}
