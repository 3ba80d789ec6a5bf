import fs from 'node:fs'

/**
 * Runs each shape once a round. Rounds start with different shapes, so that drift of the machine and the state that
 * a shape leaves behind meet all of them.
 * @param before runs before each measurement, outside of its value
 */
export async function interleave<Name extends string, Value>(
  shapes: Record<Name, () => Promise<Value>>,
  {
    rounds,
    before = async () => {},
    warmUps = 1,
  }: { rounds: number; before?: (name: Name) => Promise<void>; warmUps?: number },
): Promise<Record<Name, Value[]>> {
  const names = Object.keys(shapes) as Name[]
  const values = Object.fromEntries(names.map((name) => [name, [] as Value[]])) as Record<
    Name,
    Value[]
  >
  for (let round = -warmUps; round < rounds; round++) {
    const first = Math.max(0, round) % names.length
    for (const name of [...names.slice(first), ...names.slice(0, first)]) {
      await before(name)
      const value = await shapes[name]()
      if (round >= 0) values[name].push(value)
    }
  }
  return values
}

/** NaN without values. */
export function quantile(values: number[], share: number): number {
  const sorted = values.toSorted((a, b) => a - b)
  const at = Math.min(sorted.length - 1, Math.floor(share * sorted.length))
  return sorted[at] ?? Number.NaN
}

export const median = (values: number[]) => quantile(values, 0.5)

/** USER_HZ of Linux on every supported platform: clock ticks a second in /proc. */
const TICKS = 100

function statOf(pid: number) {
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

/** CPU time of a process and its children, living and ended, in seconds. For Postgres pass the postmaster. */
export function cpuSeconds(pid: number): number {
  const own = statOf(pid)
  if (!own) throw new Error(`there is no process ${pid}`)
  // Of names that are no number there is no stat.
  const living = fs
    .readdirSync('/proc')
    .map((name) => statOf(Number(name)))
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
