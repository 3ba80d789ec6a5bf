import { once } from 'node:events'
import net, { type AddressInfo } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import { Client } from 'pg'
import { afterAll, beforeAll, expect, it, vi } from 'vitest'
import { connect } from '#db/engine/connect'
import { MIGRATIONS } from '#db/migrations/index'
import { withClient } from '#db/postgres/connection/pool'
import { productNow, readClockSpeed, setClockSpeed } from '#db/postgres/connection/product-clock'
import { explain } from '#runtime/process/explain-error'
import { databaseAt, ensureDatabase } from '#scripts/embedded/create-database'
import { type FreshDatabase, freshDatabase } from '#scripts/testing/db/fresh-database'
import { migrate } from './migrate.ts'
import { takeMigrationLock, withMigrationLock } from './migration-lock.ts'
import { isMigrated } from './schema-floor.ts'

let fresh: FreshDatabase

beforeAll(async () => {
  fresh = await freshDatabase()
})
afterAll(() => fresh.close())

it('a process that died or froze with the migration lock is waited for, reported, and its session ended', async () => {
  await withClient(fresh.url, async (frozen) => {
    frozen.on('error', () => {})
    await takeMigrationLock(frozen, () => {}, 5_000)
    const lines: string[] = []
    await migrate(fresh.url, { report: (line) => lines.push(line) })
    expect(lines).toEqual(['waiting for another process that migrates'])
    await expect(frozen.query('select 1')).rejects.toThrow()
  })
})

it('a role starts while another process migrates if its own migrations are there; the command waits', async () => {
  const names = Object.keys(MIGRATIONS)
  const newest = await fresh
    .db('knex_migrations')
    .where({ name: names.at(-1) })
    .first()
  await withClient(fresh.url, async (holder) => {
    await takeMigrationLock(holder, () => {}, 60_000)
    const finished: string[] = []
    const start = (name: string, isRole: boolean) =>
      migrate(fresh.url, { isRole }).then(() => finished.push(name))
    await start('role', true)
    await fresh.db('knex_migrations').where({ id: newest.id }).delete()
    const late = [start('command', false), start('role that lacks a migration', true)]
    await sleep(1_000)
    expect(finished).toEqual(['role'])
    await fresh.db('knex_migrations').insert(newest)
    await late[1]
    expect(finished).toEqual(['role', 'role that lacks a migration'])
    await holder.query('commit')
    await Promise.all(late)
  })
})

it('a role that a newer release excludes does not start while that release migrates', async () => {
  const floor = await fresh.db('schema_floor').first('migration')
  await withClient(fresh.url, async (holder) => {
    await takeMigrationLock(holder, () => {}, 60_000)
    await fresh.db('knex_migrations').insert({ name: '999-from-the-future', batch: 99 })
    await fresh.db('schema_floor').update({ migration: '999-from-the-future' })
    const refused = expect(migrate(fresh.url, { isRole: true })).rejects.toThrow('newer version')
    await sleep(500)
    await holder.query('commit')
    await refused
  })
  await fresh.db('knex_migrations').where({ name: '999-from-the-future' }).delete()
  await fresh.db('schema_floor').update(floor)
})

it('a migration that waits for a lock lets others pass, keeps the migrations before it, and resumes', async () => {
  const waiting = '005-running-transactions'
  const applied = () => fresh.db('knex_migrations').orderBy('name').pluck('name')
  const names = await applied()
  await fresh.db('knex_migrations').whereIn('name', names.slice(2)).delete()
  const lines: string[] = []
  await withClient(fresh.url, async (reader) => {
    await reader.query('begin; lock table ledger_seal_due in access share mode')
    const migrating = migrate(fresh.url, { report: (line) => lines.push(line) })
    await expect.poll(applied, { timeout: 10_000 }).toEqual(names.filter((name) => name < waiting))
    const blocked = `select from pg_locks where not granted and relation = 'ledger_seal_due'::regclass`
    await expect
      .poll(async () => (await fresh.db.raw(blocked)).rowCount, { timeout: 10_000, interval: 20 })
      .toBe(1)
    await fresh.db.raw('select count(*) from ledger_seal_due')
    await expect.poll(() => lines).toHaveLength(1)
    await reader.query('commit')
    await migrating
  })
  expect(await applied()).toEqual(names)
})

it('the migration lock of a process that works outlasts the limit for idle ones', async () => {
  await withMigrationLock(
    fresh.url,
    () => {},
    () => sleep(7_500),
    { idleMs: 3_000 },
  )
})

it('a migration whose lock is lost fails instead of running at the same time as another one', async () => {
  const endHolder = () =>
    fresh.db.raw(
      `select pg_terminate_backend(pid) from pg_locks where locktype = 'advisory' and granted
       and database = (select oid from pg_database where datname = current_database())`,
    )
  const work = () => endHolder().then(() => new Promise<void>(() => {}))
  await expect(withMigrationLock(fresh.url, () => {}, work)).rejects.toThrow(/terminat/)
})

