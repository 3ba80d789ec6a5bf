import { setTimeout as sleep } from 'node:timers/promises'
import { Redis } from 'ioredis'
import { readSnapshots } from '#db/mining/snapshots'
import type { Db } from '#db/postgres/statements/transaction'
import { inTransaction } from '#db/postgres/statements/transaction'
import { PUSH_BATCH } from '#gateway/live/pusher'
import { addAnnouncement } from '#operators/actions/announcements'
import { HOUR_MS } from '#rules/constants'
import type { Announced } from '#rules/inbox'
import { readConfig } from '#runtime/config/config'
import { ChangeChannel } from '#runtime/pubsub'
import { interleave, median, quantile, residentMb } from '#trials/bench/measure'
import { assertCleanAudit, populate, signInMembers } from '#trials/bench/members'
import { type Part, quantileRows, rowsOf } from '#trials/bench/result'
import { ORIGIN, productEnv, startRole } from '#trials/bench/role'
import type { BenchServers } from '#trials/bench/servers'
import { Forked } from '#trials/kit/fork'
import type { BareServerCalls } from './bare-server-process.ts'
import type { SocketLoadCalls } from './socket-load-process.ts'

/** Uncredited intervals of each session at the start: their credits fill a page of activity. */
const INTERVALS = 21
const STEADY_S = 20
/** Time for a process to settle before its memory is read. */
const SETTLE_MS = 2_000
/** Bursts of one round; the first ones warm the code up and are not counted. */
const BURSTS = 6
const WARM_UPS = 3
/** Time for the pushes of the last credits to arrive. */
const LATE_MS = 500

export const startSocketLoad = () =>
  new Forked<SocketLoadCalls>('trials/bench/sockets/socket-load-process.ts')

type Side = {
  port: number
  pid: number
  sendToAll(memberIds: number[]): void
  /** Sends the announcement of operators to all of its sockets; resolves once it is on its way. */
  announce(announced: Announced): Promise<unknown>
  stop(): unknown
}

export async function startProduct(
  servers: BenchServers,
  db: Db,
  flags: string[] = [],
): Promise<Side> {
  const { port, pid, env, stop } = await startRole('gateway', servers, { flags })
  const redis = new Redis(servers.redisUrl)
  const changes = new ChangeChannel(redis, readConfig(env).redisPrefix, console)
  return {
    port,
    pid,
    // As a workers process announces a batch of credits.
    sendToAll: (memberIds) => void changes.publishMembers(memberIds, ['mining', 'wallet']),
    // As `npm run ops -- announcements add` does.
    async announce({ announcements: [announcement] }) {
      if (announcement) await inTransaction(db, (tx) => addAnnouncement(tx, announcement))
      return changes.publish({ kind: 'announcements' })
    },
    stop() {
      redis.disconnect()
      return stop()
    },
  }
}

async function startBare(payload: unknown): Promise<Side> {
  const server = new Forked<BareServerCalls>('trials/bench/sockets/bare-server-process.ts')
  return {
    port: await server.call('listen'),
    pid: server.pid,
    sendToAll: () => void server.call('emitToAll', payload),
    announce: (announced) => server.call('broadcast', announced),
    stop: () => server.end(),
  }
}

/** How many a second the median burst reaches; `once` answers how long it took, ms. */
async function rateOfBursts(count: number, once: (nth: number) => Promise<number>) {
  const times: number[] = []
  for (let nth = 1; nth <= BURSTS; nth++) {
    times.push(await once(nth))
    await sleep(SETTLE_MS / 4)
  }
  return (count / median(times.slice(WARM_UPS))) * 1_000
}

const burst = (side: Side, load: Forked<SocketLoadCalls>, memberIds: number[]) =>
  rateOfBursts(memberIds.length, async () => {
    const startedAt = await load.call('count', memberIds.length)
    side.sendToAll(memberIds)
    return (await load.call('received')) - startedAt
  })

