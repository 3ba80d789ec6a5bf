import { setTimeout as sleep } from 'node:timers/promises'
import { freePort } from '#runtime/config/free-port'
import { RedisProcess } from './redis-process.ts'
import type { RedisServers } from './redis-servers.ts'

const SENTINELS = 3
const MASTER = 'tesp'

/** As docs/scale.md recommends: a master that does not answer for 3 s is replaced. */
const monitor = (port: number) => [
  `sentinel monitor ${MASTER} 127.0.0.1 ${port} 2`,
  `sentinel down-after-milliseconds ${MASTER} 3000`,
  `sentinel failover-timeout ${MASTER} 10000`,
]

/** A master with two replicas, watched by three Sentinels. */
export async function startSentinels(): Promise<RedisServers> {
  const [masterPort = 0, ...others] = await Promise.all([freePort(), freePort(), freePort()])
  const servers = [
    new RedisProcess(masterPort, []),
    ...others.map((port) => new RedisProcess(port, [`replicaof 127.0.0.1 ${masterPort}`])),
  ]
  const ports = await Promise.all(Array.from({ length: SENTINELS }, freePort))
  const sentinels = ports.map((port) => new RedisProcess(port, monitor(masterPort), ['--sentinel']))
  const all = [...servers, ...sentinels]
  const stop = async () => void (await Promise.all(all.map((one) => one.remove())))
  try {
    for (const one of all) await one.start()
    const masterOf = () => masterNamedBy(sentinels[0], servers)
    const settled = async () => {
      for (const sentinel of sentinels) while (!(await isComplete(sentinel))) await sleep(200)
      while (!(await hasReplicas(await masterOf()))) await sleep(200)
    }
    await settled()
    const hosts = ports.map((port) => `127.0.0.1:${port}`)
    return { url: `redis+sentinel://${hosts.join(',')}/${MASTER}`, masterOf, settled, stop }
  } catch (error) {
    await stop()
    throw error
  }
}

/** Whether this Sentinel sees both replicas and the other Sentinels. */
async function isComplete(sentinel: RedisProcess): Promise<boolean> {
  const redis = sentinel.client()
  try {
    const info = await redis.info('sentinel')
    return info.includes(`slaves=2,sentinels=${SENTINELS}`)
  } finally {
    redis.disconnect()
  }
}

/** Whether both replicas follow this master. */
async function hasReplicas(master: RedisProcess): Promise<boolean> {
  const redis = master.client()
  try {
    const info = await redis.info('replication')
    return [0, 1].every((n) => new RegExp(`slave${n}:.*state=online`).test(info))
  } finally {
    redis.disconnect()
  }
}

async function masterNamedBy(
  sentinel: RedisProcess | undefined,
  servers: RedisProcess[],
): Promise<RedisProcess> {
  const redis = sentinel?.client()
  const address = await redis?.call('sentinel', 'get-master-addr-by-name', MASTER)
  redis?.disconnect()
  const [, port] = address as [string, string]
  const master = servers.find((server) => server.port === Number(port))
  if (!master) throw new Error(`the Sentinels name port ${port}, which is no server of this test`)
  return master
}
