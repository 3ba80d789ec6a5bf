import path from 'node:path'
import { INTERVAL_MS } from '#rules/constants'
import { ROOT } from '#runtime/process/root'
import { ensureDatabase } from '#scripts/embedded/create-database'
import { cpuSeconds, interleave } from '#trials/bench/measure'
import { assertCleanAudit, populate, signInMembers } from '#trials/bench/members'
import type { BenchOptions, BenchTable, Part, Ratio } from '#trials/bench/result'
import { ORIGIN, productEnv, startRole } from '#trials/bench/role'
import type { BenchServers } from '#trials/bench/servers'
import { Forked } from '#trials/kit/fork'
import type { HttpLoadCalls, LoadRequest } from './http-load-process.ts'
import type { PeerCalls, PeerKind } from './peer-process.ts'

/** Connections of the load; each reads for a different member. */
const CONNECTIONS = 64
const COMMAND_CONNECTIONS = 16
/** All members: the plans of a few hundred rows would be those of a toy. */
const MEMBERS = 20_000
/** Members whose commands alternate, so that none reaches the rate limit of its commands. */
const COMMANDERS = 1_024
const SECONDS = 2
/** Rounds before the first measured one: V8 still compiles for some 5,000 commands. */
export const WARM_UPS = 5
const EVERYTHING = 'npm start, status'
const COMMANDS = 'product, stop and start'
const ALONE = 'product, stop and start on one connection'
/** As many as a busy gateway has waiting: batches are larger, and both cores are busy. */
const MANY = `product, stop and start on ${CONNECTIONS} connections`
/** Goals of commands: a second at load, and p50 alone in ms. */
const AT_LOAD = { goal: { atLeast: 1_500 } }
const ALONE_P50 = { goal: { atMost: 3 } }

type Target = { url: string; pid: number }
type Shapes = Record<string, [Target, LoadRequest[][]]>
type Comparison = { shapes: Shapes; ratios: Ratio[]; stop(): Promise<void> }

export const readers = (path: string, cookies: string[]): LoadRequest[][] =>
  cookies.map((cookie) => [{ method: 'GET', path, headers: { cookie } }])

/** The same, each with the ETag of the state that it reads. */
function pollers(url: string, path: string, cookies: string[]): Promise<LoadRequest[][]> {
  const poller = async (cookie: string): Promise<LoadRequest[]> => {
    const { headers } = await fetch(`${url}${path}`, { headers: { cookie } })
    const etag = headers.get('etag') ?? ''
    return [{ method: 'GET', path, headers: { cookie, 'if-none-match': etag } }]
  }
  return Promise.all(cookies.map(poller))
}

export function commanders(
  commands: ('start' | 'stop')[],
  cookies: string[],
  connections = COMMAND_CONNECTIONS,
): LoadRequest[][] {
  const headers = (cookie: string) => ({ cookie, origin: ORIGIN, 'sec-fetch-site': 'same-origin' })
  return Array.from({ length: connections }, (_, at) =>
    cookies
      .filter((_, member) => member % connections === at)
      .flatMap((cookie) =>
        commands.map((command): LoadRequest => {
          return { method: 'POST', path: `/api/mining/${command}`, headers: headers(cookie) }
        }),
      ),
  )
}

/** The product, Fastify with the same session and SQL, and bare Koa that answers "ok". */
async function withPeers(servers: BenchServers): Promise<Comparison> {
  const db = servers.pool(2)
  // None falls due, so no status changes by a credit while it is measured.
  const ids = await populate(db, MEMBERS, { spreadMs: INTERVAL_MS / 2 })
  const step = Math.floor(MEMBERS / (CONNECTIONS + COMMANDERS))
  const cookies = await signInMembers(
    productEnv(servers),
    ids.filter((_, at) => at % step === 0).slice(0, CONNECTIONS + COMMANDERS),
  )
  const product = await startRole('gateway', servers)
  const peers: Forked<PeerCalls>[] = []
  const peer = async (kind: PeerKind): Promise<Target> => {
    const forked = new Forked<PeerCalls>('trials/bench/reads/peer-process.ts', {
      env: productEnv(servers),
    })
    peers.push(forked)
    return { url: await forked.call('listen', kind), pid: forked.pid }
  }
  const [fastify, ok] = [await peer('fastify'), await peer('ok')]
  const reading = cookies.slice(0, CONNECTIONS)
  const status = readers('/api/mining/status', reading)
  const wallet = readers('/api/wallet', reading)
  const everything = await startRole('npm start', servers)
  const unchanged = await pollers(product.url, '/api/mining/status', reading)
  return {
    shapes: {
      'product, status': [product, status],
      [EVERYTHING]: [everything, status],
      'Fastify, status': [fastify, status],
      'product, wallet': [product, wallet],
      'Fastify, wallet': [fastify, wallet],
      'product, unchanged status (304)': [product, unchanged],
      [COMMANDS]: [product, commanders(['stop', 'start'], cookies.slice(CONNECTIONS))],
      [MANY]: [product, commanders(['stop', 'start'], cookies.slice(CONNECTIONS), CONNECTIONS)],
      [ALONE]: [product, commanders(['stop', 'start'], cookies.slice(CONNECTIONS), 1)],
      'bare Koa "ok"': [ok, status],
    },
    ratios: [
      { of: 'product, status', to: 'Fastify, status', goal: { atLeast: 0.85 } },
      { of: EVERYTHING, to: 'product, status', goal: { atLeast: 0.85 } },
      { of: 'product, wallet', to: 'Fastify, wallet', goal: { atLeast: 0.75 } },
      { of: 'product, unchanged status (304)', to: 'product, status' },
    ],
    async stop() {
      for (const forked of peers) forked.end()
      await Promise.all([product.stop(), everything.stop()])
      await assertCleanAudit(db)
    },
  }
}