/** The read of such a burst without sockets: one query of the pusher's size at a time. */
const readAlone = (db: Db, memberIds: number[]) =>
  rateOfBursts(memberIds.length, async () => {
    const startedAt = performance.now()
    for (let from = 0; from < memberIds.length; from += PUSH_BATCH) {
      await readSnapshots(db, memberIds.slice(from, from + PUSH_BATCH))
    }
    return performance.now() - startedAt
  })

function announcement(n: number): Announced {
  const at = new Date().toISOString()
  const until = new Date(Date.now() + HOUR_MS).toISOString()
  const texts = {
    en: `Mining pauses for an hour (${n}).`,
    vi: `Khai thác tạm dừng một giờ (${n}).`,
  }
  return {
    asOf: Date.now(),
    announcements: [{ id: n, kind: 'urgent', texts, from: at, until, at }],
  }
}

/** Until 99 % of the sockets have an announcement. */
const announceAll = (side: Side, load: Forked<SocketLoadCalls>, sockets: number) =>
  rateOfBursts(sockets, async (nth) => {
    const startedAt = await load.call('count', sockets)
    await side.announce(announcement(nth))
    await load.call('received')
    const arrivals = (await load.call('arrivals')).map(({ at }) => at - startedAt)
    return quantile(arrivals, 0.99)
  })

async function measureSide(side: Side, memberIds: number[], cookies: string[]) {
  await sleep(SETTLE_MS)
  const restMb = residentMb(side.pid)
  const load = startSocketLoad()
  const ms = await load.call('open', side.port, ORIGIN, cookies)
  await sleep(SETTLE_MS)
  const figures = {
    connects: (cookies.length / ms) * 1_000,
    restMb,
    perSocketKb: ((residentMb(side.pid) - restMb) * 1_000) / cookies.length,
    burst: await burst(side, load, memberIds),
    announce: await announceAll(side, load, memberIds.length),
  }
  load.end()
  await side.stop()
  return figures
}

const COMMITS_SQL = `
  select a."userId" as "memberId",
    (extract(epoch from pg_xact_commit_timestamp(a.xmin)) * 1000)::float8 as "committedAt"
  from wallet_activity a where a."createdAt" > product_now() - interval '10 minutes'
    and pg_xact_commit_timestamp(a.xmin) > to_timestamp(:since::float8 / 1000)`

/** Milliseconds from each credit's commit to its member's socket; infinite without a push. */
async function commitToClient(
  db: Db,
  load: Forked<SocketLoadCalls>,
  memberIds: number[],
  seconds: number,
): Promise<number[]> {
  const since = await load.call('count')
  await sleep(seconds * 1_000)
  const { rows } = await db.raw(COMMITS_SQL, { since })
  await sleep(LATE_MS)
  const arrivedAt = new Map(
    (await load.call('arrivals')).map(({ socket, at }) => [memberIds[socket], at] as const),
  )
  return rows.map(
    ({ memberId, committedAt }: { memberId: number; committedAt: number }) =>
      (arrivedAt.get(memberId) ?? Number.POSITIVE_INFINITY) - committedAt,
  )
}

async function startCaughtUpWorkers(servers: BenchServers, db: Db) {
  const workers = await startRole('workers', servers)
  const overdue = async () => {
    const { rows } = await db.raw(
      `select count(*)::int as n from mining_sessions
       where active and "startTime" + ("creditedIntervals" + 1) * interval '20 minutes'
         < product_now() - interval '5 seconds'`,
    )
    return rows[0].n as number
  }
  while ((await overdue()) > 0) await sleep(500)
  await db.raw('vacuum analyze')
  return workers
}

const READ_ALONE = 'the read from Postgres alone'

const againstBare = (goal: number) => [
  { of: 'product', to: 'bare Socket.IO', goal: { atLeast: goal } },
]

