import { setTimeout as sleep } from 'node:timers/promises'
import { PUSHED_ACTIVITY } from '#contract/routes'
import { readSnapshot } from '#db/mining/snapshots'
import { freePort } from '#db/process/free-port'
import { assertCleanAudit } from '#scripts/bench/harness/clean-audit'
import { interleave, rowsOf } from '#scripts/bench/harness/interleave'
import { residentMb } from '#scripts/bench/harness/process-figures'
import { productEnv } from '#scripts/bench/harness/product-env'
import { startRole } from '#scripts/bench/harness/role'
import { benchServers } from '#scripts/bench/harness/servers'
import { signInMembers } from '#scripts/bench/harness/sign-ins'
import { quantile } from '#scripts/bench/harness/statistics'
import type { BenchOptions, BenchTable, PartResult } from '#scripts/bench/result'
import { creditsCaughtUp, populateSessions } from '#scripts/bench/sockets/population'
import { type Side, startBare, startProduct } from '#scripts/bench/sockets/sides'
import { epochMs, type SocketLoad, startSocketLoad } from '#scripts/bench/sockets/socket-load'
import { commitToClient } from '#scripts/bench/sockets/steady-state'
import { buildRoles } from '#scripts/build/build-roles'

/** Time for a process to settle before its memory is read. */
const SETTLE_MS = 2_000
/** Seconds of steady credits in one round. */
const STEADY_S = 20
/** Bursts of one round; the first warms the code up and is not counted. */
const BURSTS = 3

type Figures = Record<'rest' | 'perSocket' | 'burst', Record<string, number[]>>

/** Connects, memory and bursts of the product beside bare Socket.IO, and commit → client. */
export async function run({ rounds, quick, log }: BenchOptions): Promise<PartResult> {
  const sockets = quick ? 1_000 : 10_000
  await buildRoles()
  const servers = await benchServers(['track_commit_timestamp=on'])
  const db = servers.pool(2)
  const startWorkers = async () =>
    startRole('workers', productEnv(servers, { WORKERS_PORT: String(await freePort()) }))
  try {
    const memberIds = await populateSessions(db, sockets)
    const workers = await startWorkers()
    await creditsCaughtUp(db)
    await workers.stop()
    log(`${sockets} members with a running session`)
    const cookies = await signInMembers(productEnv(servers), memberIds)
    const { mining, wallet, activity } = await readSnapshot(db, memberIds[0] ?? 0, PUSHED_ACTIVITY)
    const payload = { mining, wallet, activity }

    const figures: Figures = { rest: {}, perSocket: {}, burst: {} }
    const keep = (kind: keyof Figures, name: string, value: number) => {
      figures[kind][name] = [...(figures[kind][name] ?? []), value]
    }
    const measure = (name: string, start: () => Promise<Side>) => async () => {
      const side = await start()
      await sleep(SETTLE_MS)
      const rest = residentMb(side.pid)
      const load = startSocketLoad()
      const ms = await load.open({ port: side.port, origin: side.origin, cookies })
      await sleep(SETTLE_MS)
      keep('rest', name, rest)
      keep('perSocket', name, ((residentMb(side.pid) - rest) * 1_000) / sockets)
      keep('burst', name, await burst(side, load, memberIds))
      load.stop()
      await side.stop()
      log(`${name}: ${sockets} sockets in ${Math.round(ms)} ms`)
      return (sockets / ms) * 1_000
    }
    const connects = await interleave(
      {
        product: measure('product', () => startProduct(servers)),
        'bare Socket.IO': measure('bare Socket.IO', () => startBare(payload)),
      },
      // Each round starts new processes, so a warm-up round would change nothing.
      { rounds, warmUps: 0 },
    )

    const gateway = await startProduct(servers)
    const crediting = await startWorkers()
    await creditsCaughtUp(db)
    const load = startSocketLoad()
    await load.open({ port: gateway.port, origin: gateway.origin, cookies })
    const latencies: Record<'p50' | 'p99', number[]> = { p50: [], p99: [] }
    let credits = 0
    for (let round = 0; round < rounds; round++) {
      const times = await commitToClient(db, load, memberIds, quick ? 5 : STEADY_S)
      credits += times.length
      latencies.p50.push(quantile(times, 0.5))
      latencies.p99.push(quantile(times, 0.99))
    }
    load.stop()
    await gateway.stop()
    await crediting.stop()
    await assertCleanAudit(db)
    return {
      part: 'sockets',
      title: `Sockets: ${sockets.toLocaleString('en')} members with one each`,
      tables: [
        connectsTable(connects),
        burstTable(figures.burst, sockets),
        latencyTable(latencies),
        memoryTable(figures.perSocket),
        restTable(figures.rest),
      ],
      notes: [
        'Server and load generator are one process each on the cores of this machine; 500 handshakes are in flight.',
        `A burst: all members change at the same time, from the change message to the last socket. The product reads ${PUSHED_ACTIVITY} rows of activity, mining and wallet of each from Postgres; bare Socket.IO emits one ready object of the same size (${JSON.stringify(payload).length} bytes) to each socket.`,
        `Commit → client: ${credits} credits of a workers process as they fall due, from Postgres's commit timestamp to the socket of the member.`,
      ],
    }
  } finally {
    await servers.stop()
  }
}

/** Sockets a second of the median burst: from the change to the last socket. */
async function burst(side: Side, load: SocketLoad, memberIds: number[]): Promise<number> {
  const times: number[] = []
  for (let n = 0; n < BURSTS; n++) {
    const lastReceived = await load.count(memberIds.length)
    const startedAt = epochMs()
    side.sendToAll(memberIds)
    times.push((await lastReceived()) - startedAt)
    await sleep(SETTLE_MS / 4)
  }
  return (memberIds.length / quantile(times.slice(1), 0.5)) * 1_000
}

const against = (goal: number) => [{ of: 'product', to: 'bare Socket.IO', goal: { atLeast: goal } }]

function connectsTable(values: Record<string, number[]>): BenchTable {
  return {
    id: 'connects',
    title: 'Handshakes with sign-in beside handshakes without',
    unit: 'sockets/s',
    higherIsBetter: true,
    rows: rowsOf(values),
    ratios: against(0.5),
  }
}

function burstTable(values: Record<string, number[]>, sockets: number): BenchTable {
  return {
    id: 'burst',
    title: `${sockets.toLocaleString('en')} members change at the same time`,
    unit: 'sockets/s',
    higherIsBetter: true,
    rows: rowsOf(values),
    ratios: against(0.9),
  }
}

function latencyTable({ p50, p99 }: Record<'p50' | 'p99', number[]>): BenchTable {
  return {
    id: 'latency',
    title: 'Commit of a credit → client, steady state',
    unit: 'ms',
    higherIsBetter: false,
    rows: [
      { label: 'p50', values: p50 },
      { label: 'p99', values: p99, goal: { atMost: 40 } },
    ],
  }
}

function memoryTable(values: Record<string, number[]>): BenchTable {
  const title = 'Resident memory a socket, over rest'
  return { id: 'memory', title, unit: 'kB', higherIsBetter: false, rows: rowsOf(values) }
}

function restTable(values: Record<string, number[]>): BenchTable {
  const title = 'Resident memory without sockets'
  return { id: 'rest', title, unit: 'MB', higherIsBetter: false, rows: rowsOf(values) }
}
