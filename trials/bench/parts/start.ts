import { setTimeout as sleep } from 'node:timers/promises'
import { freePort } from '#runtime/config/free-port'
import { buildRoles } from '#scripts/build/build-roles'
import { residentMb } from '#trials/bench/harness/figures/process-figures'
import { productEnv } from '#trials/bench/harness/product-env'
import { type RoleName, type RunningRole, startRole } from '#trials/bench/harness/role'
import { type BenchServers, benchServers } from '#trials/bench/harness/servers'
import type { BenchOptions, BenchTable, PartResult } from '#trials/bench/result'

/** Time at rest before memory is read: V8 has collected what the start left behind. */
const REST_MS = 10_000
const ROLES = ['gateway', 'workers'] as const
const MEMORY_GOALS = { gateway: { atMost: 90 }, workers: { atMost: 70 } }

type Figures = Record<RoleName, { seconds: number[]; megabytes: number[] }>

/** Starts both roles, one after the other, lets them rest and reads what they hold. */
async function measureStarts(
  servers: BenchServers,
  roles: readonly RoleName[],
  restMs: number,
): Promise<Record<RoleName, { seconds: number; megabytes: number }>> {
  const started = new Map<RoleName, RunningRole>()
  for (const role of roles) {
    const port = String(await freePort())
    const env = productEnv(servers, { PORT: port, WORKERS_PORT: port })
    started.set(role, await startRole(role, env))
  }
  await sleep(restMs)
  const figures = [...started].map(([role, { startMs, pid }]) => [
    role,
    { seconds: startMs / 1_000, megabytes: residentMb(pid) },
  ])
  for (const running of started.values()) await running.stop()
  return Object.fromEntries(figures)
}

/** Cold starts of both roles from their bundles, and their resident memory at rest. */
export async function run({ rounds, quick }: BenchOptions): Promise<PartResult> {
  await buildRoles()
  const servers = await benchServers()
  const figures: Figures = {
    gateway: { seconds: [], megabytes: [] },
    workers: { seconds: [], megabytes: [] },
  }
  try {
    await measureStarts(servers, ROLES, 0)
    for (let round = 0; round < rounds; round++) {
      const order = round % 2 === 0 ? ROLES : ROLES.toReversed()
      const measured = await measureStarts(servers, order, quick ? 1_000 : REST_MS)
      for (const role of ROLES) {
        figures[role].seconds.push(measured[role].seconds)
        figures[role].megabytes.push(measured[role].megabytes)
      }
    }
    return {
      part: 'start',
      title: 'Start and memory of the roles',
      tables: [startTable(figures), memoryTable(figures)],
      notes: [
        'From the start of the process until it logs that it is ready: migrations checked, Redis subscribed, port open.',
        `Resident memory (\`VmRSS\`) of production processes ${REST_MS / 1_000} s after their start, on an empty database without requests.`,
      ],
    }
  } finally {
    await servers.stop()
  }
}

function startTable(figures: Figures): BenchTable {
  const rows = ROLES.map((role) => ({
    label: role,
    values: figures[role].seconds,
    goal: { atMost: 1 },
  }))
  return { id: 'time', title: 'Cold start', unit: 's', higherIsBetter: false, rows }
}

function memoryTable(figures: Figures): BenchTable {
  const rows = ROLES.map((role) => ({
    label: role,
    values: figures[role].megabytes,
    goal: MEMORY_GOALS[role],
  }))
  return { id: 'memory', title: 'Memory at rest', unit: 'MB', higherIsBetter: false, rows }
}
