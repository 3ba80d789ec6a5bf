import os from 'node:os'
import { median } from '#trials/bench/harness/figures/statistics'
import type { BenchTable, PartResult } from '#trials/bench/result'
import { saturated } from './saturation.ts'

/** Share of one core by process, percent. */
export type Shares = Record<string, number>

/** A number of members, and the latencies (ms) of each window in which they were measured. */
export type Step = { members: number; windows: { p50: number; p99: number; shares: Shares }[] }

/** The load rises until requests take longer than this. */
const LIMIT_P99_MS = 250

export function isSlow({ windows }: Step): boolean {
  return median(windows.map(({ p99 }) => p99)) >= LIMIT_P99_MS
}

function latencyTable(measured: Step[]): BenchTable {
  const rows = (['p50', 'p99'] as const).flatMap((series) =>
    measured.map(({ members, windows }) => ({
      label: `${series}, ${members} members`,
      values: windows.map((window) => window[series]),
      series,
      x: members,
    })),
  )
  return {
    id: 'latency',
    title: 'Latency of HTTP requests',
    unit: 'ms',
    higherIsBetter: false,
    rows,
    plot: { kind: 'lines', xLabel: 'members' },
  }
}

function cpuTable(measured: Step[]): BenchTable {
  const processes = Object.keys(measured[0]?.windows[0]?.shares ?? {})
  const rows = processes.flatMap((series) =>
    measured.map(({ members, windows }) => ({
      label: `${series}, ${members} members`,
      values: windows.map(({ shares }) => shares[series] ?? 0),
      series,
      x: members,
    })),
  )
  return {
    id: 'cpu',
    title: 'CPU by process',
    unit: '% of a core',
    higherIsBetter: false,
    rows,
    plot: { kind: 'lines', xLabel: 'members' },
  }
}

function membersTable(measured: Step[]): BenchTable {
  const within = measured.filter((step) => !isSlow(step))
  const row = {
    label: `p99 below ${LIMIT_P99_MS} ms`,
    values: [within.at(-1)?.members ?? 0],
    goal: { atLeast: 24_000 },
  }
  return {
    id: 'members',
    title: 'Members on this machine',
    unit: 'members',
    higherIsBetter: true,
    rows: [row],
    plot: { kind: 'none' },
  }
}

/** The tables of a rising load, and what saturated at its end. */
export function resultOf(measured: Step[], gateways: number): PartResult {
  const last = measured.at(-1)
  const names = Object.keys(last?.windows[0]?.shares ?? {})
  const share = (name: string) => median(last?.windows.map(({ shares }) => shares[name] ?? 0) ?? [])
  const shares = Object.fromEntries(names.map((name) => [name, share(name)]))
  return {
    part: 'capacity',
    title: 'Members on one machine',
    tables: [membersTable(measured), latencyTable(measured), cpuTable(measured)],
    notes: [
      `${gateways} gateways with as many members each, one workers process, Postgres, Redis and the load generator. Half of the members keep a socket, half poll ` +
        'the status each 5 s with `If-None-Match`; each reads the team each minute, is credited each 20 minutes and sends a ' +
        'command each 30 minutes, as the client does with the mining screen open.',
      'A latency counts from the moment at which the request was due. One value for each window of 10 s, two periods of the poll.',
      `Saturated at ${last?.members} members: ${saturated(shares, os.availableParallelism())}.`,
    ],
  }
}
