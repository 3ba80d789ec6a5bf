import { type ChildProcess, fork } from 'node:child_process'
import { once } from 'node:events'
import fs from 'node:fs'
import path from 'node:path'
import { Redis } from 'ioredis'
import { describe, expect, it, onTestFinished, vi } from 'vitest'
import { withClient } from '#db/postgres/connection/pool'
import { lockOwner, processMark } from '#runtime/process/lifetime/process-lock.mjs'
import { ROOT } from '#runtime/process/root'
import { postgresHome, removeDataDir } from '#scripts/embedded/postgres/postgres-home'
import { findPostmaster } from '#scripts/embedded/postgres/postmaster'
import { AlreadyRunningError, type EmbeddedServers, startEmbedded } from '#scripts/embedded/servers'
import { memoryFolder } from '#scripts/testing/memory-folder'
import { testFolder } from '#scripts/testing/temp-folder'

type Info = Pick<EmbeddedServers, 'databaseUrl' | 'redisUrl' | 'pids'>

function dataDir(mode?: number) {
  const folder = path.join(testFolder(mode, memoryFolder()), 'data')
  onTestFinished(() => removeDataDir(folder))
  return folder
}

async function start(folder: string, durable = true) {
  const servers = await startEmbedded({ dataDir: folder, durable })
  onTestFinished(() => servers.stop())
  return servers
}

const OWNER = path.join(ROOT, 'scripts/testing/embedded-owner.ts')
const FORK = { cwd: ROOT, execArgv: ['--import', 'tsx'] }

/** Starts the servers in another process, as `npm start` does. */
async function startElsewhere(folder: string): Promise<Info & { owner: ChildProcess }> {
  const owner = fork(OWNER, [folder], FORK)
  onTestFinished(() => void owner.kill('SIGKILL'))
  const [info] = (await once(owner, 'message')) as [Info]
  return { ...info, owner }
}

const query = (url: string, sql: string) =>
  withClient(url, async (client) => (await client.query(sql)).rows)

async function redis<T>(url: string, work: (client: Redis) => Promise<T>): Promise<T> {
  const client = new Redis(url, { maxRetriesPerRequest: 1 })
  client.on('error', () => {})
  return work(client).finally(() => client.disconnect())
}

const areGone = (pids: Info['pids']) => Object.values(pids).every((pid) => !processMark(pid))

const WAIT = { timeout: 60_000, interval: 50 }
const waitFor = (check: () => unknown) => vi.waitFor(check, WAIT)

/** Data that both servers keep, and a check of it. */
async function keep({ databaseUrl, redisUrl }: Info): Promise<void> {
  await query(databaseUrl, 'CREATE TABLE kept AS SELECT 1 AS id')
  await redis(redisUrl, (client) => client.set('kept', 'yes'))
}
async function expectKept({ databaseUrl, redisUrl }: Info): Promise<void> {
  expect(await query(databaseUrl, 'SELECT id FROM kept')).toEqual([{ id: 1 }])
  expect(await redis(redisUrl, (client) => client.get('kept'))).toBe('yes')
}

// Servers take two seconds of CPU time to start, so each test checks several properties of them.
describe('startEmbedded', () => {
  it('data outlives a stop, and stopping ends both servers', async () => {
    const folder = dataDir()
    const first = await start(folder)
    await keep(first)
    await first.stop()
    expect(areGone(first.pids)).toBe(true)
    await expectKept(await start(folder))
  })

  it('servers in a private folder ignore PGSSLMODE, reject clients without the password and are restarted on the same port', async () => {
    vi.stubEnv('PGSSLMODE', 'require')
    onTestFinished(() => void vi.unstubAllEnvs())
    const servers = await start(dataDir(0o700), false)
    const open = new URL(servers.databaseUrl)
    open.password = 'wrong'
    await expect(query(open.href, 'SELECT')).rejects.toThrow('password')
    open.href = servers.redisUrl
    open.password = ''
    await expect(redis(open.href, (client) => client.get('x'))).rejects.toThrow('NOAUTH')

    const before = servers.pids
    await query(servers.databaseUrl, 'CREATE TABLE kept AS SELECT 1 AS id')
    for (const pid of Object.values(before)) process.kill(pid, 'SIGKILL')
    await waitFor(() => expect(servers.pids.postgres).not.toBe(before.postgres))
    await waitFor(() => expect(servers.pids.valkey).not.toBe(before.valkey))
    expect(await query(servers.databaseUrl, 'SELECT id FROM kept')).toEqual([{ id: 1 }])
    expect(await redis(servers.redisUrl, (client) => client.ping())).toBe('PONG')
  })

  it('an owner that is killed while its servers start leaves none of them', async () => {
    const folder = dataDir()
    const owner = fork(OWNER, [folder], FORK)
    const started = path.join(folder, 'postgres.log')
    await vi.waitFor(() => expect(fs.existsSync(started)).toBe(true), { ...WAIT, interval: 2 })
    owner.kill('SIGKILL')
    const locks = ['postgres', 'valkey'].map((kind) => path.join(folder, `${kind}.lock`))
    await waitFor(() => expect(locks.filter((lock) => lockOwner(lock))).toEqual([]))
    expect(findPostmaster(postgresHome(folder).data)).toBeUndefined()
    await start(folder)
  })

  it('a second caller gets the pid of the owner; after its death the servers stop and keep their data', async () => {
    const folder = dataDir()
    const { owner, ...info } = await startElsewhere(folder)
    const refused = await startEmbedded({ dataDir: folder, durable: true }).catch((error) => error)
    expect(refused).toBeInstanceOf(AlreadyRunningError)
    expect(refused.pid).toBe(owner.pid)

    await keep(info)
    owner.kill('SIGKILL')
    await waitFor(() => expect(areGone(info.pids)).toBe(true))
    await expectKept(await start(folder))
  })
})