it('four processes that migrate an empty database in parallel bring it up to date', async () => {
  const name = `tesp_test_empty_${process.pid}`
  const url = await ensureDatabase(fresh.url, name)
  const db = connect(url, { max: 1 })
  try {
    expect(await isMigrated(db)).toBe(false)
    await Promise.all([1, 2, 3, 4].map(() => migrate(url)))
    expect(await isMigrated(db)).toBe(true)
    expect(await db('knex_migrations').orderBy('id').pluck('name')).toEqual(Object.keys(MIGRATIONS))
    expect(await readClockSpeed(db)).toBe(1)
    expect(Math.abs((await productNow(db)) - Date.now())).toBeLessThan(60_000)
  } finally {
    await db.destroy()
    await withClient(databaseAt(url, 'postgres'), (client) => client.query(`drop database ${name}`))
  }
})

it('connections that open slowly, as on a machine that is busy with its start, do not stop a migration', async () => {
  const { hostname, port } = new URL(fresh.url)
  const proxy = net.createServer(async (client) => {
    // Longer than the product waits for a connection otherwise.
    await sleep(3_500)
    const server = net.connect(Number(port), hostname)
    for (const socket of [client, server]) socket.on('error', () => {})
    client.pipe(server).pipe(client)
  })
  try {
    await once(proxy.listen(0, '127.0.0.1'), 'listening')
    const slow = new URL(fresh.url)
    slow.host = `127.0.0.1:${(proxy.address() as AddressInfo).port}`
    await migrate(slow.href)
  } finally {
    proxy.close()
  }
})

it.each([
  [['001-clock', '044-shard-merges']],
  [['001-baseline']],
  [['001-baseline', '012-product-clock']],
])(
  'a database with the early migrations %j is refused with one sentence, and nothing changes',
  async (names) => {
    const name = `tesp_test_early_${process.pid}`
    const url = await ensureDatabase(fresh.url, name)
    const db = connect(url, { max: 1 })
    try {
      await db.schema.createTable('knex_migrations', (table) => {
        table.increments()
        table.text('name')
      })
      await db('knex_migrations').insert(names.map((name) => ({ name })))
      await db.raw('create table schema_floor (migration text)')
      await db('schema_floor').insert({ migration: '005-inbox' })
      const refusal = await migrate(url).catch((error: unknown) => error)
      expect(explain(refusal)).toMatch(
        /^The database was made by a version of TESP Network before the first release.*empty database.*\.data/,
      )
      expect(await db.schema.hasTable('users')).toBe(false)
      expect(await isMigrated(db)).toBe(false)
    } finally {
      await db.destroy()
      await withClient(databaseAt(url, 'postgres'), (client) =>
        client.query(`drop database ${name}`),
      )
    }
  },
)

it('a second migrate changes nothing', async () => {
  await fresh.db('feature_flags').where({ name: 'kyc' }).update({ enabled: true })
  await migrate(fresh.url)
  expect(await fresh.db('feature_flags').where({ name: 'kyc' }).first()).toMatchObject({
    enabled: true,
  })
})

it('prepares no statement, which a pooler in transaction mode would not keep apart', async () => {
  const sent = vi.spyOn(Client.prototype, 'query')
  await migrate(fresh.url)
  const { pathname } = new URL(fresh.url)
  // The product of another file of this worker may still run, with statements of its own.
  const queries = sent.mock.calls
    .map(([query]): unknown => query)
    .filter((_, index) => `/${(sent.mock.contexts[index] as Client).database}` === pathname)
  sent.mockRestore()
  expect(queries.length).toBeGreaterThan(5)
  expect(queries.filter((query) => Object(query).name)).toEqual([])
})

it('product time does not jump when its speed changes', async () => {
  for (const speed of [60, 3600, 1]) {
    const before = await productNow(fresh.db)
    await migrate(fresh.url, { clockSpeed: speed })
    const after = await productNow(fresh.db)
    const previous = speed === 3600 ? 60 : speed === 1 ? 3600 : 1
    expect(await readClockSpeed(fresh.db)).toBe(speed)
    expect(after).toBeGreaterThanOrEqual(before)
    expect(after - before).toBeLessThan(Math.max(previous, speed) * 60_000)
  }
  await setClockSpeed(fresh.db, 2)
  await migrate(fresh.url)
  expect(await readClockSpeed(fresh.db)).toBe(2)
})

it('product time runs at the configured speed', async () => {
  await setClockSpeed(fresh.db, 1000)
  const [real, product] = [Date.now(), await productNow(fresh.db)]
  await new Promise((resolve) => setTimeout(resolve, 200))
  const passed = (await productNow(fresh.db)) - product
  const most = (Date.now() - real) * 1000
  expect(passed).toBeGreaterThanOrEqual(195_000)
  expect(passed).toBeLessThanOrEqual(most + 5_000)
})
