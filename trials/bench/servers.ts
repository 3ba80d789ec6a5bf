import fs from 'node:fs'
import path from 'node:path'
import { connect } from '#db/engine/connect'
import { migrate } from '#db/migrations/migrate'
import type { Db } from '#db/postgres/statements/transaction'
import { freePort } from '#runtime/config/free-port'
import { removeDataDir } from '#scripts/embedded/postgres/postgres-home'
import { startEmbedded } from '#scripts/embedded/servers'
import { openFolder } from '#trials/kit/child'
import { versionOf } from '#trials/kit/needs'
import { RedisProcess } from '#trials/kit/redis'

/** Of a small server; Postgres's defaults are for a machine of 256 MB. */
const POSTGRES_SETTINGS = [
  'shared_buffers=1GB',
  'max_wal_size=4GB',
  'wal_buffers=16MB',
  'max_connections=200',
]

/** Postgres with fsync on; without an installed Redis the embedded Valkey, which is about half as fast. */
export async function benchServers(keepsCommitTimes: boolean) {
  const folder = openFolder('tesp-bench-')
  const dataDir = path.join(folder, 'data')
  const installed = installedRedis()
  const embedded = await startEmbedded({
    dataDir,
    durable: true,
    wanted: { postgres: true, valkey: !installed },
    postgresSettings: [
      ...POSTGRES_SETTINGS,
      `track_commit_timestamp=${keepsCommitTimes ? 'on' : 'off'}`,
    ],
  })
  // As docker-compose.yml starts it, but without snapshots: a fork would disturb a round.
  const settings = ['maxmemory-policy noeviction']
  const redis = installed && new RedisProcess(await freePort(), settings, [], installed.program)
  await redis?.start()
  await migrate(embedded.databaseUrl)
  const pools: Db[] = []
  return {
    databaseUrl: embedded.databaseUrl,
    redisUrl: redis ? `redis://127.0.0.1:${redis.port}` : embedded.redisUrl,
    /** For `cpuSeconds`: the postmaster and the Redis server. */
    get pids() {
      const { postgres = 0, valkey = 0 } = embedded.pids
      return { postgres, redis: redis?.pid ?? valkey }
    },
    folder,
    pool(max: number, url = embedded.databaseUrl): Db {
      const pool = connect(url, { max, name: 'bench', statementTimeoutMs: 0 })
      pools.push(pool)
      return pool
    },
    async stop() {
      await Promise.all(pools.map((pool) => pool.destroy()))
      await Promise.all([embedded.stop(), redis?.remove()])
      removeDataDir(dataDir)
      fs.rmSync(folder, { recursive: true, force: true })
    },
  }
}

export type BenchServers = Awaited<ReturnType<typeof benchServers>>

const PROGRAMS = ['valkey-server', 'redis-server']

export function installedRedis(): { program: string; version: string } | undefined {
  for (const program of PROGRAMS) {
    const version = /v=(\S+)/.exec(versionOf(program) ?? '')?.[1]
    if (version) return { program, version: `${program} ${version}` }
  }
  return undefined
}
