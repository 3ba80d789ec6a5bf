import { advance } from '#db/testing/clock'
import { INTERVAL_MS } from '#rules/constants'
import { interleave } from '#trials/bench/harness/figures/interleave'
import { cpuSeconds } from '#trials/bench/harness/figures/process-figures'
import type { BenchTable } from '#trials/bench/result'
import type { PopulatedDatabase } from './databases.ts'
import { sweepAll } from './sweep.ts'

/** Credits of one measurement, so that the clock ticks of /proc (10 ms) are below 1 % of it. */
const MIN_CREDITS = 60_000
const MAX_CREDITS = 250_000

/** CPU time of one credit in µs: every process of Postgres, and the one that sweeps. */
async function cpuPerCredit({ db, members }: PopulatedDatabase, postmaster: number) {
  const share = Math.min(1, MAX_CREDITS / members)
  let credits = 0
  let seconds = 0
  while (credits < Math.min(MIN_CREDITS, members * 6)) {
    await advance(db, INTERVAL_MS * share)
    const [postgres, own] = [cpuSeconds(postmaster), process.cpuUsage()]
    credits += await sweepAll(db, 1)
    const { user, system } = process.cpuUsage(own)
    seconds += cpuSeconds(postmaster) - postgres + (user + system) / 1e6
  }
  return (seconds / credits) * 1e6
}

const labelOf = ({ members }: PopulatedDatabase) => `${members.toLocaleString('en')} sessions`

/** CPU time of a credit by the number of sessions. */
export async function cpuTable(
  databases: PopulatedDatabase[],
  postmaster: number,
  rounds: number,
): Promise<BenchTable> {
  const shapes = Object.fromEntries(
    databases.map((database) => [labelOf(database), () => cpuPerCredit(database, postmaster)]),
  )
  const values = await interleave(shapes, { rounds })
  const [smallest, ...larger] = databases.map(labelOf)
  return {
    id: 'cpu',
    title: 'CPU time of a credit',
    unit: 'µs',
    higherIsBetter: false,
    rows: databases.map((database) => ({
      label: labelOf(database),
      values: values[labelOf(database)] ?? [],
    })),
    ratios: larger.map((of) => ({ of, to: smallest ?? of, goal: { atMost: 1.25 } })),
  }
}
