import { setTimeout as sleep } from 'node:timers/promises'
import { Client } from 'pg'
import { MIGRATIONS } from '#db/migrations/index'
import { connect } from './connect.ts'
import { ensurePartitions } from './partitions.ts'
import { setClockSpeed } from './product-clock.ts'
import { assertRunsHere, raiseSchemaFloor } from './schema-floor.ts'

/** Key of the advisory lock that serialises migrations across processes. */
const MIGRATION_LOCK = 7_300_101
const LOCK_PAUSE_MS = 100

const source = {
  getMigrations: async () => Object.keys(MIGRATIONS),
  getMigrationName: (name: string) => name,
  getMigration: async (name: string) => {
    const step = MIGRATIONS[name]
    if (!step) throw new Error(`no migration ${name}`)
    return { up: step.up, down: async () => {} }
  },
}

/**
 * Takes the lock until the transaction of `client` ends. A lock of the session would outlive this
 * process behind a pooler in transaction mode. A failed try ends its transaction, because a waiting
 * one would occupy a connection of the pooler that the holder of the lock needs.
 */
async function takeMigrationLock(client: Client): Promise<void> {
  for (;;) {
    await client.query('begin')
    await client.query('set local idle_in_transaction_session_timeout = 0')
    const sql = 'select pg_try_advisory_xact_lock($1) as "isLocked"'
    const { rows } = await client.query(sql, [MIGRATION_LOCK])
    if (rows[0].isLocked) return
    await client.query('rollback')
    await sleep(LOCK_PAUSE_MS)
  }
}

/**
 * Brings the schema up to date and creates the ledger's partitions for the days ahead; safe to run
 * in several processes in parallel.
 * @param options.clockSpeed speed of product time from now on; unchanged when absent
 * @throws {SchemaTooNew} when a newer migration excludes this program
 */
export async function migrate(
  databaseUrl: string,
  options: { clockSpeed?: number | undefined } = {},
): Promise<void> {
  const lock = new Client({ connectionString: databaseUrl })
  await lock.connect()
  const db = connect(databaseUrl, { max: 2, name: 'tesp-migrate', statementTimeoutMs: 0 })
  try {
    await takeMigrationLock(lock)
    await assertRunsHere(db)
    // `assertRunsHere` decides about migrations that this program does not have.
    await db.migrate.latest({ migrationSource: source, disableMigrationsListValidation: true })
    await raiseSchemaFloor(db)
    if (options.clockSpeed !== undefined) await setClockSpeed(db, options.clockSpeed)
    await ensurePartitions(db)
    await lock.query('commit')
  } finally {
    await db.destroy()
    await lock.end()
  }
}
