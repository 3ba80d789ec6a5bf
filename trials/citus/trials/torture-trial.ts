import { setTimeout as sleep } from 'node:timers/promises'
import type { Db } from '#db/postgres/statements/transaction'
import { secondsUntilAnswered, unansweredDuring } from '#trials/chaos/answers'
import { startLoad } from '#trials/chaos/load'
import { divideByServer, moveAnyShard, WAYS } from '#trials/citus/placements'
import type { Trial } from '#trials/kit/run-trial'
import { checkSeals } from '#trials/torture/checks'
import { Random } from '#trials/torture/random'
import { endDaySoon, queueSeals, waitUntilSealed } from '#trials/torture/seals'
import { readFigures } from '#trials/torture/summary'
import { startOnCitus } from './citus-stage.ts'

export type TortureOptions = {
  minutes: number
  members: number
  seed: number
  /** Whether the product reaches the coordinator through PgBouncer. */
  pooled: boolean
}

/** Time for which a node is down. */
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

/**
 * Members send random commands while nodes are killed and shards move, and days of the ledger are sealed
 * and rolled up. Members of other nodes are served meanwhile, those of a killed one within 5 s of its
 * restart, all members if it is the coordinator, and every rule holds at the end.
 */
export async function tortureCitus(
  trial: Trial,
  { minutes, members, seed, pooled }: TortureOptions,
): Promise<void> {
  const { report } = trial
  const { cluster, stage } = await startOnCitus(trial, { workers: 2, joined: 2, pooled })
  const { db } = stage.product
  const load = await startLoad(stage.product, members, seed)
  await endDaySoon(db)
  const retention = queueSeals(stage.product)
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
