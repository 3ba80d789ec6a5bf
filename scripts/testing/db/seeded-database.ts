import { afterAll, afterEach, beforeAll, beforeEach } from 'vitest'
import type { Db } from '#db/postgres/statements/transaction'
import { type FreshDatabase, freshDatabase } from './fresh-database.ts'

/**
 * Fills one migrated database by `seed` before the tests of a file and gives each test a copy of it, which
 * costs less than filling another, with what `seed` returned. The returned database is usable within hooks
 * of a `describe` and tests.
 */
export function useSeeded<T extends object>(seed: (db: Db) => Promise<T>): FreshDatabase & T {
  const copy = {} as FreshDatabase & T
  let original: FreshDatabase
  let seeded: T
  beforeAll(async () => {
    original = await freshDatabase()
    seeded = await seed(original.db)
    // Postgres copies a database only while nobody is connected to it.
    await original.db.destroy()
  })
  beforeEach(async () => {
    const template = new URL(original.url).pathname.slice(1)
    Object.assign(copy, await freshDatabase(template), seeded)
  })
  afterEach(() => copy.close?.())
  afterAll(() => original?.close())
  return copy
}
