import { readSnapshot } from '#db/mining/snapshots'
import { freePort } from '#runtime/config/free-port'
import { buildRoles } from '#scripts/build/build-roles'
import { assertCleanAudit } from '#trials/bench/harness/clean-audit'
import { productEnv } from '#trials/bench/harness/product-env'
import { startRole } from '#trials/bench/harness/role'
import { benchServers } from '#trials/bench/harness/servers'
import { signInMembers } from '#trials/bench/harness/sign-ins'
import type { BenchOptions, PartResult } from '#trials/bench/result'
import { creditsCaughtUp, populateSessions } from '#trials/bench/sockets/population'
import { measureSides } from '#trials/bench/sockets/rounds'
import { startBare, startProduct } from '#trials/bench/sockets/sides'
import { startSocketLoad } from '#trials/bench/sockets/socket-load'
import { measureLatencies } from '#trials/bench/sockets/steady-state'
import { socketTables } from '#trials/bench/sockets/tables'

/** Seconds of steady credits in one round. */
const STEADY_S = 20

/** Connects, memory and bursts of the product beside bare Socket.IO, and commit → client. */
export async function run({ rounds, quick, log }: BenchOptions): Promise<PartResult> {
  const sockets = quick ? 1_000 : 10_000
  await buildRoles()
  const servers = await benchServers(['track_commit_timestamp=on'])
  const db = servers.pool(2)
  const startWorkers = async () => {
    const workers = await startRole(
      'workers',
      productEnv(servers, { WORKERS_PORT: String(await freePort()) }),
    )
    await creditsCaughtUp(db)
    return workers
  }
  try {
    const memberIds = await populateSessions(db, sockets)
    await (await startWorkers()).stop()
    const cookies = await signInMembers(productEnv(servers), memberIds)
    const { mining, wallet } = await readSnapshot(db, memberIds[0] ?? 0)
    const payload = { mining, wallet }
    log(`${sockets} members with a running session`)

    const sides = {
      product: () => startProduct(servers),
      'bare Socket.IO': () => startBare(payload),
    }
    const figures = await measureSides(sides, { memberIds, cookies }, { rounds, log })

    const gateway = await startProduct(servers)
    const workers = await startWorkers()
    const load = startSocketLoad()
    await load.open({ port: gateway.port, origin: gateway.origin, cookies })
    const seconds = quick ? 5 : STEADY_S
    const latencies = await measureLatencies(db, load, memberIds, { rounds, seconds })
    load.stop()
    await Promise.all([gateway.stop(), workers.stop()])
    await assertCleanAudit(db)
    return {
      part: 'sockets',
      title: `Sockets: ${sockets.toLocaleString('en')} members with one each`,
      tables: socketTables(figures, latencies),
      notes: [
        'Server and load generator are one process each on the cores of this machine; 500 handshakes are in flight.',
        `A burst is measured from the change message to the last socket. The product reads mining and wallet of each member from Postgres; bare Socket.IO emits one ready object of the same size (${JSON.stringify(payload).length} bytes) to each socket.`,
        `Commit → client: ${latencies.credits} credits of a workers process as they fall due, ${seconds} s a round, from Postgres's commit timestamp to the socket of the member.`,
      ],
    }
  } finally {
    await servers.stop()
  }
}
