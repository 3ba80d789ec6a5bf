import { buildRoles } from '#scripts/build/build-roles'
import { interleave } from '#trials/bench/harness/figures/interleave'
import { benchServers } from '#trials/bench/harness/servers'
import { type Layout, READS, startLayout } from '#trials/bench/partitions/layout'
import type { BenchOptions, BenchTable, PartResult } from '#trials/bench/result'

const DAYS = [30, 365, 1_000]
const MEMBERS = 200
const CALLS = 60

const nameOf = (read: string, days: number) => `${read}, ${days.toLocaleString('en')} partitions`

/** Reads of one member at a time with few and with many daily partitions of the ledger. */
export async function run({ rounds, quick, log }: BenchOptions): Promise<PartResult> {
  await buildRoles()
  const allDays = quick ? [30, 100] : DAYS
  // The maintenance of relations of 1,000 partitions in one transaction needs as many locks.
  const servers = await benchServers(['max_locks_per_transaction=1024'])
  const layouts: { days: number; layout: Layout }[] = []
  try {
    for (const days of allDays) {
      layouts.push({ days, layout: await startLayout(servers, days, MEMBERS) })
      log(`${days} partitions are filled`)
    }
    const shapes = READS.flatMap((read) =>
      layouts.map(({ days, layout }) => [
        nameOf(read, days),
        async () => {
          const ms = await layout.measure(read, quick ? 20 : CALLS)
          log(`${nameOf(read, days)}: ${ms.toFixed(2)} ms`)
          return ms
        },
      ]),
    )
    const values = await interleave(Object.fromEntries(shapes), { rounds })
    for (const { layout } of layouts) await layout.assertCleanAudit()
    return {
      part: 'partitions',
      title: 'Reads by the number of ledger partitions',
      tables: [readsTable(values, allDays)],
      notes: [
        `${MEMBERS} members with three credits a day, one partition a day. ${CALLS} reads one after the other a round, each for another member; status, wallet and the newest page of activity over HTTP, the push as the read that a gateway makes for one member. Such a page reaches back a week.`,
      ],
    }
  } finally {
    for (const { layout } of layouts) await layout.stop()
    await servers.stop()
  }
}

function readsTable(values: Record<string, number[]>, allDays: number[]): BenchTable {
  const [fewest = 0, most = 0] = [Math.min(...allDays), Math.max(...allDays)]
  return {
    id: 'reads',
    title: 'One read, median',
    unit: 'ms',
    higherIsBetter: false,
    plot: { kind: 'lines', xLabel: 'daily partitions' },
    rows: READS.flatMap((read) =>
      allDays.map((days) => ({
        label: nameOf(read, days),
        values: values[nameOf(read, days)] ?? [],
        x: days,
        series: read,
      })),
    ),
    ratios: READS.map((read) => ({
      of: nameOf(read, most),
      to: nameOf(read, fewest),
      goal: { atMost: 1.2 },
    })),
  }
}
