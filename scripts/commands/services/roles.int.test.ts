import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { afterAll, beforeAll, expect, it, vi } from 'vitest'
import { freePort } from '#runtime/config/free-port'
import { ROOT } from '#runtime/process/root'
import { type TestDatabase, testDatabase } from '#scripts/testing/db/database'
import { roleEnv } from '#scripts/testing/db/role-process'
import { noSettings } from '#scripts/testing/spawn-command'

const WAIT = { timeout: 60_000, interval: 100 }
let database: TestDatabase

beforeAll(async () => {
  database = await testDatabase()
})
afterAll(() => database.drop())

/** Starts a role as operators do; answers the URL of its readiness probe once it is ready. */
async function npmStart(role: 'gateway' | 'workers') {
  const port = String(await freePort())
  const runner = spawn(process.execPath, ['scripts/run.mjs', 'start', role], {
    cwd: ROOT,
    env: {
      ...process.env,
      ...noSettings,
      ...roleEnv({ ...database, databaseUrl: database.url }),
      ...(role === 'gateway' ? { PORT: port } : { WORKERS_PORT: port }),
      NODE_ENV: 'development',
      HOST: '127.0.0.1',
    },
  })
  const probe = `http://127.0.0.1:${port}/readyz`
  const isReady = async () => (await fetch(probe)).status === 200
  await vi.waitFor(async () => expect(await isReady()).toBe(true), WAIT)
  const isGone = () => vi.waitFor(() => expect(fetch(probe)).rejects.toThrow(), WAIT)
  return { runner, isGone }
}

it.each(['gateway', 'workers'] as const)(
  'npm start %s serves and exits with code 0 on SIGTERM',
  async (role) => {
    const { runner, isGone } = await npmStart(role)
    runner.kill('SIGTERM')
    expect(await once(runner, 'exit')).toEqual([0, null])
    await isGone()
  },
)

it('a killed npm start gateway leaves no process', async () => {
  const { runner, isGone } = await npmStart('gateway')
  runner.kill('SIGKILL')
  await isGone()
})
