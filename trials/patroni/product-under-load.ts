import path from 'node:path'
import { databaseAt, ensureDatabase } from '#db/postgres/connection/admin'
import { migrate } from '#db/postgres/schema/migrate'
import { developmentSecrets } from '#runtime/process/development-secrets'
import { startEmbedded } from '#scripts/embedded/servers'
import { type Load, startLoad } from '#trials/chaos/load'
import { Stage } from '#trials/chaos/stage'
import type { Trial } from '#trials/kit/run-trial'
import { SPEED } from '#trials/torture/checks'
import type { PatroniCluster } from './cluster/patroni-cluster.ts'
import { Prober } from './prober.ts'

const MEMBERS = 8

/** Two gateways and two workers on the cluster, with members who send commands. */
export type ProductUnderLoad = { stage: Stage; load: Load; prober: Prober }

/** @param probers members of each gateway whose commands are timed */
export async function startUnderLoad(
  { folder, defer }: Trial,
  { urls }: PatroniCluster,
  { env = {}, probers = 1 }: { env?: NodeJS.ProcessEnv; probers?: number } = {},
): Promise<ProductUnderLoad> {
  await ensureDatabase(databaseAt(urls.primary, 'postgres'), 'tesp')
  await migrate(urls.primary)
  const dataDir = path.join(folder, 'redis')
  const wanted = { postgres: false, valkey: true }
  const redis = await startEmbedded({ dataDir, durable: false, wanted, log: console.error })
  defer(() => redis.stop())
  const place = { url: urls.primary, redisUrl: redis.redisUrl, redisPrefix: 'patroni' }
  const stage = await Stage.start(place, {
    workers: 2,
    speed: SPEED,
    secrets: developmentSecrets(dataDir),
    env: { JOB_LOCK_MS: '3000', ...env },
  })
  defer(() => stage.stop())
  const load = await startLoad(stage.product, MEMBERS, 29)
  return { stage, load, prober: await Prober.start(stage.product, probers) }
}
