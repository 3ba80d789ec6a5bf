import { afterAll, beforeAll, expect, it, onTestFinished } from 'vitest'
import { withClient } from '#db/postgres/connection/admin'
import { type TestDatabase, testDatabase } from '#scripts/testing/db/database'
import { type RoleProcess, roleEnv, roleProcess } from '#scripts/testing/db/role-process'
import { type LossyRedis, lossyRedis } from '#scripts/testing/gateway/wire/lossy-redis'
import { freePort } from './config/free-port.ts'

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
    expect(lines).toMatchObject([{ level: 60, name, msg: 'start failed; the process exits' }])
    expect(lines[0]?.err).toMatchObject({ message: expect.stringContaining('ECONNREFUSED') })
  },
)

it.each(ROLES)(
  'a %s process on a database from before the first release prints one sentence and exits with 1',
  async (name) => {
    const early = await testDatabase()
    onTestFinished(() => early.drop())
    await withClient(early.url, (client) =>
      client.query(`update knex_migrations set name = '0' || name`),
    )
    const role = roleProcess(name, env({ databaseUrl: early.url }))
    expect(await role.ended).toBe(1)
    expect(role.output()).toMatch(
      /^The database was made by a version .* before the first release.*\n$/,
    )
  },
)

it.each(ROLES)(
  'a %s process that loses Redis logs it as JSON and prints no stack',
  async (name) => {
    const redis: LossyRedis = await lossyRedis(database.redisUrl)
    const role = roleProcess(name, env({ redisUrl: redis.url }))
    onTestFinished(() => role.end('SIGKILL'))
    await role.ready
    await redis.close()
    const lost = () =>
      linesOf(role).find(({ msg }) => msg === 'connection to Redis lost; reconnecting')
    await expect.poll(lost).toMatchObject({ level: 40, name, connection: expect.any(String) })
  },
)
