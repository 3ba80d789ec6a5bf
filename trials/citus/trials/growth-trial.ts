import { setTimeout as sleep } from 'node:timers/promises'
import { unansweredDuring } from '#trials/chaos/answers'
import { startLoad } from '#trials/chaos/load'
import { shardsOfNodes } from '#trials/citus/placements'
import type { Trial } from '#trials/kit/run-trial'
import { DATABASE, startOnCitus } from './citus-stage.ts'

/** Load before, between and after the rebalances. */
const PAUSE_MS = 5_000

/**
 * Members send random commands to a database with one node, while others join one by one and take
 * their share of the shards. Each status request is answered meanwhile, and every rule holds at the end.
 */
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
        await cluster.addNode(DATABASE, node)
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
