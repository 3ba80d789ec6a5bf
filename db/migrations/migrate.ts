import type { Knex } from 'knex'
import { connect } from '#db/engine/connect'
import { engineOf, type Report } from '#db/engine/engine'
import { ensurePartitions } from '#db/ledger/partitions'
import { MIGRATIONS } from '#db/migrations/index'
import { setClockSpeed } from '#db/postgres/connection/product-clock'
import { withMigrationLock } from './migration-lock.ts'
import { assertRunsHere, isMigrated, raiseSchemaFloor } from './schema-floor.ts'

/** Knex runs all of them in one transaction: a process that is killed leaves none of them. */
const migrationSource = {
  getMigrations: async () => Object.keys(MIGRATIONS),
  getMigrationName: (name: string) => name,
  getMigration: async (name: string) => {
    const step = MIGRATIONS[name]
    if (!step) throw new Error(`no migration ${name}`)
    const up = async (tx: Knex) => {
      // Also behind a pooler, which does not pass on the limit of the connection.
      await tx.raw('set local statement_timeout = 0')
      await step.up(tx)
    }
    return { up, down: async () => {} }
  },
}

/**
 * Brings the schema up to date and creates the ledger's partitions for the days ahead; safe to run
 * in several processes in parallel.
 * @param options.clockSpeed speed of product time from now on; unchanged when absent
 * @param options.isRole for a process that serves: it does not wait for another one that migrates if the
 * database has what it needs
 * @param options.report gets lines about the progress of work that takes long
 * @throws {OperatorError} when a newer migration excludes this program, or the database was made before the
 * first release
 */
export async function migrate(
  databaseUrl: string,
  options: { clockSpeed?: number | undefined; isRole?: boolean; report?: Report } = {},
): Promise<void> {
  const { isRole = false, report = () => {} } = options
  const db = connect(databaseUrl, {
    max: 2,
    name: 'tesp-migrate',
    statementTimeoutMs: 0,
    // `npm start` loads its modules meanwhile, which keeps a slow machine from reading answers.
    connectTimeoutMs: 30_000,
    // It may run behind a pooler in transaction mode.
    preparedStatements: false,
  })
  const work = async () => {
    await assertRunsHere(db)
    if (!(await isMigrated(db))) {
      // A killed process leaves Knex's own lock; ours proves that nobody else migrates.
      await db.migrate.forceFreeMigrationsLock({ migrationSource })
      // `assertRunsHere` decides about migrations that this program does not have.
      await db.migrate.latest({ migrationSource, disableMigrationsListValidation: true })
    }
    // At once: what follows may fail, and releases that the migrations exclude must not run on them.
    await raiseSchemaFloor(db)
    await (await engineOf(db)).completeSchema(db, report)
    if (options.clockSpeed !== undefined) await setClockSpeed(db, options.clockSpeed)
    await ensurePartitions(db)
  }
  const isNeedless = async () =>
    isRole && (await isMigrated(db)) && (await engineOf(db)).isSchemaComplete(db)
  try {
    await withMigrationLock(databaseUrl, report, work, { isNeedless })
  } finally {
    await db.destroy()
  }
}
