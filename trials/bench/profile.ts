import fs from 'node:fs'
import path from 'node:path'
import { fileURLToPath } from 'node:url'
import { INTERVAL_MS } from '#rules/constants'
import { Forked } from '#trials/kit/fork'
import { cpuSeconds, median } from './measure.ts'
import { populate, signInMembers } from './members.ts'
import type { HttpLoadCalls } from './reads/http-load-process.ts'
import { commanders, readers, WARM_UPS } from './reads/reads.ts'
import { type BenchTable, type Part, rowsOf } from './result.ts'
import { ORIGIN, productEnv } from './role.ts'
import { startProduct, startSocketLoad } from './sockets/sockets.ts'

/** Groups of functions by `file function`; the first that matches counts. */
const GROUPS: [name: string, pattern: RegExp][] = [
  ['garbage collection', /\(garbage collector\)/],
  ['kernel: writes', /^ (write\w+)$/],
  ['serialisation', /application.js respond|encodeUpdate|frameOf|polled-reads.ts send/],
  ['request id, trace', /request-id|async_hooks|middleware.ts (request|traced|timed)/],
  ['limits', /limit/],
  ['session, cookie', /gateway\/auth|auth-session|cookie|koa-session|keygrip/],
  ['hashes of ETags and cookies', /crypto/],
  ['ETag', /not-modified\/(?!polled-reads)|etag|fresh/],
  ['headers', /security-headers|helmet|vary|mime|content-type|accepts/],
  ['snapshot', /db\/(mining|rules|wallet|engine)|snapshot-loader|batches|dataloader|BigInt|RegExp/],
  ['driver', /node_modules\/(pg|postgres)/],
  ['pool', /tarn|knex|db\/(postgres|members)/],
  ['Redis', /redis|pubsub/],
  ['sockets', /gateway\/live|(socket|engine)\.io|node_modules\/(ws|debug)\//],
  [
    'routing',
    /gateway\/(http|not-modified|router|routes|app|security|pages|services)|router|regexp/,
  ],
  ['Koa', /koa|parseurl|node_modules\/(on-finished|statuses|delegates|http-)/],
  ['Node: HTTP', /node:_http/],
  ['Node: streams, timers, promises', /node:|^ \w/],
]

type Profile = {
  startTime: number
  samples: number[]
  timeDeltas: number[]
  nodes: { id: number; callFrame: { functionName: string; url: string; lineNumber: number } }[]
}
/** V8's profiles have the same clock. */
const clockUs = () => Number(process.hrtime.bigint() / 1_000n)
/** `from` and `to` are of `clockUs`; `cpuUs` is the CPU time of one item. */
type Window = { from: number; to: number; cpuUs: number }

/** The source file of each line of a bundle, in which a comment names each file. */
function filesOf(url: string): string[] {
  let file = url
  const fileOf = (line: string) => {
    file = /^\/\/ (\S+\.[cm]?[jt]s)$/.exec(line)?.[1] ?? file
    return file
  }
  return fs.readFileSync(fileURLToPath(url), 'utf8').split('\n').map(fileOf)
}

function groupsOf({ nodes }: Profile): Map<number, string | undefined> {
  const bundles = new Map<string, string[]>()
  const fileOf = (url: string, line: number) => {
    if (!url.startsWith('file:')) return url
    const files = bundles.get(url) ?? filesOf(url)
    bundles.set(url, files)
    return files[line] ?? url
  }
  return new Map(
    nodes.map(({ id, callFrame: { functionName, url, lineNumber } }) => {
      const name = `${fileOf(url, lineNumber)} ${functionName}`
      const group = GROUPS.find(([, pattern]) => pattern.test(name))?.[0] ?? 'others'
      return [id, functionName === '(idle)' ? undefined : group]
    }),
  )
}

/** CPU time of one item by group, µs: the share of a group in the samples of the window. */
function timeByGroup(profile: Profile) {
  const { startTime, samples, timeDeltas } = profile
  const groups = groupsOf(profile)
  return ({ from, to, cpuUs }: Window): Record<string, number> => {
    const times: Record<string, number> = {}
    let at = startTime
    let total = 0
    samples.forEach((node, nth) => {
      const delta = timeDeltas[nth] ?? 0
      at += delta
      const group = groups.get(node)
      if (!group || at < from || at > to) return
      times[group] = (times[group] ?? 0) + delta
      total += delta
    })
    for (const group of Object.keys(times)) times[group] = ((times[group] ?? 0) / total) * cpuUs
    return times
  }
}

function tableOf(subject: string, rounds: Record<string, number>[]): BenchTable {
  const rows = [...GROUPS.map(([name]) => name), 'others']
    .map((name) => [name, rounds.map((times) => times[name] ?? 0)] as const)
    .filter(([, times]) => median(times) >= 0.5)
  const sorted = rows.toSorted(([, a], [, b]) => median(b) - median(a))
  const sums = rounds.map((times) => Object.values(times).reduce((sum, time) => sum + time, 0))
  const measured = Object.fromEntries([['all', sums], ...sorted])
  return { title: `One ${subject}`, unit: 'µs', rows: rowsOf(measured) }
}

export const measureProfile: Part = async (servers, { rounds, quick }) => {
  const members = quick ? 1_000 : 5_000
  const seconds = quick ? 1 : 2
  const db = servers.pool(2)
  const ids = await populate(db, members, { spreadMs: INTERVAL_MS / 2 })
  const cookies = await signInMembers(productEnv(servers), ids)
  const flags = ['--cpu-prof', `--cpu-prof-dir=${servers.folder}`, '--cpu-prof-interval=500']
  const gateway = await startProduct(servers, db, flags)
  const http = new Forked<HttpLoadCalls>('trials/bench/reads/http-load-process.ts')
  const sockets = startSocketLoad()
  const load = (connections: ReturnType<typeof readers>) => async () =>
    (await http.call('run', { url, seconds, connections })).perSecond * seconds
  const url = `http://127.0.0.1:${gateway.port}`
  const reading = cookies.slice(0, 64)
  const subjects: Record<string, () => Promise<number>> = {
    status: load(readers('/api/mining/status', reading)),
    wallet: load(readers('/api/wallet', reading)),
    'stop or start': load(commanders(['stop', 'start'], cookies.slice(64, 1_000))),
    async push() {
      await sockets.call('count', members)
      gateway.sendToAll(ids)
      await sockets.call('received')
      return members
    },
  }
  const windows: Record<string, Window[]> = {}
  for (const [subject, work] of Object.entries(subjects)) {
    if (subject === 'push') await sockets.call('open', gateway.port, ORIGIN, cookies)
    for (let round = quick ? -1 : -WARM_UPS; round < rounds; round++) {
      const [from, cpu] = [clockUs(), cpuSeconds(gateway.pid)]
      const items = await work()
      const cpuUs = ((cpuSeconds(gateway.pid) - cpu) / items) * 1e6
      const window = { from, to: clockUs(), cpuUs }
      if (round >= 0) windows[subject] = [...(windows[subject] ?? []), window]
    }
  }
  for (const process of [http, sockets]) process.end()
  await gateway.stop()
  const file = fs.readdirSync(servers.folder).find((name) => name.endsWith('.cpuprofile')) ?? ''
  const profile: Profile = JSON.parse(fs.readFileSync(path.join(servers.folder, file), 'utf8'))
  const byGroup = timeByGroup(profile)
  return {
    title: 'Where the CPU time of the gateway goes',
    tables: Object.entries(windows).map(([name, each]) => tableOf(name, each.map(byGroup))),
    notes: [
      'CPU time of the process with the profiler, divided by the self time of the groups (`trials/bench/profile.ts`). The profiler counts wall time, so a write during which another process gets the core looks larger.',
      `64 connections that read, 16 with commands, ${members} sockets that all get a push.`,
    ],
  }
}
