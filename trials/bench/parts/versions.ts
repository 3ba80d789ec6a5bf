import path from 'node:path'
import { connect } from '#db/engine/connect'
import { ensureDatabase } from '#db/postgres/connection/admin'
import { freePort } from '#runtime/config/free-port'
import { ROOT } from '#runtime/process/root'
import { buildRoles } from '#scripts/build/build-roles'
import { interleave, rowsOf } from '#trials/bench/harness/figures/interleave'
import { commitOf } from '#trials/bench/harness/figures/run-facts'
import { productEnv } from '#trials/bench/harness/product-env'
import { type RunningRole, startRole } from '#trials/bench/harness/role'
import { type BenchServers, benchServers } from '#trials/bench/harness/servers'
import { signInMembers } from '#trials/bench/harness/sign-ins'
import type { LoadRequest } from '#trials/bench/load/load'
import { startLoadGenerator } from '#trials/bench/load/load'
import { commanders, readers } from '#trials/bench/reads/connections'
import { type Measurement, measurer } from '#trials/bench/reads/measurements'
import type { BenchOptions, BenchTable, Goal, PartResult } from '#trials/bench/result'

const CONNECTIONS = 64
/** Enough that none reaches the rate limit of its commands. */
const MEMBERS = 1_024
const SECONDS = 3

type Side = { url: string; cookies: string[]; gateway: RunningRole }

/** The gateway of a checkout, on a database and Redis keys of its own, with members who do not mine. */
async function startSide(servers: BenchServers, name: string, checkout: string): Promise<Side> {
  const databaseUrl = await ensureDatabase(servers.databaseUrl, name)
  const port = String(await freePort())
  const env = productEnv({ ...servers, databaseUrl }, { PORT: port, REDIS_PREFIX: name })
  // It migrates its own database.
  const gateway = await startRole('gateway', env, [path.join(checkout, 'dist/roles/gateway.mjs')])
  const db = connect(databaseUrl, { max: 1, name: 'bench' })
  // Its tables may differ from this version's.
  const { insertMembers }: typeof import('#db/testing/members') = await import(
    path.join(checkout, 'db/testing/members.ts')
  )
  const cookies = await signInMembers(env, await insertMembers(db, MEMBERS))
  await db.raw('vacuum analyze')
  await db.destroy()
  return { url: `http://127.0.0.1:${port}`, cookies, gateway }
}

/** What the members send, and what its tables are called. */
type Kind = {
  id: string
  title: string
  one: string
  goal: Goal
  requests: (cookies: string[]) => LoadRequest[][]
}
const KINDS: Kind[] = [
  {
    id: 'requests',
    title: 'Stops and starts a second',
    one: 'a stop or start',
    goal: { atLeast: 2 },
    // Start before stop: nobody mines yet.
    requests: (cookies) => commanders(CONNECTIONS, cookies).map((each) => [...each].reverse()),
  },
  {
    id: 'reads',
    title: 'Status reads a second',
    one: 'a status read',
    goal: { atLeast: 1 },
    requests: (cookies) => readers('/api/mining/status', cookies.slice(0, CONNECTIONS)),
  },
]

type Run = { measure: ReturnType<typeof measurer> } & Pick<BenchOptions, 'rounds' | 'log'>

/** Requests of a kind a second on each side, and the CPU time of one by process. */
async function tablesOf(
  { id, title, one, goal, requests }: Kind,
  sides: Record<string, Side>,
  { measure, rounds, log }: Run,
): Promise<BenchTable[]> {
  const measured: Record<string, Measurement[]> = {}
  const shapes = Object.entries(sides).map(([name, { url, cookies, gateway }]) => {
    const sent = requests(cookies)
    const shape = async () => {
      const measurement = await measure({ url, pid: gateway.pid }, sent)
      log(`${name}: ${Math.round(measurement.perSecond)} requests/s`)
      measured[name] = [...(measured[name] ?? []), measurement]
      return measurement.perSecond
    }
    return [name, shape]
  })
  const values = await interleave(Object.fromEntries(shapes), { rounds })
  const cpu = Object.entries(measured).flatMap(([name, all]) =>
    (['server', 'postgres'] as const).map((process) => ({
      label: `${name}: ${process}`,
      values: all.slice(-rounds).map((measurement) => measurement.cpu[process]),
    })),
  )
  return [
    {
      id,
      title,
      unit: 'requests/s',
      higherIsBetter: true,
      rows: rowsOf(values),
      ratios: [{ of: 'this version', to: 'other version', goal }],
    },
    {
      id: `${id}-cpu`,
      title: `CPU time of ${one} by process`,
      unit: 'µs',
      higherIsBetter: false,
      rows: cpu,
    },
  ]
}

/**
 * Commands and reads of this checkout beside another one, whose roles are built (`npm run build` there):
 * what a change gave, on the same machine in the same minute.
 */
export async function run({ rounds, compare, log }: BenchOptions): Promise<PartResult> {
  if (!compare) throw new Error('The part `versions` needs `--compare <another checkout>`.')
  await buildRoles()
  const servers = await benchServers()
  const load = await startLoadGenerator()
  const measure = measurer(servers, load, SECONDS)
  const sides: Record<string, Side> = {}
  try {
    sides['this version'] = await startSide(servers, 'bench_this', ROOT)
    sides['other version'] = await startSide(servers, 'bench_other', path.resolve(compare))
    const tables: BenchTable[] = []
    for (const kind of KINDS) {
      tables.push(...(await tablesOf(kind, sides, { measure, rounds, log })))
    }
    return {
      part: 'versions',
      title: 'Commands and status reads beside an earlier version',
      tables,
      notes: [
        `The other version is commit \`${commitOf(compare)}\`.`,
        `${CONNECTIONS} connections, ${MEMBERS.toLocaleString('en')} members, ${SECONDS} s a round. Each version has a gateway, a database and Redis keys of its own on the same servers; the idle one costs nothing.`,
      ],
    }
  } finally {
    load.stop()
    for (const { gateway } of Object.values(sides)) await gateway.stop()
    await servers.stop()
  }
}
