import fs from 'node:fs'
import path from 'node:path'
import { pino } from 'pino'
import { afterAll, beforeAll, expect, inject, it } from 'vitest'
import { connect } from '#db/engine/connect'
import { audit } from '#db/ledger/audit'
import { migrate } from '#db/migrations/migrate'
import { readFromReplica, replicaLagSeconds } from '#db/postgres/connection/replica'
import type { Db } from '#db/postgres/statements/transaction'
import { freePort } from '#runtime/config/free-port'
import { databaseAt, ensureDatabase } from '#scripts/embedded/create-database'
import { startPostgres } from '#scripts/embedded/postgres/postgres'
import { postgresHome, removeDataDir } from '#scripts/embedded/postgres/postgres-home'
import { DATABASE } from '#scripts/embedded/servers'
import { PASSWORD, Visitor } from '#scripts/testing/gateway/visitor'
import { openFolder, runScript } from '#trials/kit/child'
import { Stage } from '#trials/kit/stage'

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
async function startReplicatedPostgres(folder: string) {
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

const folder = openFolder('tesp-replica-')
const log = pino({ level: 'silent' })
let servers: Awaited<ReturnType<typeof startReplicatedPostgres>>
let stage: Stage
let replica: Db

beforeAll(async () => {
  servers = await startReplicatedPostgres(folder)
  replica = connect(servers.replicaUrl, { max: 3, name: 'test', mayBeReplica: true })
  const place = {
    redisUrl: inject('testServers').redisUrl,
    redisPrefix: `replica-${await freePort()}`,
  }
  const env = { DATABASE_REPLICA_URL: servers.replicaUrl, LOG_LEVEL: 'info' }
  stage = await Stage.start({ ...place, url: servers.primaryUrl }, { gateways: 1, env })
})
afterAll(async () => {
  await stage?.stop()
  await replica?.destroy()
  await servers?.stop()
  fs.rmSync(folder, { recursive: true, force: true })
})

const statements = async (reader: Db) => {
  const { rows } = await reader.raw(
    `select count(*)::int as count from pg_stat_activity where application_name = 'tesp-gateway-replica'`,
  )
  return rows[0].count as number
}

it('an export is read from the replica and contains what was just committed', async () => {
  const member = new Visitor(stage.product)
  await member.register()
  await member.call('POST /api/mining/start')
  const answer = await member.fetch('/api/user/export', 0, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json' },
    body: JSON.stringify({ password: PASSWORD }),
  })
  expect(answer.status).toBe(200)
  expect(((await answer.json()) as { sessions: unknown[] }).sessions).toHaveLength(1)
  expect(await statements(replica)).toBe(1)
})

it('the audit runs on the replica and states its lag', async () => {
  expect(await replicaLagSeconds(replica)).toBeGreaterThanOrEqual(0)
  const { wallets, problems } = await audit(replica)
  expect(problems).toEqual([])
  expect(wallets).toBeGreaterThan(0)
})

it('npm run audit refuses a replica that stays behind', async () => {
  const env = { DATABASE_URL: servers.primaryUrl, DATABASE_REPLICA_URL: servers.replicaUrl }
  expect(await runScript('audit', [], env)).toContain('broken rules      0')
  await replica.raw('select pg_wal_replay_pause()')
  try {
    await new Visitor(stage.product).register()
    await expect(runScript('audit', ['--wait', '1'], env)).rejects.toThrow('nothing is audited')
  } finally {
    await replica.raw('select pg_wal_replay_resume()')
  }
})

it('a read waits for a replica that lags, and uses the primary after 2 s', async () => {
  const { db } = stage.product
  const counted = (reader: Db) => reader('users').count('* as users').first()
  await replica.raw('select pg_wal_replay_pause()')
  const member = new Visitor(stage.product)
  await member.register()
  const used: Db[] = []
  const read = async (reader: Db) => {
    used.push(reader)
    return counted(reader)
  }
  expect(await readFromReplica({ db, replica, log }, read)).toEqual(await counted(db))
  expect(used).toEqual([db])
  const waiting = readFromReplica({ db, replica, log }, read)
  await replica.raw('select pg_wal_replay_resume()')
  expect(await waiting).toEqual(await counted(db))
  expect(used).toEqual([db, replica])
})
