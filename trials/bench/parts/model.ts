import type { Step } from '#trials/bench/capacity/result'
import { median } from '#trials/bench/harness/figures/statistics'
import { type Costs, type Cpu, measuredConstants } from '#trials/bench/model/costs'
import { measureDisk } from '#trials/bench/model/disk'
import { cpuOf, cpuPercentOf, type Kind, messagesOf } from '#trials/bench/model/member'
import { type Disk, type Factors, type Needs, needsOf } from '#trials/bench/model/needs'
import type { BenchOptions, BenchTable, PartResult } from '#trials/bench/result'
import { measureSteps } from './capacity.ts'

/** Sizes that the model is compared with. */
const SIZES = [2_000, 6_000]
const QUICK_SIZES = [200, 400]
const NEEDED = [1_000_000, 10_000_000, 50_000_000]
const DISK_MEMBERS = 20_000

/** The names of the processes in the part `capacity`, and in the model. */
const PROCESSES = { gateway: 'gateway', Postgres: 'postgres', Redis: 'redis' } as const

/** Cost of a member from the stored results, beside what two sizes use, and what millions need. */
export async function run(options: BenchOptions): Promise<PartResult> {
  const constants = measuredConstants()
  const disk = await measureDisk(options.quick ? 500 : DISK_MEMBERS)
  options.log('disk measured')
  const steps = await measureSteps(options.quick ? QUICK_SIZES : SIZES, options)
  const factors = factorsOf(steps, constants.costs)
  return {
    part: 'model',
    title: 'Cost model',
    tables: [
      memberTable(constants.costs),
      diskTable(disk),
      checkTable(steps, constants.costs),
      needsTable(NEEDED.map((members) => needsOf(members, { constants, disk, factors }))),
    ],
    notes: [
      'Calculated from the stored results of `reads`, `sockets` and `credits` (`trials/bench/model/`); the disk and the two sizes are measured by this part. Half of the members of these sizes have a socket, half poll.',
      'Needs: every member mines, 9 % have a page with a socket open and 1 % poll; processes are planned with 60 % of a core; 7 days of single credits, 90 of sessions. A range goes from the constants, which are of full processes that handle many requests a turn, to the cost of the larger measured size.',
    ],
  }
}

const plain = (table: Omit<BenchTable, 'higherIsBetter' | 'plot'>): BenchTable => ({
  ...table,
  higherIsBetter: false,
  plot: { kind: 'none' },
})

function memberTable(costs: Costs): BenchTable {
  const kinds: Record<Kind, string> = {
    mines: 'mining',
    socket: 'page with a socket',
    poll: 'page that polls',
  }
  const rows = (Object.keys(kinds) as Kind[]).flatMap((kind) => [
    ...Object.entries(cpuOf(kind, costs)).map(([process, us]: [string, number]) => ({
      label: `${kinds[kind]}, ${process}, µs of CPU`,
      values: [us],
    })),
    { label: `${kinds[kind]}, messages`, values: [messagesOf(kind)] },
  ])
  const title = 'What a member costs in a second; a page adds to mining'
  return plain({ id: 'member', title, unit: 'a second', rows: rows.filter(isNotZero) })
}

const isNotZero = ({ values }: { values: number[] }) => values.some((value) => value !== 0)

function diskTable(disk: Disk): BenchTable {
  const rows = [
    { label: 'user, wallet, stats, running session', values: [disk.hot] },
    { label: 'ledger of a day, single credits', values: [disk.dayDetail] },
    { label: 'ledger of a day, rolled up', values: [disk.dayRolled] },
    { label: 'sessions of a day', values: [disk.daySessions] },
  ]
  return plain({ id: 'disk', title: 'Disk of a member, with indexes', unit: 'bytes', rows })
}

/** What the members of a measured size use by the constants, percent of a core. */
function calculated({ members }: Step, costs: Costs): Cpu {
  return cpuPercentOf({ mines: members, socket: members / 2, poll: members / 2 }, costs)
}

const measured = ({ windows }: Step, name: string) => windows.map(({ shares }) => shares[name] ?? 0)

/** How far the larger size is above the constants. */
function factorsOf(steps: Step[], costs: Costs): Factors {
  const largest = steps.at(-1)
  const factors = Object.entries(PROCESSES).map(([name, process]) => [
    process,
    largest
      ? Math.max(1, median(measured(largest, name)) / calculated(largest, costs)[process])
      : 1,
  ])
  return Object.fromEntries(factors)
}

function checkTable(steps: Step[], costs: Costs): BenchTable {
  const rows = steps.flatMap((step) =>
    Object.entries(PROCESSES).flatMap(([name, process]) => [
      { label: `${step.members} members, ${name}: measured`, values: measured(step, name) },
      {
        label: `${step.members} members, ${name}: calculated`,
        values: [calculated(step, costs)[process]],
      },
    ]),
  )
  const ratios = steps.flatMap(({ members }) =>
    Object.keys(PROCESSES).map((name) => ({
      of: `${members} members, ${name}: calculated`,
      to: `${members} members, ${name}: measured`,
    })),
  )
  return {
    ...plain({ id: 'check', title: 'The model beside two sizes', unit: '% of a core', rows }),
    ratios,
  }
}

const LABELS: Record<Exclude<keyof Needs, 'members'>, string> = {
  creditsPerSecond: 'credits a second',
  messagesPerSecond: 'messages a second',
  mbitPerSecond: 'network, Mbit/s',
  gateways: 'gateways, one core each',
  gatewayGb: 'memory of gateways, GB',
  workerCores: 'cores of workers',
  postgresCores: 'cores of Postgres',
  redisCores: 'cores of Redis',
  hotGb: 'rows of members in memory, GB',
  detailGb: 'ledger of 7 days, GB',
  yearGb: 'ledger of each further year, rolled up, GB',
  sessionsGb: 'sessions of 90 days, GB',
  reconnectS: 'all sockets back after a loss of all gateways, s',
}

function needsTable(needs: Needs[]): BenchTable {
  const rows = needs.flatMap((each) =>
    Object.entries(LABELS).map(([key, label]) => ({
      label: `${each.members / 1e6} million, ${label}`,
      values: [each[key as keyof Needs]].flat(),
    })),
  )
  return plain({ id: 'needs', title: 'What millions of members need', unit: 'as named', rows })
}
