import { once } from 'node:events'
import { type AddressInfo, createServer } from 'node:net'
import { afterAll, beforeAll, expect, it, onTestFinished } from 'vitest'
import { withClient } from '#db/postgres/connection/pool'
import { startEmbedded } from '#scripts/embedded/servers'
import { isOneServer, type TestDatabase, testDatabase } from '#scripts/testing/db/database'
import { type RoleProcess, roleEnv, roleProcess } from '#scripts/testing/db/role-process'
import { testFolder } from '#scripts/testing/temp-folder'
import { freePort } from './config/free-port.ts'
import { redisForRequests } from './redis.ts'

const ROLES = ['gateway', 'workers'] as const

let database: TestDatabase
beforeAll(async () => {
  database = await testDatabase()
})
afterAll(() => database.drop())

const env = (servers: { databaseUrl?: string; redisUrl?: string }) => ({
  ...roleEnv({ ...database, databaseUrl: database.url, ...servers }),
  HOST: '127.0.0.1',
  PORT: '0',
})

/** The whole lines that a process has printed; each must be JSON. */
function linesOf(role: RoleProcess): Record<string, unknown>[] {
  const whole = role.output().split('\n').slice(0, -1)
  return whole.map((line) => JSON.parse(line))
}

it.each(ROLES)(
  'a %s process that cannot reach Postgres logs it as JSON and exits with 1',
  async (name) => {
    const databaseUrl = `postgres://tesp:tesp@localhost:${await freePort()}/tesp`
    const role = roleProcess(name, env({ databaseUrl }))
    expect(await role.ended).toBe(1)
    const lines = linesOf(role)
    const reason = expect.stringMatching(/^A server is not available: .*ECONNREFUSED/)
    expect(lines).toMatchObject([
      { level: 60, name, reason, msg: 'start failed; the process exits' },
    ])
    expect(role.output()).not.toContain('stack')
  },
)

// The nodes of the trial on Citus ask for no password.
it.runIf(isOneServer())(
  'a role with a wrong database password says so without a stack',
  async () => {
    const databaseUrl = database.url.replace(/:[^:@]*@/, ':wrong@')
    const role = roleProcess('workers', env({ databaseUrl }))
    expect(await role.ended).toBe(1)
    const reason = expect.stringMatching(/^Postgres refuses: .*Check the settings DATABASE_/)
    expect(linesOf(role)).toMatchObject([{ level: 60, name: 'workers', reason }])
    expect(role.output()).not.toContain('stack')
  },
)

it('a gateway whose port is taken names the port without a stack', async () => {
  const taken = createServer().listen(0, '127.0.0.1')
  onTestFinished(() => void taken.close())
  await once(taken, 'listening')
  const { port } = taken.address() as AddressInfo
  const role = roleProcess('gateway', { ...env({}), PORT: String(port) })
  expect(await role.ended).toBe(1)
  expect(linesOf(role)).toMatchObject([
    {
      level: 60,
      reason: `Port ${port} is in use by another program: stop it or set PORT to a free one.`,
    },
  ])
})

it('roles say once that Redis evicts keys, and that it is lost, in JSON without a stack', async () => {
  const servers = await startEmbedded({
    dataDir: testFolder(),
    durable: false,
    wanted: { postgres: false, valkey: true },
  })
  onTestFinished(() => servers.stop())
  const redis = redisForRequests(servers.redisUrl)
  await redis.config('SET', 'maxmemory-policy', 'allkeys-lru')
  redis.disconnect()
  const roles = ROLES.map((name) => {
    const role = roleProcess(name, env({ redisUrl: servers.redisUrl }))
    onTestFinished(() => role.end('SIGKILL'))
    return { name, role }
  })
  const says = ({ msg, library = '' }: Record<string, unknown>) =>
    /Redis evicts keys \(allkeys-lru\)/.test(String(msg)) || /Eviction policy/.test(String(library))
  for (const { role } of roles) {
    await role.ready
    await expect.poll(() => linesOf(role).filter(says).length).toBeGreaterThan(0)
    const own = linesOf(role).filter(({ msg }) => String(msg).startsWith('Redis evicts'))
    expect(own).toHaveLength(1)
    expect(linesOf(role).filter(says).length).toBeLessThanOrEqual(2)
  }
  await servers.stop()
  for (const { name, role } of roles) {
    const lost = () =>
      linesOf(role).find(({ msg }) => msg === 'connection to Redis lost; reconnecting')
    await expect.poll(lost).toMatchObject({ level: 40, name, connection: expect.any(String) })
  }
})

it('a role without NODE_ENV says that it is for development, names misspelt settings, and ends with 0 when a signal to its group arrives twice', async () => {
  const role = roleProcess('gateway', { ...env({}), TRUSTED_PROXY: '127.0.0.1' })
  onTestFinished(() => void role.end('SIGKILL'))
  await role.ready
  const said = () => linesOf(role).map(({ msg }) => msg)
  await expect
    .poll(said)
    .toEqual(
      expect.arrayContaining([
        expect.stringMatching(/^development: NODE_ENV is not production/),
        'the setting TRUSTED_PROXY is unknown and ignored: is TRUSTED_PROXIES meant?',
      ]),
    )
  for (const signal of ['SIGINT', 'SIGTERM'] as const) role.kill(signal)
  expect(await role.ended).toBe(0)
})

it('roles on a database from before the first release print one sentence and exit with 1', async () => {
  const early = await testDatabase()
  onTestFinished(() => early.drop())
  await withClient(early.url, (client) =>
    client.query(`update knex_migrations set name = '0' || name`),
  )
  for (const name of ROLES) {
    const role = roleProcess(name, env({ databaseUrl: early.url }))
    expect(await role.ended).toBe(1)
    expect(role.output()).toMatch(
      /^The database was made by a version .* before the first release.*\n$/,
    )
  }
})

it('a role shuts down gracefully when its terminal closes', async () => {
  const role = roleProcess('gateway', env({}))
  onTestFinished(() => role.end('SIGKILL'))
  await role.ready
  role.kill('SIGHUP')
  expect(await role.ended).toBe(0)
})
