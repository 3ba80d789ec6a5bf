import fs from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { pino } from 'pino'
import { afterAll, beforeAll, expect, inject, it } from 'vitest'
import { audit } from '#db/ledger/audit'
import { connect } from '#db/postgres/connection/connect'
import { readFromReplica, replicaLagSeconds } from '#db/postgres/connection/replica'
import type { Db } from '#db/postgres/statements/transaction'
import { PASSWORD, Visitor } from '#gateway/testing/visitor'
import { freePort } from '#runtime/config/free-port'
import { Stage } from '#trials/chaos/stage'
import { runCommand } from '#trials/kit/run-command'
import { startReplicatedPostgres } from './postgres-replica.ts'

const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'tesp-replica-'))
const log = pino({ level: 'silent' })
let servers: Awaited<ReturnType<typeof startReplicatedPostgres>>
let stage: Stage
let replica: Db

beforeAll(async () => {
  // Postgres runs under another account if this process is root.
  fs.chmodSync(folder, 0o755)
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
  expect(await runCommand('audit', [], env)).toContain('broken rules      0')
  await replica.raw('select pg_wal_replay_pause()')
  try {
    await new Visitor(stage.product).register()
    await expect(runCommand('audit', ['--wait', '1'], env)).rejects.toThrow('nothing is audited')
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
