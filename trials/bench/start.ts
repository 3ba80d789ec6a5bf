import { setTimeout as sleep } from 'node:timers/promises'
import { interleave, residentMb } from './measure.ts'
import type { BenchRow, Part } from './result.ts'
import { startRole } from './role.ts'

/** Time at rest before memory is read: V8 has collected what the start left behind. */
const REST_MS = 10_000
const ROLES = ['gateway', 'workers'] as const
type Role = (typeof ROLES)[number]
const MOST = { gateway: { seconds: 1, megabytes: 90 }, workers: { seconds: 1, megabytes: 70 } }

export const measureStart: Part = async (servers, { rounds, quick }) => {
  const start = (role: Role) => async () => {
    const { pid, startMs, stop } = await startRole(role, servers)
    await sleep(quick ? 1_000 : REST_MS)
    const figures = { seconds: startMs / 1_000, megabytes: residentMb(pid) }
    await stop()
    return figures
  }
  const measured = await interleave(
    { gateway: start('gateway'), workers: start('workers') },
    { rounds },
  )
  const rows = (figure: 'seconds' | 'megabytes') =>
    ROLES.map((role): BenchRow => {
      const values = measured[role].map((one) => one[figure])
      return { label: role, values, goal: { atMost: MOST[role][figure] } }
    })
  return {
    title: 'Start and memory of the roles',
    tables: [
      { title: 'Cold start', unit: 's', rows: rows('seconds') },
      { title: 'Memory at rest', unit: 'MB', rows: rows('megabytes') },
    ],
    notes: [
      'From the start of the process until it logs that it is ready: migrations checked, Redis subscribed, port open.',
      `Resident memory (\`VmRSS\`) of a production process ${REST_MS / 1_000} s after its start, on an empty database without requests.`,
    ],
  }
}
