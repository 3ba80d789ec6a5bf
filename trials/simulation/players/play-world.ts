import { databaseAt, withClient } from '#db/postgres/connection/admin'
import { type Simulation, simulate, type WorldReport } from '#trials/simulation/simulate'

/** Name of the migrated database that each world copies. */
export const TEMPLATE = 'simulation_template'

/** A world, and the URL of the server on which it gets a database of its own. */
export type WorldToPlay = Simulation & { server: string }

/** Plays a world on a copy of the template. */
export async function playWorld({ server, ...simulation }: WorldToPlay): Promise<WorldReport> {
  const admin = databaseAt(server, 'postgres')
  const name = `simulation_${simulation.seed}`
  await withClient(admin, (client) =>
    client.query(`create database ${name} template ${TEMPLATE} strategy file_copy`),
  )
  try {
    return await simulate(databaseAt(server, name), simulation)
  } finally {
    await withClient(admin, (client) => client.query(`drop database ${name} with (force)`))
  }
}
