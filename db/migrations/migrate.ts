import { setTimeout as sleep } from 'node:timers/promises'
import type { Knex } from 'knex'
import { connect } from '#db/engine/connect'
import { engineOf, type Report } from '#db/engine/engine'
import { ensurePartitions } from '#db/ledger/partitions'
import { MIGRATIONS } from '#db/migrations/index'
import { setClockSpeed } from '#db/postgres/connection/product-clock'
import { type Db, sqlState } from '#db/postgres/statements/transaction'
import { withMigrationLock } from './migration-lock.ts'
import { assertRunsHere, floorOf, isMigrated, raiseSchemaFloor } from './schema-floor.ts'

/** Longest wait of a migration for a lock, because members wait behind it. */
const LOCK_TIMEOUT = '2s'
/** Time for those who waited, before the migration is repeated. */
const LOCK_PAUSE_MS = 1_000
const LOCK_NOT_AVAILABLE = '55P03'

const migrationSource = {
  getMigrations: async () => Object.keys(MIGRATIONS),
  getMigrationName: (name: string) => name,
  getMigration: async (name: string) => {
    const step = MIGRATIONS[name]
    if (!step) throw new Error(`no migration ${name}`)
    const up = async (tx: Knex) => {
      // Also behind a pooler, which does not pass on the limit of the connection.
      await tx.raw(`
        set local statement_timeout = 0;
        set local lock_timeout = '${LOCK_TIMEOUT}'`)
      await step.up(tx)
      // Releases that the migration excludes must not run on it, even if a later one fails.
      await raiseSchemaFloor(tx, floorOf({ [name]: step }))
    }
    return { up, down: async () => {} }
  },
}

/** Runs the missing migrations, each in a transaction: a process that is killed leaves none of them half done. */
async function runMigrations(db: Db, report: Report): Promise<void> {
  // A killed process leaves Knex's own lock; the lock of `migrate` proves that nobody else migrates.
  await db.migrate.forceFreeMigrationsLock({ migrationSource })
  let isReported = false
  for (;;) {
    try {
      // `assertRunsHere` decides about migrations that this program does not have.
      const options = { migrationSource, disableMigrationsListValidation: true }
      const [, done] = await db.migrate.up(options)
      if (done.length === 0) return
    } catch (error) {
      if (sqlState(error) !== LOCK_NOT_AVAILABLE) throw error
      if (!isReported) report('waiting for a transaction that locks what a migration changes')
      isReported = true
      await sleep(LOCK_PAUSE_MS)
    }
  }
}

/**
 * Brings the schema up to date and creates the ledger's partitions for the days ahead; safe in parallel processes.
 * @param options.clockSpeed speed of product time from now on; unchanged when absent
 * @param options.isRole the process serves: it does not wait for one that migrates if the database has what it needs
 * @throws {OperatorError} when a newer migration excludes this program, or the schema lacks the baseline
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
    if (!(await isMigrated(db))) await runMigrations(db, report)
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
