import { setTimeout as sleep } from 'node:timers/promises'
import { withClient } from '#db/postgres/connection/admin'
import { unansweredDuring } from '#trials/chaos/answers'
import { divideByServer } from '#trials/citus/placements'
import type { Trial } from '#trials/kit/run-trial'
import { PatroniCluster } from './cluster/patroni-cluster.ts'
import type { PatroniGroup } from './cluster/patroni-group.ts'
import { type Fault, KILL, STALL_AND_KILL, switchover } from './faults.ts'
import { Outages } from './outages.ts'
import { startUnderLoad } from './product-under-load.ts'

/** The coordinator and two nodes, each with a synchronous replica. */
const SIZES = [2, 2, 2]
/** Members of each gateway whose commands are timed: enough that every node has some. */
const PROBERS = 6
const JOIN_LIMIT_MS = 60_000
const PAUSE_MS = 200

const NODES_SQL = `select count(*)::integer as nodes from pg_dist_node where noderole = 'primary'`

/** Waits until Patroni has joined the groups: the tables are distributed over the nodes of that moment. */
async function untilJoined(url: string): Promise<void> {
  const end = Date.now() + JOIN_LIMIT_MS
  const nodes = () =>
    withClient(url, async (client) => (await client.query(NODES_SQL)).rows[0].nodes as number)
  while ((await nodes()) < SIZES.length) {
    if (Date.now() > end) throw new Error('Patroni has not joined the nodes of Citus')
    await sleep(PAUSE_MS)
  }
}

export type CitusFailoverOptions = {
  /** Folder of PostgreSQL's programs. */
  programs: string
  /** How often a primary is killed: one group after the other, in every second round after its replication has stopped. */
  kills: number
}

/**
 * Kills the servers of a Citus database in turn under load. Each has a synchronous replica, which Patroni puts in
 * its place. Members of other nodes are served meanwhile, and nothing acknowledged is lost.
 */
export async function tryCitusFailover(
  trial: Trial,
  { programs, kills }: CitusFailoverOptions,
): Promise<void> {
  const { report, folder, defer } = trial
  const cluster = await report.step('etcd, HAProxy and six PostgreSQL under Patroni start', () =>
    PatroniCluster.start(folder, programs, SIZES),
  )
  defer(() => cluster.stop())
  await report.step('Patroni joins the nodes', () => untilJoined(cluster.urls.primary))
  const product = await startUnderLoad(trial, cluster, { probers: PROBERS })
  const { stage, load, prober } = product
  const outages = new Outages(report, product)
  const { groups, first } = cluster
  let lost = 0
  const suffer = async (group: PatroniGroup, fault: Fault) => {
    const [{ place }, coordinator] = await Promise.all([
      group.expectPrimary(),
      first.expectPrimary(),
    ])
    const ports = { port: place.postgresPort, coordinator: coordinator.place.postgresPort }
    const { others } = await divideByServer(stage.product.db, load.visitors, ports)
    lost += await unansweredDuring(others, () => outages.suffer(group, fault))
  }
  for (let kill = 0; kill < kills; kill++) {
    const isStalled = Math.floor(kill / groups.length) % 2 === 1
    await suffer(groups[kill % groups.length] ?? first, isStalled ? STALL_AND_KILL : KILL)
  }
  for (const group of groups) await suffer(group, switchover(group))

  await prober.stop()
  const problems = await load.stop()
  outages.summarise()
  report.expect('status requests of the other nodes not answered meanwhile', lost, 0)
  report.fact('claims confirmed during the trial', load.tally.claims.size)
  report.check('lost claims, failed requests, violated rules of the audit', problems)
  report.check('processes that ended by themselves', await stage.unexpectedExits())
}
