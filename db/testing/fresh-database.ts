import { connect } from '#db/postgres/connection/connect'
import type { Db } from '#db/postgres/statements/transaction'
import { type TestDatabase, testDatabase, testSecrets } from './database.ts'

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
    const made = connect(rest.url, { max, name: 'test' })
    pools.push(made)
    return made
  }
  return {
    ...rest,
    db: pool(10),
    dataKey: Buffer.from(testSecrets().DATA_KEY, 'base64'),
    pool,
    async close() {
      await Promise.all(pools.map((each) => each.destroy()))
      await drop()
    },
  }
}
