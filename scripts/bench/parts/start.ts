import { setTimeout as sleep } from 'node:timers/promises'
import { freePort } from '#db/process/free-port'
import { interleave, rowsOf } from '#scripts/bench/harness/interleave'
import { residentMb } from '#scripts/bench/harness/process-figures'
import { productEnv } from '#scripts/bench/harness/product-env'
import { type RoleName, startRole } from '#scripts/bench/harness/role'
import { benchServers } from '#scripts/bench/harness/servers'
import type { BenchOptions, BenchTable, PartResult } from '#scripts/bench/result'
import { buildRoles } from '#scripts/build/build-roles'

/** Time at rest before memory is read: V8 has collected what the start left behind. */
const REST_MS = 15_000
const ROLES = ['gateway', 'workers'] as const
const MEMORY_GOALS = { gateway: { atMost: 90 }, workers: { atMost: 70 } }

/** Cold starts of both roles from their bundles, and their resident memory at rest. */
export async function run({ rounds, quick }: BenchOptions): Promise<PartResult> {
  await buildRoles()
  const servers = await benchServers()
  const memory: Record<RoleName, number[]> = { gateway: [], workers: [] }
  const measure = (role: RoleName) => async () => {
    const port = String(await freePort())
    const started = await startRole(role, productEnv(servers, { PORT: port, WORKERS_PORT: port }))
    await sleep(quick ? 1_000 : REST_MS)
    memory[role].push(residentMb(started.pid))
    await started.stop()
    return started.startMs / 1_000
  }
  try {
    const shapes = { gateway: measure('gateway'), workers: measure('workers') }
    const seconds = await interleave(shapes, { rounds })
    return {
      part: 'start',
      title: 'Start and memory of the roles',
      tables: [startTable(seconds), memoryTable(memory, rounds)],
      notes: [
        'From the start of the process until it logs that it is ready: migrations checked, Redis subscribed, port open.',
        `Resident memory (\`VmRSS\`) of a production process ${REST_MS / 1_000} s after its start, on an empty database without requests.`,
      ],
    }
  } finally {
    await servers.stop()
  }
}

function startTable(seconds: Record<string, number[]>): BenchTable {
  const rows = rowsOf(seconds).map((row) => ({ ...row, goal: { atMost: 1 } }))
  return { id: 'time', title: 'Cold start', unit: 's', higherIsBetter: false, rows }
}

function memoryTable(memory: Record<RoleName, number[]>, rounds: number): BenchTable {
  const rows = ROLES.map((role) => ({
    label: role,
    values: memory[role].slice(-rounds),
    goal: MEMORY_GOALS[role],
  }))
  return { id: 'memory', title: 'Memory at rest', unit: 'MB', higherIsBetter: false, rows }
}
