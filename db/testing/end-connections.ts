import { databaseAt, withClient } from '#db/postgres/connection/admin'

/**
 * Ends the connections of a database on a node of Citus for good, those of Citus itself too: one that is in
 * use can neither be copied nor dropped.
 */
export const endConnections = (url: string, database: string) =>
  withClient(databaseAt(url, 'postgres'), async (client) => {
    const { rowCount } = await client.query('select from pg_database where datname = $1', [
      database,
    ])
    if (rowCount === 0) return
    await client.query(`alter database ${database} allow_connections false`)
    await client.query(
      'select pg_terminate_backend(pid, 5000) from pg_stat_activity where datname = $1',
      [database],
    )
  })
