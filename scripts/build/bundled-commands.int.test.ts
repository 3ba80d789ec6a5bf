import { spawnSync } from 'node:child_process'
import path from 'node:path'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { connect } from '#db/engine/connect'
import { MIGRATIONS } from '#db/migrations/index'
import { withClient } from '#db/postgres/connection/pool'
import { ROOT } from '#runtime/process/root'
import { type TestDatabase, testDatabase } from '#scripts/testing/db/database'
import { insertMembers } from '#scripts/testing/db/members'
import { roleEnv } from '#scripts/testing/db/role-process'
import { testFolder } from '#scripts/testing/temp-folder'
import { buildCommands, COMMANDS_DIR } from './build-roles.ts'

let database: TestDatabase

beforeAll(async () => {
  await buildCommands()
  database = await testDatabase()
})
afterAll(() => database?.drop())

/** Runs a bundle as the image does: in production, outside of the repository. */
function run(name: string, args: string[] = [], env: NodeJS.ProcessEnv = {}) {
  const program = path.join(ROOT, COMMANDS_DIR, `${name}.mjs`)
  const { status, stdout, stderr } = spawnSync(process.execPath, [program, ...args], {
    cwd: testFolder(),
    encoding: 'utf8',
    env: {
      ...roleEnv({ ...database, databaseUrl: database.url }),
      NODE_ENV: 'production',
      FAST_PASSWORDS: 'off',
      PUBLIC_ORIGIN: 'https://tesp.example',
      SMTP_URL: 'smtp://mail.example',
      MAIL_FROM: 'no-reply@tesp.example',
      OPERATOR: 'ada',
      ...env,
    },
  })
  return { code: status, stdout, stderr }
}

it('the bundled migrate command brings the schema up to date', async () => {
  expect(run('migrate')).toEqual({
    code: 0,
    stdout: `Database ${new URL(database.url).host}${new URL(database.url).pathname}\nThe database is up to date\n`,
    stderr: '',
  })
})

it('the bundled migrate command connects to DATABASE_DIRECT_URL if it is set', async () => {
  const pooler = 'postgres://nobody@127.0.0.1:1/none'
  const { code } = run('migrate', [], {
    DATABASE_URL: pooler,
    DATABASE_DIRECT_URL: database.url,
  })
  expect(code).toBe(0)
})

it('an audit whose environment was lost, NODE_ENV too, refuses a database without a wallet', async () => {
  const { code, stderr, stdout } = run('audit', [], { NODE_ENV: '' })
  expect(stderr).toMatch(/^This database has no wallet: nothing was audited/)
  expect([code, stdout]).toEqual([1, expect.not.stringContaining('broken rules')])
})

it('the bundled audit command proves the ledger', async () => {
  const db = connect(database.url, { max: 1, name: 'test' })
  await insertMembers(db, 1).finally(() => db.destroy())
  const { code, stdout } = run('audit')
  expect(stdout).toContain(`database          ${new URL(database.url).host}/`)
  expect(stdout).toContain('broken rules      0')
  expect(code).toBe(0)
})

it('the bundled audit command exits with 1 if a balance is wrong', async () => {
  const broken = await testDatabase()
  try {
    await withClient(broken.url, (client) =>
      client.query(`with made as (
        insert into users (username, "usernameKey", password, email, "emailKey")
        select name, name, 'none', name || '@test.example', name || '@test.example'
        from generate_series(1, 12) n, concat('eve', n) as name returning id
      ) insert into wallets (bucket, "userId", "usdtBalance") select id % 1024, id, 5 from made`),
    )
    const { code, stderr } = run('audit', [], { DATABASE_URL: broken.url })
    expect(stderr).toContain(': 10 or more rows\n')
    expect(code).toBe(1)
  } finally {
    await broken.drop()
  }
})

it('the bundled ops command reads and acts', async () => {
  const { code, stdout } = run('ops', ['status', '--json'])
  expect(JSON.parse(stdout)).toBeTypeOf('object')
  expect(code).toBe(0)
  const act = ['flags', 'on', 'kyc', '--reason', 'opens today', '--yes']
  expect(run('ops', act)).toMatchObject({ code: 0, stderr: '' })
  const { stdout: log } = run('ops', ['log', '--json'])
  expect(JSON.parse(log)).toMatchObject([{ operator: 'ada', reason: 'opens today' }])
})

it.each(['audit', 'migrate', 'ops'])(
  'the bundled %s command refuses a database from before the first release in one line',
  async (name) => {
    const old = await testDatabase()
    try {
      await withClient(old.url, async (client) => {
        await client.query('drop table wallets, credit_sweeps cascade')
        await client.query(
          `update knex_migrations set name = '001-baseline' where name = '001-first-release'`,
        )
      })
      const args = name === 'ops' ? ['lag'] : []
      const { code, stderr } = run(name, args, { DATABASE_URL: old.url })
      expect(stderr).toMatch(/^The database was made by a version .* before the first release.*\n$/)
      expect(code).toBe(1)
    } finally {
      await old.drop()
    }
  },
)

it('the bundled audit command names migrations that the database lacks', async () => {
  const behind = await testDatabase()
  try {
    await withClient(behind.url, async (client) => {
      await client.query('drop table wallets cascade')
      await client.query(`delete from knex_migrations where name <> '001-first-release'`)
    })
    const { code, stderr } = run('audit', [], { DATABASE_URL: behind.url })
    const [, ...lacking] = Object.keys(MIGRATIONS)
    expect(stderr).toBe(
      `The database lacks the migrations ${lacking.join(', ')}: run npm run migrate.\n`,
    )
    expect(code).toBe(1)
  } finally {
    await behind.drop()
  }
})

it('the bundled ops command asks for DATABASE_URL', async () => {
  const { code, stderr } = run('ops', ['status'], { DATABASE_URL: '' })
  expect(stderr).toBe('DATABASE_URL is missing: set postgres://user:password@host:5432/name\n')
  expect(code).toBe(1)
})

it.each(['audit', 'migrate'])(
  'the bundled %s command repeats no password of a URL that cannot be read',
  (name) => {
    const { code, stdout, stderr } = run(name, [], {
      DATABASE_URL: `postgres://tesp:${'se#cret'}@db/tesp`,
    })
    expect(stdout).toBe('')
    expect(stderr).toMatch(/^The URL of the database is not like postgres:.*\n$/)
    expect(code).toBe(1)
  },
)

it('the bundled console command refuses an origin without TLS', async () => {
  const { code, stderr } = run('console', [], { CONSOLE_ORIGIN: 'http://console.example' })
  expect(stderr).toContain('CONSOLE_ORIGIN')
  expect(code).toBe(1)
})

it.each(['audit', 'migrate', 'ops'])(
  'the bundled %s command names a server that is not available in one line',
  async (name) => {
    const { code, stderr } = run(name, name === 'ops' ? ['status'] : [], {
      DATABASE_URL: 'postgres://nobody@127.0.0.1:1/none',
    })
    expect({ code, stderr }).toEqual({
      code: 1,
      stderr:
        'A server is not available: connect ECONNREFUSED 127.0.0.1:1. Start it, or check the settings DATABASE_… and REDIS_URL.\n',
    })
  },
)
