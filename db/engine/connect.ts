import type { Knex } from 'knex'
import { type ConnectOptions, openPool } from '#db/postgres/connection/pool'
import type { Db } from '#db/postgres/statements/transaction'
import { type Engine, setEngine } from './engine.ts'
import * as postgresEngine from './postgres/postgres-engine.ts'

/** The engine of a database: that of Citus where the extension exists, or plain PostgreSQL. */
export async function chooseEngine(db: Db): Promise<Engine> {
  const { rows } = await db.raw(`select from pg_extension where extname = 'citus'`)
  if (rows.length === 0) return postgresEngine
  return import('./citus/citus-engine.ts')
}

/** A pool of connections to Postgres (`openPool`), whose engine is chosen with its first use. */
export function connect(databaseUrl: string, options: ConnectOptions = {}): Knex {
  const pool = openPool(databaseUrl, options)
  setEngine(pool, chooseEngine)
  return pool
}
