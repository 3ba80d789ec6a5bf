import fs from 'node:fs'

/** USER_HZ of Linux on every supported platform: clock ticks a second in /proc. */
const TICKS = 100

type ProcessStat = { parent: number; ticks: number; childTicks: number }

function statOf(pid: number): ProcessStat | undefined {
  try {
    const text = fs.readFileSync(`/proc/${pid}/stat`, 'utf8')
    // Fields after the name in brackets, which may contain blanks; proc(5) counts them from 3.
    const fields = text.slice(text.lastIndexOf(')') + 2).split(' ')
    const field = (number: number) => Number(fields[number - 3])
    return {
      parent: field(4),
      ticks: field(14) + field(15),
      childTicks: field(16) + field(17),
    }
  } catch {
    return undefined
  }
}

const allPids = () =>
  fs
    .readdirSync('/proc')
    .map(Number)
    .filter((pid) => pid > 0)

/**
 * CPU time of a process and its children, living and ended, in seconds since their start. Linux only.
 * For Postgres pass the postmaster: every backend is its child.
 */
export function cpuSeconds(pid: number): number {
  const own = statOf(pid)
  if (!own) throw new Error(`there is no process ${pid}`)
  const living = allPids()
    .map(statOf)
    .filter((stat) => stat?.parent === pid)
    .reduce((sum, stat) => sum + (stat?.ticks ?? 0), 0)
  return (own.ticks + own.childTicks + living) / TICKS
}

/** Share of one core that each process and its children use while `work` runs, in percent. */
export async function cpuPercent<Name extends string>(
  pids: Record<Name, number>,
  work: () => Promise<unknown>,
): Promise<Record<Name, number>> {
  const names = Object.keys(pids) as Name[]
  const before = names.map((name) => cpuSeconds(pids[name]))
  const startedAt = performance.now()
  await work()
  const seconds = (performance.now() - startedAt) / 1_000
  const shares = names.map((name, at) => [
    name,
    ((cpuSeconds(pids[name]) - (before[at] ?? 0)) / seconds) * 100,
  ])
  return Object.fromEntries(shares)
}

/** Resident memory of a process, MB (10⁶ bytes). Linux only. */
export function residentMb(pid: number): number {
  const [, kb] = /^VmRSS:\s+(\d+) kB/m.exec(fs.readFileSync(`/proc/${pid}/status`, 'utf8')) ?? []
  return (Number(kb) * 1_024) / 1e6
}
