import { setTimeout as sleep } from 'node:timers/promises'
import { migrate } from '#db/migrations/migrate'
import type { Db } from '#db/postgres/statements/transaction'
import { checkSeals, SPEED } from '#trials/kit/checks'
import { startLoad } from '#trials/kit/load'
import { startPgBouncer } from '#trials/kit/pgbouncer'
import { secondsUntilAnswered, unansweredDuring } from '#trials/kit/probe'
import { Random } from '#trials/kit/random'
import { trialServers } from '#trials/kit/servers'
import { Stage } from '#trials/kit/stage'
import type { Trial } from '#trials/kit/trial'
import { endDaySoon, queueSeals, waitUntilSealed } from '#trials/torture/seals'
import { RETENTION_SETTINGS, readFigures } from '#trials/torture/torture'
import { addNode, CitusCluster } from './citus-cluster.ts'
import { divideByServer, moveAnyShard, shardsOfNodes, WAYS } from './placements.ts'

const DATABASE = 'tesp'
const SHARDS = 8
const POOL_SIZE = 12

type CitusStageOptions = {
  workers: number
  /** How many of them have joined the database before its tables are distributed. */
  joined: number
  /** Whether the product reaches the coordinator through PgBouncer. */
  pooled?: boolean
}

async function startOnCitus(
  trial: Trial,
  { workers, joined, pooled = false }: CitusStageOptions,
): Promise<{ cluster: CitusCluster; stage: Stage }> {
  const { report, folder, defer } = trial
  const cluster = await report.step(`a coordinator and ${workers} nodes start`, () =>
    CitusCluster.start(folder, { shards: SHARDS, workers }),
  )
  defer(() => cluster.stop())
  const url = await cluster.createDatabase(DATABASE, cluster.workers.slice(0, joined))
  await report.step('migrations', () => migrate(url))
  const place = await trialServers(trial, { databaseUrl: url })
  if (pooled) {
    const pooler = await startPgBouncer(url, POOL_SIZE)
    defer(() => pooler.stop())
    place.url = pooler.url
  }
  const stage = await Stage.start(place, {
    workers: 2,
    speed: SPEED,
    env: { ...RETENTION_SETTINGS, ...(pooled && { DATABASE_PREPARED: 'off' }) },
  })
  defer(() => stage.stop())
  return { cluster, stage }
}

/** Load before, between and after the rebalances. */
const PAUSE_MS = 5_000

/** Nodes join one by one and take their share of the shards; every status request is answered meanwhile. */
export async function growCitus(
  trial: Trial,
  { members, seed, nodes }: { members: number; seed: number; nodes: number },
): Promise<void> {
  const { report } = trial
  const { cluster, stage } = await startOnCitus(trial, { workers: nodes, joined: 1 })
  const { db } = stage.product
  const load = await startLoad(stage.product, members, seed)
  await sleep(PAUSE_MS)
  report.fact('shards of each node', (await shardsOfNodes(db)).join(', '))
  for (const node of cluster.workers.slice(1)) {
    const lost = await unansweredDuring(load.visitors, () =>
      report.step('a node joins, rebalance', async () => {
        await addNode(cluster.coordinator.adminUrl, node.adminUrl, DATABASE)
        // By size, as it does unless told, it leaves shards that are almost empty.
        await db.raw(`select citus_rebalance_start(rebalance_strategy => 'by_shard_count')`)
        await db.raw('select citus_rebalance_wait()')
      }),
    )
    report.expect('status requests not answered meanwhile', lost, 0)
    report.fact('shards of each node', (await shardsOfNodes(db)).join(', '))
    await sleep(PAUSE_MS)
  }
  report.expect('nodes with shards', (await shardsOfNodes(db)).length, nodes)
  report.check('violated rules', await load.stop())
  report.fact('acknowledged claims', load.tally.claims.size)
  report.fact('commands answered 503', load.tally.unavailable)
  report.check('processes that ended', await stage.unexpectedExits())
}

const DOWN_MS = 3_000
/** Longest time after its restart until the members of a node are answered. */
const BACK_LIMIT_S = 5

/** Connections of Citus to a node that was restarted fail once each before they are replaced. */
async function replaceConnections(db: Db): Promise<void> {
  const read = () => db.raw('select count(*) from wallets')
  for (let failed = true; failed; ) {
    const reads = await Promise.allSettled(Array.from({ length: 8 }, read))
    failed = reads.some(({ status }) => status === 'rejected')
  }
}

/** Nodes are killed and shards move under load, while days of the ledger are sealed and rolled up. */
export async function tortureCitus(
  trial: Trial,
  options: { minutes: number; members: number; seed: number; pooled: boolean },
): Promise<void> {
  const { report } = trial
  const { minutes, members, seed, pooled } = options
  const { cluster, stage } = await startOnCitus(trial, { workers: 2, joined: 2, pooled })
  const { db } = stage.product
  const load = await startLoad(stage.product, members, seed)
  await endDaySoon(db)
  const retention = await queueSeals(stage.product)
  const random = new Random(seed)
  const end = Date.now() + minutes * 60_000
  const back: number[] = []
  let [coordinators, lost, moves] = [0, 0, 0]
  while (Date.now() < end || back.length === 0) {
    const node = random.pick(cluster.nodes)
    if (node === cluster.coordinator) coordinators++
    const ports = { port: node.port, coordinator: cluster.coordinator.port }
    const { on, others } = await divideByServer(db, load.visitors, ports)
    await node.crash()
    lost += await unansweredDuring(others, () => sleep(DOWN_MS))
    await cluster.startNode(node)
    back.push(await secondsUntilAnswered(on))
    await moveAnyShard(db, random, random.pick(WAYS))
    moves++
    await sleep(random.between(500, 3_000))
  }
  report.fact('nodes killed / of these the coordinator', `${back.length} / ${coordinators}`)
  report.fact('shards moved under load', moves)
  report.expect('status requests of the other node not answered meanwhile', lost, 0)
  const longest = Math.max(...back)
  report.fact('members of a killed node answered after its restart, s', longest.toFixed(1))
  report.expect('within 5 s of the restart', longest <= BACK_LIMIT_S, true)
  await replaceConnections(db)
  const problems = new Set(await load.stop())
  await waitUntilSealed(db, problems)
  await retention.stop()
  await checkSeals(db, problems)
  report.check('violated rules', [...problems])
  report.fact('acknowledged claims', load.tally.claims.size)
  const { sealedDays, rolledUpDays } = await readFigures(db)
  report.fact('days sealed / rolled up', `${sealedDays} / ${rolledUpDays}`)
  report.check('processes that ended', await stage.unexpectedExits())
}
