import { withClient } from '#db/postgres/connection/pool'
import { databaseAt } from '#scripts/embedded/create-database'
import { serve } from '#trials/kit/fork'
import { type Simulation, simulate, TEMPLATE, type WorldReport } from './simulate.ts'

// Keeps one core busy, and Postgres part of another.

const CALLS = {
  async play(server: string, simulation: Simulation): Promise<WorldReport> {
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
  },
}
export type PlayerCalls = typeof CALLS
serve(CALLS)
