import { hasCitus } from '#db/migrations/citus/distribute-later'
import { MIGRATIONS, type Step } from '#db/migrations/index'
import type { Db } from '#db/postgres/statements/transaction'

/** The schema is newer than this program, and an older release must not run on it. */
export class SchemaTooNew extends Error {
  constructor(unknown: string[]) {
    super(
      `The database was migrated by a newer version of TESP Network (unknown migrations: ${unknown.join(', ')}). ` +
        'Start that version, or restore a database backup made by this version.',
    )
    this.name = 'SchemaTooNew'
  }
}

const OWN = Object.keys(MIGRATIONS)
/** Names begin with three digits, so their order is that of the text. */
const newest = (names: string[]) => [...names].sort().at(-1) ?? ''

/** The newest migration of the oldest release that may run on the schema of these migrations. */
export function floorOf(migrations: Record<string, Step>): string {
  return newest(Object.entries(migrations).map(([name, { runsWith = name }]) => runsWith))
}

/** Names of the migrations that the database has. */
export async function appliedMigrations(db: Db): Promise<string[]> {
  if (!(await db.schema.hasTable('knex_migrations'))) return []
  return db('knex_migrations').pluck('name')
}

/** Migrations of newer releases, unless the schema admits this program in spite of them. */
async function excludingMigrations(db: Db, applied: string[]): Promise<string[]> {
  const unknown = applied.filter((name) => !(name in MIGRATIONS))
  if (unknown.length === 0 || !(await db.schema.hasTable('schema_floor'))) return unknown
  const floor = await db('schema_floor').first('migration')
  return floor && floor.migration <= newest(OWN) ? [] : unknown
}

/** @throws {SchemaTooNew} when a newer migration excludes this program */
export async function assertRunsHere(db: Db): Promise<void> {
  const unknown = await excludingMigrations(db, await appliedMigrations(db))
  if (unknown.length > 0) throw new SchemaTooNew(unknown)
}

/** Releases before it would number ledger rows by a sequence, those since number them by wallet. */
const FLOOR_ON_CITUS = '043-shard-statements'

/** Stores the floor of this program's migrations; one of a newer release stays. */
export async function raiseSchemaFloor(db: Db): Promise<void> {
  const floors = [floorOf(MIGRATIONS), ...((await hasCitus(db)) ? [FLOOR_ON_CITUS] : [])]
  await db('schema_floor')
    .insert({ migration: newest(floors) })
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
