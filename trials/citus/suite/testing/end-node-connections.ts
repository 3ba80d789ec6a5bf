import { inject } from 'vitest'
import { databaseAt, withClient } from '#db/postgres/connection/admin'
import type { Db } from '#db/postgres/statements/transaction'

/** Ends the connections of a pool to every node, as a crash of the nodes does; the pool has one. */
export async function endNodeConnections(db: Db): Promise<void> {
  const { rows } = await db.raw('select citus_backend_gpid()::text as id')
  for (const node of inject('testServers').otherNodes ?? []) {
    await withClient(databaseAt(node, 'postgres'), (client) =>
      client.query(
        'select pg_terminate_backend(pid) from pg_stat_activity where application_name = $1',
        [`citus_internal gpid=${rows[0].id}`],
      ),
    )
  }
}
