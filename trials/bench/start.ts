import { setTimeout as sleep } from 'node:timers/promises'
import { interleave, residentMb } from './measure.ts'
import type { BenchOptions, BenchRow, Goal, PartResult } from './result.ts'
import { type RoleName, startRole } from './role.ts'
import { benchServers } from './servers.ts'

/** Time at rest before memory is read: V8 has collected what the start left behind. */
const REST_MS = 10_000
const ROLES = ['gateway', 'workers'] as const
const START_GOALS = { gateway: { atMost: 1 }, workers: { atMost: 1 } }
const MEMORY_GOALS = { gateway: { atMost: 90 }, workers: { atMost: 70 } }

export async function measureStart({ rounds, quick }: BenchOptions): Promise<PartResult> {
  const servers = await benchServers()
  const start = (role: RoleName) => async () => {
    const { pid, startMs, stop } = await startRole(role, servers)
    await sleep(quick ? 1_000 : REST_MS)
    const figures = { seconds: startMs / 1_000, megabytes: residentMb(pid) }
    await stop()
    return figures
  }
  try {
    const measured = await interleave(
      { gateway: start('gateway'), workers: start('workers') },
      { rounds },
    )
    const rows = (figure: 'seconds' | 'megabytes', goals: Record<RoleName, Goal>) =>
      ROLES.map((role): BenchRow => {
        const values = measured[role].map((one) => one[figure])
        return { label: role, values, goal: goals[role] }
      })
    return {
      title: 'Start and memory of the roles',
      tables: [
        { title: 'Cold start', unit: 's', rows: rows('seconds', START_GOALS) },
        { title: 'Memory at rest', unit: 'MB', rows: rows('megabytes', MEMORY_GOALS) },
      ],
      notes: [
        'From the start of the process until it logs that it is ready: migrations checked, Redis subscribed, port open.',
        `Resident memory (\`VmRSS\`) of a production process ${REST_MS / 1_000} s after its start, on an empty database without requests.`,
      ],
    }
  } finally {
    await servers.stop()
  }
}
