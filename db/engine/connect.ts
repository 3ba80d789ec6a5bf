import type { Knex } from 'knex'
import { type ConnectOptions, openPool } from '#db/postgres/connection/pool'
import type { Db } from '#db/postgres/statements/transaction'
import { type Engine, setEngine } from './engine.ts'
import { postgresEngine } from './postgres/postgres-engine.ts'

/** The engine of each extension. Without `db/engine/citus` and its line the product runs on plain PostgreSQL. */
const EXTENSIONS: Record<string, () => Promise<Engine>> = {
  citus: async () => (await import('./citus/citus-engine.ts')).citusEngine,
}

/** The engine of a database: that of its first known extension, or plain PostgreSQL. */
export async function chooseEngine(db: Db): Promise<Engine> {
  const { rows } = await db.raw('select extname as name from pg_extension')
  for (const { name } of rows) {
    const engine = EXTENSIONS[name]
    if (engine) return engine()
  }
  return postgresEngine
}

/** A pool of connections to Postgres (`openPool`), whose engine is chosen with its first use. */
export function connect(databaseUrl: string, options: ConnectOptions = {}): Knex {
  const pool = openPool(databaseUrl, options)
  setEngine(pool, chooseEngine)
  return pool
}
