import { setTimeout as sleep } from 'node:timers/promises'
import { Client } from 'pg'
import { connect } from '#db/engine/connect'
import { engineOf, type Report } from '#db/engine/engine'
import { ensurePartitions } from '#db/ledger/partitions'
import { MIGRATIONS } from '#db/migrations/index'
import { setClockSpeed } from '#db/postgres/connection/product-clock'
import { assertRunsHere, isMigrated, raiseSchemaFloor } from './schema-floor.ts'

/** Key of the advisory lock that serialises migrations across processes. */
const MIGRATION_LOCK = 7_300_101
const LOCK_PAUSE_MS = 100

/** Knex runs all of them in one transaction: a process that is killed leaves none of them. */
const migrationSource = {
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
    // Without a bound value: a bound statement keeps its snapshot, for which indexes would wait.
    const { rows } = await client.query(
      `select pg_try_advisory_xact_lock(${MIGRATION_LOCK}) as "isLocked"`,
    )
    if (rows[0].isLocked) return
    await client.query('rollback')
    await sleep(LOCK_PAUSE_MS)
  }
}

/**
 * Brings the schema up to date and creates the ledger's partitions for the days ahead; safe to run
 * in several processes in parallel.
 * @param options.clockSpeed speed of product time from now on; unchanged when absent
 * @param options.report gets lines about the progress of work that takes long
 * @throws {SchemaTooNew} when a newer migration excludes this program
 * @throws {SchemaBeforeBaseline} when the database was made before the first release
 */
export async function migrate(
  databaseUrl: string,
  options: { clockSpeed?: number | undefined; report?: Report } = {},
): Promise<void> {
  const { report = () => {} } = options
  const lock = new Client({ connectionString: databaseUrl })
  // If its connection is lost, its next statement fails.
  lock.on('error', () => {})
  await lock.connect()
  const db = connect(databaseUrl, {
    max: 2,
    name: 'tesp-migrate',
    statementTimeoutMs: 0,
    // `npm start` loads its modules meanwhile, which keeps a slow machine from reading answers.
    connectTimeoutMs: 30_000,
    // It may run behind a pooler in transaction mode.
    preparedStatements: false,
  })
  try {
    await takeMigrationLock(lock)
    await assertRunsHere(db)
    if (!(await isMigrated(db))) {
      // A killed process leaves Knex's own lock; ours proves that nobody else migrates.
      await db.migrate.forceFreeMigrationsLock({ migrationSource })
      // `assertRunsHere` decides about migrations that this program does not have.
      await db.migrate.latest({ migrationSource, disableMigrationsListValidation: true })
    }
    await (await engineOf(db)).completeSchema(db, report)
    await raiseSchemaFloor(db)
    if (options.clockSpeed !== undefined) await setClockSpeed(db, options.clockSpeed)
    await ensurePartitions(db)
    await lock.query('commit')
  } finally {
    await db.destroy()
    await lock.end()
  }
}
