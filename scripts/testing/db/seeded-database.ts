import { afterAll, afterEach, beforeAll, beforeEach } from 'vitest'
import type { Db } from '#db/postgres/statements/transaction'
import { type FreshDatabase, freshDatabase } from './fresh-database.ts'

/** A database that tests copy. It has no connections, because Postgres would not copy it. */
type Original<T> = { url: string; seeded: T; drop(): Promise<void> }

/**
 * Makes one database before the tests of a file and gives each test a copy of it, which costs less
 * than making another. The returned database is usable within hooks of a `describe` and tests.
 */
function useCopies<T extends object>(make: () => Promise<Original<T>>): FreshDatabase & T {
  const copy = {} as FreshDatabase & T
  let original: Original<T>
  beforeAll(async () => {
    original = await make()
  })
  beforeEach(async () => {
    const template = new URL(original.url).pathname.slice(1)
    Object.assign(copy, await freshDatabase(template), original.seeded)
  })
  afterEach(() => copy.close?.())
  afterAll(() => original?.drop())
  return copy
}

/** Copies of a migrated database that `seed` has filled, with what it returned. */
export function useSeeded<T extends object>(seed: (db: Db) => Promise<T>): FreshDatabase & T {
  return useCopies(async () => {
    const { db, url, close } = await freshDatabase()
    const seeded = await seed(db)
    await db.destroy()
    return { url, seeded, drop: close }
  })
}