/** `other` has built roles. Both have a database and Redis keys of their own; members do not mine before. */
async function withVersion(servers: BenchServers, other: string): Promise<Comparison> {
  const start = async (name: string, checkout: string) => {
    const databaseUrl = await ensureDatabase(servers.databaseUrl, name)
    const place = { databaseUrl, redisUrl: servers.redisUrl }
    // It migrates its database.
    const gateway = await startRole('gateway', place, { env: { REDIS_PREFIX: name }, checkout })
    const db = servers.pool(1, databaseUrl)
    // Its tables may differ from this version's.
    const file = path.resolve(checkout, 'scripts/testing/db/members.ts')
    const { insertMembers }: typeof import('#scripts/testing/db/members') = await import(file)
    const cookies = await signInMembers(gateway.env, await insertMembers(db, COMMANDERS))
    // Not the sessions: PostgreSQL would plan for the empty table that it has seen.
    await db.raw('vacuum analyze users, mining_stats, network_counters')
    return { gateway, cookies }
  }
  const sides = [
    ['this version', await start('bench_this', ROOT)],
    ['other version', await start('bench_other', other)],
  ] as const
  const commandsOn = (connections: number) => (cookies: string[]) =>
    commanders(['start', 'stop'], cookies, connections)
  const loads: Record<string, (cookies: string[]) => LoadRequest[][]> = {
    'start and stop': commandsOn(COMMAND_CONNECTIONS),
    [`start and stop on ${CONNECTIONS} connections`]: commandsOn(CONNECTIONS),
    'start and stop on one connection': commandsOn(1),
    status: (cookies) => readers('/api/mining/status', cookies.slice(0, CONNECTIONS)),
  }
  return {
    shapes: Object.fromEntries(
      Object.entries(loads).flatMap(([what, load]) =>
        sides.map(([name, { gateway, cookies }]): [string, Shapes[string]] => [
          `${name}, ${what}`,
          [gateway, load(cookies)],
        ]),
      ),
    ),
    ratios: Object.keys(loads).map((what) => ({
      of: `this version, ${what}`,
      to: `other version, ${what}`,
    })),
    async stop() {
      for (const [, { gateway }] of sides) await gateway.stop()
    },
  }
}

async function tablesOf(
  { shapes, ratios }: Comparison,
  { postgres, redis }: BenchServers['pids'],
  { rounds, quick, log }: BenchOptions,
): Promise<BenchTable[]> {
  const load = new Forked<HttpLoadCalls>('trials/bench/reads/http-load-process.ts')
  const seconds = quick ? 1 : SECONDS
  const shape =
    (name: string, { url, pid }: Target, connections: LoadRequest[][]) =>
    async () => {
      const cpuNow = () => [pid, postgres, redis, load.pid].map(cpuSeconds)
      const before = cpuNow()
      const figures = await load.call('run', { url, seconds, connections })
      log(`${name}: ${Math.round(figures.perSecond)} requests/s`)
      const answers = figures.perSecond * seconds
      const cpu = cpuNow().map((now, at) => ((now - (before[at] ?? 0)) / answers) * 1e6)
      return { ...figures, cpu }
    }
  const measured = Object.entries(
    await interleave(
      Object.fromEntries(
        Object.entries(shapes).map(([name, [target, sent]]) => [name, shape(name, target, sent)]),
      ),
      { rounds, warmUps: quick ? 1 : WARM_UPS },
    ).finally(() => load.end()),
  )
  return [
    {
      title: 'Requests a second',
      unit: 'requests/s',
      rows: measured.map(([label, each]) => ({
        label,
        values: each.map(({ perSecond }) => perSecond),
        ...([COMMANDS, MANY].includes(label) && AT_LOAD),
      })),
      ratios,
    },
    {
      title: 'CPU time of a request by process',
      unit: 'µs',
      rows: measured.flatMap(([label, each]) =>
        ['server', 'postgres', 'redis', 'load'].map((name, at) => ({
          label: `${label}: ${name}`,
          values: each.map(({ cpu }) => cpu[at] ?? 0),
        })),
      ),
    },
    {
      title: 'Latency at this load',
      unit: 'ms',
      rows: measured.flatMap(([label, each]) =>
        (['p50', 'p99'] as const).map((share) => ({
          label: `${label}, ${share}`,
          values: each.map((figures) => figures[share]),
          ...(label === ALONE && share === 'p50' && ALONE_P50),
        })),
      ),
    },
  ]
}

export const measureReads: Part = async (servers, options) => {
  const comparison = options.compare
    ? await withVersion(servers, options.compare)
    : await withPeers(servers)
  const tables = await tablesOf(comparison, servers.pids, options)
  await comparison.stop()
  return {
    title: 'Reads and commands over HTTP',
    tables,
    notes: [
      `${CONNECTIONS} keep-alive connections, each for one of ${MEMBERS.toLocaleString('en')} members, ${SECONDS} s a round after ${WARM_UPS} that are not counted; commands with a key each on ${COMMAND_CONNECTIONS} connections for ${COMMANDERS} members. One gateway process with production settings, autocannon in its own process.`,
      'Fastify checks the same signed cookie, reads the sign-in from Redis, sends one named statement with what the answer needs, and answers the same body and security headers. It lacks limits, request ids, ETags, batches, error answers, metrics, logs and a drain (`trials/bench/reads/peer-process.ts`).',
    ],
  }
}
