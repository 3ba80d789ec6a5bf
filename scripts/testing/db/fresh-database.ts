import { connect } from '#db/engine/connect'
import { engineOf } from '#db/engine/engine'
import type { Db } from '#db/postgres/statements/transaction'
import { type TestDatabase, testDatabase, testPool, testSecrets } from './database.ts'

/** A `TestDatabase` with a connection pool. */
export type FreshDatabase = Omit<TestDatabase, 'drop'> & {
  db: Db
  dataKey: Buffer
  /** Another pool on the same database, closed together with it. */
  pool(max: number): Db
  close(): Promise<void>
}

/**
 * Call it in `beforeAll`, and `close` in `afterAll`.
 * @param template as for `testDatabase`
 */
export async function freshDatabase(template?: string): Promise<FreshDatabase> {
  const { drop, ...rest } = await testDatabase(template)
  const pools: Db[] = []
  const pool = (max: number) => {
    const made = connect(rest.url, testPool(max))
    pools.push(made)
    return made
  }
  const db = pool(10)
  // Asked here, so that tests which count statements do not count the question.
  await engineOf(db)
  return {
    ...rest,
    db,
    dataKey: Buffer.from(testSecrets().DATA_KEY, 'base64'),
    pool,
    async close() {
      await Promise.all(pools.map((each) => each.destroy()))
      await drop()
    },
  }
}
