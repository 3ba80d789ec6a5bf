import { databaseAt, withClient } from '#db/postgres/connection/admin'

const HOST = '127.0.0.1'

/**
 * Installs Citus in the database of that name on every server, and joins the nodes in it.
 * @param coordinator URL of the coordinator, and `workers` of the nodes, for administration
 * @returns URL of the database
 */
export async function joinNodes(
  coordinator: string,
  workers: string[],
  name: string,
): Promise<string> {
  for (const node of [coordinator, ...workers]) {
    await withClient(databaseAt(node, name), (client) => client.query('create extension citus'))
  }
  const url = databaseAt(coordinator, name)
  await withClient(url, async (client) => {
    const { port } = new URL(coordinator)
    await client.query('select citus_set_coordinator_host($1, $2)', [HOST, Number(port)])
    for (const worker of workers) {
      await client.query('select citus_add_node($1, $2)', [HOST, Number(new URL(worker).port)])
    }
  })
  return url
}
