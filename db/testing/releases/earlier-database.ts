import { MIGRATIONS } from '#db/migrations/index'
import { ensureDatabase } from '#db/postgres/connection/admin'
import { connect } from '#db/postgres/connection/connect'

/**
 * A new database as the release before the migration `name` left it, with partitions of no day.
 * @returns its URL
 */
export async function databaseBefore(
  serverUrl: string,
  database: string,
  name: keyof typeof MIGRATIONS,
): Promise<string> {
  const names = Object.keys(MIGRATIONS)
  const earlier = names.slice(0, names.indexOf(name))
  const url = await ensureDatabase(serverUrl, database)
  const db = connect(url, { max: 2, name: 'earlier', statementTimeoutMs: 0 })
  try {
    await db.migrate.latest({
      disableMigrationsListValidation: true,
      migrationSource: {
        getMigrations: async () => earlier,
        getMigrationName: (each: string) => each,
        getMigration: async (each: string) => {
          const { up, config = { transaction: true } } = MIGRATIONS[each] ?? missing(each)
          return { up: (tx) => up(tx, () => {}), down: async () => {}, config }
        },
      },
    })
  } finally {
    await db.destroy()
  }
  return url
}

function missing(name: string): never {
  throw new Error(`no migration ${name}`)
}
