import { MIGRATIONS, type Step } from '#db/migrations/index'
import { type Db, sqlState } from '#db/postgres/statements/transaction'
import { OperatorError } from '#runtime/operator-error'

const schemaTooNew = (unknown: string[]) =>
  new OperatorError(
    `The database was migrated by a newer version of TESP Network (unknown migrations: ${unknown.join(', ')}). ` +
      'Start that version, or restore a database backup made by this version.',
  )

const schemaBeforeBaseline = () =>
  new OperatorError(
    'The database was made by a version of TESP Network before the first release, which cannot be upgraded, ' +
      'or belongs to another program. ' +
      'Set DATABASE_URL to an empty database, or delete the folder .data if npm start made it; ' +
      'its members and balances are lost.',
  )

const OWN = Object.keys(MIGRATIONS)
const BASELINE = OWN[0] ?? ''
/** Names begin with three digits, so their order is that of the text. */
const newest = (names: string[]) => [...names].sort().at(-1) ?? ''

/** The newest migration of the oldest release that may run on the schema of these migrations. */
export function floorOf(migrations: Record<string, Step>): string {
  return newest(Object.entries(migrations).map(([name, { runsWith = name }]) => runsWith))
}

export async function appliedMigrations(db: Db): Promise<string[]> {
  if (!(await db.schema.hasTable('knex_migrations'))) return []
  return db('knex_migrations').pluck('name')
}

/** Migrations of newer releases, unless the schema admits this program in spite of them. */
async function excludingMigrations(db: Db, applied: string[]): Promise<string[]> {
  const unknown = applied.filter((name) => !(name in MIGRATIONS))
  if (unknown.length === 0) return unknown
  const floor = await db('schema_floor').first('migration')
  return floor && floor.migration <= newest(OWN) ? [] : unknown
}

/** @throws {OperatorError} if a newer migration excludes this program, or the schema lacks the baseline */
export async function assertRunsHere(db: Db): Promise<void> {
  const applied = await appliedMigrations(db)
  if (applied.length > 0 && !applied.includes(BASELINE)) throw schemaBeforeBaseline()
  const unknown = await excludingMigrations(db, applied)
  if (unknown.length > 0) throw schemaTooNew(unknown)
}

/** SQLSTATEs of a table, a column or a function that a statement names and the schema lacks. */
const MISSING = new Set(['42P01', '42703', '42883'])

/**
 * Runs a command of operators. If it fails because of the schema's version, the error says so.
 * @throws {OperatorError} as `assertRunsHere`, or if migrations are missing
 */
export async function explainingSchema<T>(db: Db, work: () => Promise<T>): Promise<T> {
  try {
    return await work()
  } catch (error) {
    if (!MISSING.has(sqlState(error) ?? '')) throw error
    await assertRunsHere(db)
    const applied = await appliedMigrations(db)
    const lacking = OWN.filter((name) => !applied.includes(name))
    if (lacking.length === 0) throw error
    throw new OperatorError(
      `The database lacks the migrations ${lacking.join(', ')}: run npm run migrate.`,
    )
  }
}

/** Stores a floor, by default that of this program's migrations; one of a newer release stays. */
export async function raiseSchemaFloor(db: Db, floor = floorOf(MIGRATIONS)): Promise<void> {
  await db('schema_floor')
    .insert({ migration: floor })
    .onConflict('singleton')
    .merge({ migration: db.raw('greatest(schema_floor.migration, excluded.migration)') })
}

/** Whether every migration of this program is applied and no newer one excludes it. */
export async function isMigrated(db: Db): Promise<boolean> {
  const applied = await appliedMigrations(db)
  const names = new Set(applied)
  if (!OWN.every((name) => names.has(name))) return false
  return (await excludingMigrations(db, applied)).length === 0
}
