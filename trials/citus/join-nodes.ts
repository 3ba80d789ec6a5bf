import { databaseAt, withClient } from '#db/postgres/connection/admin'

const HOST = '127.0.0.1'

const portOf = (url: string) => Number(new URL(url).port)

const install = (server: string, name: string) =>
  withClient(databaseAt(server, name), (client) => client.query('create extension citus'))

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
  await install(coordinator, name)
  const url = databaseAt(coordinator, name)
  await withClient(url, (client) =>
    client.query('select citus_set_coordinator_host($1, $2)', [HOST, portOf(coordinator)]),
  )
  for (const worker of workers) await addNode(coordinator, worker, name)
  return url
}

/** Installs Citus in the database of that name on one more server, and joins it. */
export async function addNode(coordinator: string, worker: string, name: string): Promise<void> {
  await install(worker, name)
  await withClient(databaseAt(coordinator, name), (client) =>
    client.query('select citus_add_node($1, $2)', [HOST, portOf(worker)]),
  )
}
