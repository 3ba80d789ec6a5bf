import { migrate } from '#db/migrations/migrate'
import { withClient } from '#db/postgres/connection/pool'
import { databaseAt, ensureDatabase } from '#scripts/embedded/create-database'
import { newMember, PASSWORD } from '#scripts/testing/gateway/visitor'
import { divideByServer } from '#trials/citus/placements'
import { SPEED } from '#trials/kit/checks'
import { runScript } from '#trials/kit/child'
import { startLoad } from '#trials/kit/load'
import { startPgBouncer } from '#trials/kit/pgbouncer'
import { startProber, unansweredDuring } from '#trials/kit/probe'
import type { TrialReport } from '#trials/kit/report'
import { trialServers } from '#trials/kit/servers'
import { Stage } from '#trials/kit/stage'
import type { Trial } from '#trials/kit/trial'
import { until } from '#trials/kit/until'
import {
  CITUS_CREDITS_LIMIT_S,
  type Fault,
  FREEZE,
  KILL,
  Outages,
  type ProductUnderLoad,
  STALL_AND_KILL,
  switchover,
} from './outages.ts'
import { PatroniCluster, type PatroniGroup } from './patroni-cluster.ts'

const MEMBERS = 8
/** One PostgreSQL on three servers. */
const ONE_DATABASE = [3]
/** The coordinator of Citus and two nodes, each with a synchronous replica. */
const CITUS = [2, 2, 2]
/** Members of each gateway whose commands are timed on Citus: enough that every node has some. */
const CITUS_PROBERS = 6
/** Fewer server connections than the pools of the four processes have together. */
const POOLER_CONNECTIONS = 12
const NODES_SQL = `select count(*)::integer as nodes from pg_dist_node where noderole = 'primary'`

async function startUnderLoad(
  trial: Trial,
  { urls }: PatroniCluster,
  { env = {}, probers = 1 }: { env?: NodeJS.ProcessEnv; probers?: number } = {},
): Promise<ProductUnderLoad> {
  await ensureDatabase(databaseAt(urls.primary, 'postgres'), 'tesp')
  await migrate(urls.primary)
  const place = await trialServers(trial, { databaseUrl: urls.primary })
  const settings = { JOB_LOCK_MS: '3000', ...env }
  const stage = await Stage.start(place, { workers: 2, speed: SPEED, env: settings })
  trial.defer(() => stage.stop())
  const load = await startLoad(stage.product, MEMBERS, 29)
  return { stage, load, prober: await startProber(stage.product, probers) }
}

/** Exports a member's data and audits the ledger, both on whichever replica there is now. */
async function checkReads(report: TrialReport, stage: Stage, { urls }: PatroniCluster) {
  const member = await newMember(stage.product)
  const { status } = await member.fetch('/api/user/export', 0, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json' },
    body: JSON.stringify({ password: PASSWORD }),
  })
  report.expect('export of a member who has just registered', status, 200)
  const isFromPrimary = stage.gateway(0).output().includes('reading from the primary')
  report.expect('it is read from a replica', !isFromPrimary, true)
  const env = { DATABASE_URL: urls.primary, DATABASE_REPLICA_URL: urls.replica }
  await report.step('npm run audit on a replica', () => runScript('audit', [], env), String)
}

async function finish(
  report: TrialReport,
  { stage, load, prober }: ProductUnderLoad,
  outages: Outages,
  creditsLimitS?: number,
) {
  await prober.stop()
  const problems = await load.stop()
  outages.summarise(creditsLimitS)
  report.fact('claims confirmed during the trial', load.tally.claims.size)
  report.check('lost claims, failed requests, violated rules of the audit', problems)
  report.check('processes that ended by themselves', await stage.unexpectedExits())
}

/** `kills`: every second one after replication has stopped; `pooled-kills`: with PgBouncer before the primary. */
export async function tryFailover(
  trial: Trial,
  { kills, 'pooled-kills': pooledKills }: { kills: number; 'pooled-kills': number },
): Promise<void> {
  const { report, folder, defer } = trial
  const cluster = await report.step('etcd, HAProxy and three PostgreSQL under Patroni start', () =>
    PatroniCluster.start(folder, ONE_DATABASE),
  )
  defer(() => cluster.stop())
  const { primary, replica } = cluster.urls
  const product = await startUnderLoad(trial, cluster, { env: { DATABASE_REPLICA_URL: replica } })
  const { stage } = product
  const outages = new Outages(report, product)
  const { first } = cluster
  for (let kill = 1; kill <= kills; kill++) {
    await outages.suffer(first, kill % 2 ? KILL : STALL_AND_KILL)
  }
  await outages.suffer(first, FREEZE)
  await outages.suffer(first, switchover(first))
  await checkReads(report, stage, cluster)

  if (pooledKills > 0) {
    const pooler = await startPgBouncer(primary, POOLER_CONNECTIONS)
    defer(() => pooler.stop())
    const change = { DATABASE_URL: pooler.url, DATABASE_DIRECT_URL: primary }
    await report.step('processes roll to PgBouncer in transaction mode', () =>
      stage.roll({ ...change, DATABASE_PREPARED: 'off' }),
    )
    const pooled = { ...KILL, title: `${KILL.title}, through PgBouncer` }
    for (let kill = 1; kill <= pooledKills; kill++) await outages.suffer(first, pooled)
  }
  await finish(report, product, outages)
}

/** Every second round stops replication before the kill. Each server has a synchronous replica to promote. */
export async function tryCitusFailover(trial: Trial, { kills }: { kills: number }): Promise<void> {
  const { report, folder, defer } = trial
  const cluster = await report.step('etcd, HAProxy and six PostgreSQL under Patroni start', () =>
    PatroniCluster.start(folder, CITUS),
  )
  defer(() => cluster.stop())
  // Tables are distributed over the nodes of that moment.
  await report.step('Patroni joins the nodes', () =>
    until('all nodes of Citus', () =>
      withClient(cluster.urls.primary, async (client) => {
        const { rows } = await client.query(NODES_SQL)
        return rows[0].nodes === CITUS.length
      }),
    ),
  )
  const product = await startUnderLoad(trial, cluster, { probers: CITUS_PROBERS })
  const { stage, load } = product
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
  report.expect('status requests of the other nodes not answered meanwhile', lost, 0)
  await finish(report, product, outages, CITUS_CREDITS_LIMIT_S)
}
