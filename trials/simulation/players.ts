import { databaseAt, withClient } from '#db/postgres/connection/create-database'
import { Forked } from '#trials/kit/fork'
import type { PlayerCalls } from './player-process.ts'
import { type Simulation, simulate, type WorldReport } from './simulate.ts'

/** Name of the migrated database that each world copies. */
export const TEMPLATE = 'simulation_template'

/** A world, and the URL of the server on which it gets its own database. */
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

/** Larger than the default of V8, MB: rows and queries of a statement die young. */
const YOUNG_MB = 32

/** Processes that play worlds: each keeps one core busy, and Postgres part of another. */
export class Players {
  private readonly processes: Forked<PlayerCalls>[]

  constructor(count: number) {
    const flags = [`--max-semi-space-size=${YOUNG_MB}`]
    this.processes = Array.from(
      { length: count },
      () => new Forked<PlayerCalls>('trials/simulation/player-process.ts', { flags }),
    )
  }

  /** Plays a world in process `n`, counted around. */
  async play(n: number, world: WorldToPlay): Promise<WorldReport> {
    const process = this.processes[n % this.processes.length]
    if (!process) throw new Error('there is no process to play in')
    return process.call('play', world)
  }

  /** Ends the processes, whatever they play. */
  end(): void {
    for (const process of this.processes) process.end()
  }
}
