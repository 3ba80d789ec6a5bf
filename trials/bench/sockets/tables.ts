import { rowsOf } from '#trials/bench/harness/figures/interleave'
import type { BenchTable } from '#trials/bench/result'
import type { SideFigures } from './rounds.ts'
import type { Latencies } from './steady-state.ts'

/** The two sides in every table. */
export type SideName = 'product' | 'bare Socket.IO'

const againstBare = (goal: number) => [
  { of: 'product', to: 'bare Socket.IO', goal: { atLeast: goal } },
]

export function socketTables(
  { connects, burst, perSocket, rest }: SideFigures<SideName>,
  { p50, p99 }: Latencies,
): BenchTable[] {
  return [
    {
      id: 'connects',
      title: 'Handshakes with sign-in beside handshakes without',
      unit: 'sockets/s',
      higherIsBetter: true,
      rows: rowsOf(connects),
      ratios: againstBare(0.5),
    },
    {
      id: 'burst',
      title: 'All members change at the same time',
      unit: 'sockets/s',
      higherIsBetter: true,
      rows: rowsOf(burst),
      ratios: againstBare(0.9),
    },
    {
      id: 'latency',
      title: 'Commit of a credit → client, steady state',
      unit: 'ms',
      higherIsBetter: false,
      rows: [
        { label: 'p50', values: p50 },
        { label: 'p99', values: p99, goal: { atMost: 40 } },
      ],
    },
    {
      id: 'memory',
      title: 'Resident memory a socket, over rest',
      unit: 'kB',
      higherIsBetter: false,
      rows: rowsOf(perSocket),
    },
    {
      id: 'rest',
      title: 'Resident memory without sockets',
      unit: 'MB',
      higherIsBetter: false,
      rows: rowsOf(rest),
    },
  ]
}
