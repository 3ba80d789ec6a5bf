import { afterAll, afterEach, beforeAll, beforeEach, expect, it, onTestFinished, vi } from 'vitest'
import { MIGRATIONS } from '#db/migrations/index'
import { type FreshDatabase, freshDatabase } from '#scripts/testing/db/fresh-database'
import { migrate } from './migrate.ts'
import { floorOf, isMigrated } from './schema-floor.ts'

const FUTURE = '999-from-the-future'
const NEWEST = Object.keys(MIGRATIONS).at(-1) ?? ''
const up = async () => {}

let fresh: FreshDatabase

/** The schema after a release with one more migration, which works with releases from `floor` on. */
async function applyFuture(floor: string): Promise<void> {
  await fresh.db('knex_migrations').insert({ name: FUTURE, batch: 99 })
  await fresh.db('schema_floor').update({ migration: floor })
}

beforeAll(async () => {
  fresh = await freshDatabase()
})
afterAll(() => fresh.close())
beforeEach(async () => {
  expect(await isMigrated(fresh.db)).toBe(true)
})
afterEach(async () => {
  await fresh.db('knex_migrations').where({ name: FUTURE }).delete()
  await fresh.db('schema_floor').update({ migration: floorOf(MIGRATIONS) })
})

it('migrate rejects a newer schema that excludes this program, and names its migrations', async () => {
  await applyFuture(FUTURE)
  expect(await isMigrated(fresh.db)).toBe(false)
  await expect(migrate(fresh.url)).rejects.toThrow(
    'The database was migrated by a newer version of TESP Network (unknown migrations: 999-from-the-future). ' +
      'Start that version, or restore a database backup made by this version.',
  )
})

it('the floor is raised before the engine completes the schema, which may fail', async () => {
  await fresh.db('schema_floor').update({ migration: '000' })
  const engine = '#db/engine/postgres/postgres-engine'
  vi.resetModules()
  onTestFinished(() => {
    // Later files of the worker share its modules.
    vi.doUnmock(engine)
    vi.resetModules()
  })
  vi.doMock(engine, async (original) => ({
    ...(await original<object>()),
    completeSchema: () => Promise.reject(new Error('node is down')),
  }))
  const failing = await import('./migrate.ts')
  await expect(failing.migrate(fresh.url)).rejects.toThrow('node is down')
  expect(await fresh.db('schema_floor').first('migration')).toEqual({
    migration: floorOf(MIGRATIONS),
  })
})

it('a program runs on a newer schema that admits its newest migration', async () => {
  await applyFuture(NEWEST)
  expect(await isMigrated(fresh.db)).toBe(true)
  await migrate(fresh.url)
  expect(await fresh.db('knex_migrations').where({ name: FUTURE })).toHaveLength(1)
})

it('a start of an older release does not lower the floor of a newer one', async () => {
  await applyFuture(NEWEST)
  await fresh.db('schema_floor').update({ migration: `${NEWEST}-and-a-bit` })
  await expect(migrate(fresh.url)).rejects.toThrow('migrated by a newer version')
  await fresh.db('knex_migrations').where({ name: FUTURE }).delete()
  await migrate(fresh.url)
  const { migration } = await fresh.db('schema_floor').first()
  expect(migration).toBe(`${NEWEST}-and-a-bit`)
})

it('a schema without one of the migrations of this program is not migrated', async () => {
  const row = await fresh.db('knex_migrations').where({ name: NEWEST }).first()
  await fresh.db('knex_migrations').where({ name: NEWEST }).delete()
  expect(await isMigrated(fresh.db)).toBe(false)
  await fresh.db('knex_migrations').insert(row)
})

it('the floor is the newest of the releases that the migrations work with', () => {
  expect(floorOf({ '001-a': { up } })).toBe('001-a')
  expect(floorOf({ '001-a': { up }, '002-b': { up, runsWith: '001-a' } })).toBe('001-a')
  expect(floorOf({ '001-a': { up }, '002-b': { up, runsWith: '001-a' }, '003-c': { up } })).toBe(
    '003-c',
  )
  expect(
    floorOf({
      '001-a': { up },
      '002-b': { up, runsWith: '001-a' },
      '003-c': { up, runsWith: '002-b' },
    }),
  ).toBe('002-b')
})

it('runsWith names an existing earlier migration', () => {
  const names = Object.keys(MIGRATIONS)
  for (const [name, { runsWith }] of Object.entries(MIGRATIONS)) {
    if (runsWith === undefined) continue
    expect(names).toContain(runsWith)
    expect(runsWith < name).toBe(true)
  }
})
