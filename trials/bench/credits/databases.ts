import { connect } from '#db/engine/connect'
import { migrate } from '#db/migrations/migrate'
import { databaseAt, ensureDatabase, withClient } from '#db/postgres/connection/admin'
import type { Db } from '#db/postgres/statements/transaction'
import { populate } from './population.ts'

/** A database of its own with that many members who mine; two connections. */
export type PopulatedDatabase = { url: string; members: number; db: Db; close(): Promise<void> }

function opened(url: string, members: number): PopulatedDatabase {
  const db = connect(url, { max: 2, name: 'bench', statementTimeoutMs: 0 })
  return { url, members, db, close: () => db.destroy() }
}

export async function populatedDatabase(
  serverUrl: string,
  name: string,
  members: number,
): Promise<PopulatedDatabase> {
  const url = await ensureDatabase(serverUrl, name)
  await migrate(url)
  const database = opened(url, members)
  await populate(database.db, members)
  return database
}

/** The same rows again in a database of their own, on equal pages. */
export async function copiedDatabase(
  source: PopulatedDatabase,
  name: string,
): Promise<PopulatedDatabase> {
  // Postgres copies a database only while nobody is connected to it.
  await source.db.destroy()
  const original = new URL(source.url).pathname.slice(1)
  await withClient(databaseAt(source.url, 'postgres'), (client) =>
    client.query(`create database ${name} template ${original}`),
  )
  source.db.initialize()
  return opened(databaseAt(source.url, name), source.members)
}
