import path from 'node:path'
import { ROOT } from '#runtime/process/root'
import { type VersionSide, versionSide } from '#trials/bench/credits/version-side'
import { interleave, rowsOf } from '#trials/bench/harness/figures/interleave'
import { cpuSeconds } from '#trials/bench/harness/figures/process-figures'
import { commitOf } from '#trials/bench/harness/figures/run-facts'
import { type BenchServers, benchServers } from '#trials/bench/harness/servers'
import type { BenchOptions, BenchTable, Goal, PartResult } from '#trials/bench/result'

const MEMBERS = 100_000
const QUICK_MEMBERS = 8_000
const CONNECTIONS = { 'one connection': 1, 'two connections': 2 }

type Sides = Record<'this version' | 'other version', VersionSide>
type Values = Record<string, number[]>

/** Credits a second and µs of CPU time of Postgres for a credit, one value a round. */
async function measure(
  sides: Sides,
  { pids }: BenchServers,
  { rounds, log }: BenchOptions,
): Promise<{ rates: Values; cpu: Values }> {
  const cpu: Values = {}
  const shapes = Object.entries(sides).flatMap(([version, { sweep }]) =>
    Object.entries(CONNECTIONS).map(([connections, count]) => {
      const name = `${version}, ${connections}`
      const shape = async () => {
        const [startedAt, cpuBefore] = [performance.now(), cpuSeconds(pids.postgres)]
        const credits = await sweep(count)
        const rate = credits / ((performance.now() - startedAt) / 1_000)
        const used = ((cpuSeconds(pids.postgres) - cpuBefore) / credits) * 1e6
        cpu[name] = [...(cpu[name] ?? []), used]
        log(`${name}: ${Math.round(rate)} credits/s, ${used.toFixed(1)} µs`)
        return rate
      }
      return [name, shape] as const
    }),
  )
  const before = (name: string) =>
    sides[name.startsWith('this') ? 'this version' : 'other version'].makeDue()
  const rates = await interleave(Object.fromEntries(shapes), { rounds, before })
  const measured = Object.entries(cpu).map(([name, all]) => [name, all.slice(-rounds)])
  return { rates, cpu: Object.fromEntries(measured) }
}

function table(
  texts: Pick<BenchTable, 'id' | 'title' | 'unit' | 'higherIsBetter'>,
  values: Values,
  goal: Goal,
): BenchTable {
  const ratios = Object.keys(CONNECTIONS).map((connections) => ({
    of: `this version, ${connections}`,
    to: `other version, ${connections}`,
    goal,
  }))
  return { ...texts, rows: rowsOf(values), ratios, plot: { kind: 'none' } }
}

/** The sweep of this checkout beside that of another one, in one run on one server. */
export async function run(options: BenchOptions): Promise<PartResult> {
  const { beside, quick } = options
  if (!beside) throw new Error('The part `versions-credits` needs `--beside <another checkout>`.')
  const members = quick ? QUICK_MEMBERS : MEMBERS
  const servers = await benchServers()
  const url = servers.databaseUrl
  try {
    const sides: Sides = {
      'this version': await versionSide(ROOT, url, 'this_version', members),
      'other version': await versionSide(path.resolve(beside), url, 'other_version', members),
    }
    const { rates, cpu } = await measure(sides, servers, options)
    for (const { close } of Object.values(sides)) await close()
    const title = `Credits of ${members.toLocaleString('en')} due sessions`
    return {
      part: 'versions-credits',
      title: 'Credits beside an earlier version',
      tables: [
        table({ id: 'rate', title, unit: 'credits/s', higherIsBetter: true }, rates, {
          atLeast: 0.97,
        }),
        table(
          {
            id: 'cpu',
            title: 'CPU time of Postgres for a credit',
            unit: 'µs',
            higherIsBetter: false,
          },
          cpu,
          { atMost: 1.03 },
        ),
      ],
      notes: [
        `The other version is commit \`${commitOf(beside)}\`. Each version has a database of its own on the same server; the idle one costs nothing. A checkpoint precedes each measurement, and the audit holds at the end.`,
      ],
    }
  } finally {
    await servers.stop()
  }
}