export const measureSockets: Part = async (servers, { rounds, quick, log }) => {
  const sockets = quick ? 1_000 : 10_000
  const db = servers.pool(2)
  const memberIds = await populate(db, sockets, { behind: INTERVALS })
  await (await startCaughtUpWorkers(servers, db)).stop()
  const cookies = await signInMembers(productEnv(servers), memberIds)
  const [first] = await readSnapshots(db, memberIds.slice(0, 1))
  const payload = { mining: first?.mining, wallet: first?.wallet }
  log(`${sockets} members with a running session`)

  const measure = (name: string, start: () => Promise<Side>) => async () => {
    const figures = await measureSide(await start(), memberIds, cookies)
    log(`${name}: ${Math.round(figures.connects)} handshakes/s`)
    return figures
  }
  const reads: number[] = []
  const measured = await interleave(
    {
      product: measure('product', () => startProduct(servers, db)),
      'bare Socket.IO': measure('bare Socket.IO', () => startBare(payload)),
    },
    {
      rounds,
      // Each round starts new processes, so a warm-up round would change nothing.
      warmUps: 0,
      async before(name) {
        if (name === 'product') reads.push(await readAlone(db, memberIds))
      },
    },
  )
  const rows = (figure: keyof (typeof measured)['product'][number]) =>
    rowsOf(
      Object.fromEntries(
        Object.entries(measured).map(([name, each]) => [name, each.map((one) => one[figure])]),
      ),
    )

  const gateway = await startProduct(servers, db)
  const workers = await startCaughtUpWorkers(servers, db)
  const load = startSocketLoad()
  await load.call('open', gateway.port, ORIGIN, cookies)
  const seconds = quick ? 5 : STEADY_S
  const latencies: number[][] = []
  for (let round = 0; round < rounds; round++) {
    latencies.push(await commitToClient(db, load, memberIds, seconds))
  }
  load.end()
  await Promise.all([gateway.stop(), workers.stop()])
  await assertCleanAudit(db)
  return {
    title: `Sockets: ${sockets.toLocaleString('en')} members with one each`,
    tables: [
      {
        title: 'Handshakes with and without sign-in',
        unit: 'sockets/s',
        rows: rows('connects'),
        ratios: againstBare(0.5),
      },
      {
        title: 'All members change at the same time',
        unit: 'sockets/s',
        rows: [...rows('burst'), { label: READ_ALONE, values: reads }],
        ratios: [
          { of: 'product', to: 'bare Socket.IO' },
          { of: 'product', to: READ_ALONE, goal: { atLeast: 0.8 } },
        ],
      },
      {
        title: 'An announcement to all members, until 99 % of the sockets have it',
        unit: 'sockets/s',
        rows: rows('announce'),
        ratios: againstBare(0.9),
      },
      {
        title: 'Commit of a credit → client, steady state',
        unit: 'ms',
        rows: quantileRows(latencies, { atMost: 40 }),
      },
      {
        title: 'Resident memory a socket, over rest',
        unit: 'kB',
        rows: rows('perSocketKb'),
      },
      {
        title: 'Resident memory without sockets',
        unit: 'MB',
        rows: rows('restMb'),
      },
    ],
    notes: [
      'Server and load generator are one process each on the cores of this machine; 500 handshakes are in flight.',
      `A burst is measured from the change message to the last socket. The product reads mining and wallet of each member from Postgres; bare Socket.IO emits one ready object of the same size (${JSON.stringify(payload).length} bytes) to each socket. The read alone is that of the product, ${PUSH_BATCH} members a query, with no socket and no other process at work.`,
      'An announcement is measured from before its row is written: the product writes it to Postgres, publishes one message and reads it at the gateway; bare Socket.IO broadcasts a ready object of the same size.',
      `Commit → client: ${latencies.flat().length} credits of a workers process as they fall due, ${seconds} s a round, from Postgres's commit timestamp to the socket of the member.`,
    ],
  }
}
