import fs from 'node:fs'
import path from 'node:path'
import { databaseAt, ensureDatabase } from '#db/postgres/connection/admin'
import { migrate } from '#db/postgres/schema/migrate'
import { startPostgres } from '#scripts/embedded/postgres/postgres'
import { postgresHome, removeDataDir } from '#scripts/embedded/postgres/postgres-home'
import { DATABASE } from '#scripts/embedded/servers'

const OPTIONS = { durable: false, password: '' }

/** Copies a stopped server's data, with the password of its account. */
function copyServer(from: string, to: string): void {
  fs.mkdirSync(to, { mode: 0o755 })
  fs.copyFileSync(path.join(from, 'postgres.secret'), path.join(to, 'postgres.secret'))
  const source = postgresHome(from)
  const target = postgresHome(to)
  fs.cpSync(source.data, target.data, { recursive: true })
  const { user } = source
  if (!user) return
  const own = (file: string) => fs.chownSync(file, user.uid, user.gid)
  own(target.data)
  for (const name of fs.readdirSync(target.data, { recursive: true, encoding: 'utf8' })) {
    own(path.join(target.data, name))
  }
}

/** A migrated primary and a streaming replica of it, below `folder`. */
export async function startReplicatedPostgres(folder: string) {
  const primaryDir = path.join(folder, 'primary')
  const replicaDir = path.join(folder, 'replica')
  fs.mkdirSync(primaryDir, { mode: 0o755 })
  const first = await startPostgres({ ...OPTIONS, dataDir: primaryDir })
  await ensureDatabase(first.url, DATABASE)
  await migrate(databaseAt(first.url, DATABASE))
  await first.stop()
  copyServer(primaryDir, replicaDir)
  const primary = await startPostgres({ ...OPTIONS, dataDir: primaryDir })
  const { password, data } = postgresHome(replicaDir)
  fs.writeFileSync(path.join(data, 'standby.signal'), '')
  const conninfo = `host=127.0.0.1 port=${primary.port} user=postgres password=${password}`
  const replica = await startPostgres({
    ...OPTIONS,
    dataDir: replicaDir,
    postgresSettings: [`primary_conninfo=${conninfo}`],
  })
  return {
    primaryUrl: databaseAt(primary.url, DATABASE),
    replicaUrl: databaseAt(replica.url, DATABASE),
    async stop() {
      await replica.stop()
      await primary.stop()
      for (const dataDir of [primaryDir, replicaDir]) removeDataDir(dataDir)
    },
  }
}
