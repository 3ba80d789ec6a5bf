import { withClient } from '#db/postgres/connection/pool'

/** URL of another database on the same server. */
export function databaseAt(serverUrl: string, name: string): string {
  const url = new URL(serverUrl)
  url.pathname = `/${name}`
  return url.href
}

/** Creates the database unless it exists; resolves with its URL. */
export async function ensureDatabase(serverUrl: string, name: string): Promise<string> {
  await withClient(databaseAt(serverUrl, 'postgres'), async (client) => {
    const { rowCount } = await client.query('SELECT FROM pg_database WHERE datname = $1', [name])
    if (rowCount === 0) await client.query(`CREATE DATABASE ${client.escapeIdentifier(name)}`)
  })
  return databaseAt(serverUrl, name)
}
