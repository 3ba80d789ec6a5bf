import fs from 'node:fs'
import path from 'node:path'
import { migrate } from '#db/migrations/migrate'
import { removeDataDir } from '#scripts/embedded/postgres/postgres-home'
import { startEmbedded } from '#scripts/embedded/servers'
import type { TestDatabase } from '#scripts/testing/db/database'
import { memoryFolder } from '#scripts/testing/memory-folder'
import { openFolder } from '#trials/kit/child'

/** Postgres and Valkey of one test file, which may kill them: both are restarted, Valkey empty. */
export type OwnServers = TestDatabase & {
  /** Process id of the running server; it changes with a restart. */
  pid(server: 'postgres' | 'valkey'): number
}

/** Starts both servers with a migrated database; `drop` stops them and removes their data. */
export async function ownServers(): Promise<OwnServers> {
  const folder = openFolder('tesp-servers-', memoryFolder())
  const dataDir = path.join(folder, 'data')
  const servers = await startEmbedded({ dataDir, durable: false })
  await migrate(servers.databaseUrl)
  return {
    url: servers.databaseUrl,
    redisUrl: servers.redisUrl,
    redisPrefix: 'faults',
    pid(server) {
      const pid = servers.pids[server]
      if (!pid) throw new Error(`${server} is not running`)
      return pid
    },
    async drop() {
      await servers.stop()
      removeDataDir(dataDir)
      fs.rmSync(folder, { recursive: true, force: true })
    },
  }
}
