import { setTimeout as sleep } from 'node:timers/promises'
import { Command } from 'ioredis'
import { freePorts } from '#runtime/config/free-port'
import { run } from '#scripts/embedded/run-program'
import { RedisProcess } from '#trials/kit/redis'

export type RedisServers = {
  url: string
  masterOf(key: string): Promise<RedisProcess>
  /** Resolves when every replica follows its master again. */
  settled(): Promise<void>
  stop(): Promise<void>
}

const hostsOf = (ports: number[]) => ports.map((port) => `127.0.0.1:${port}`)

async function orRemove<T>(processes: RedisProcess[], start: () => Promise<T>) {
  const stop = async () => void (await Promise.all(processes.map((one) => one.remove())))
  try {
    return { ...(await start()), stop }
  } catch (error) {
    await stop()
    throw error
  }
}

function processAt(processes: RedisProcess[], port: number | undefined): RedisProcess {
  const found = processes.find((one) => one.port === port)
  if (!found) throw new Error(`port ${port} belongs to no server of this test`)
  return found
}

const SENTINELS = 3
const MASTER = 'tesp'

/** As docs/scale.md recommends: a master that does not answer for 3 s is replaced. */
const monitor = (port: number) => [
  `sentinel monitor ${MASTER} 127.0.0.1 ${port} 2`,
  `sentinel down-after-milliseconds ${MASTER} 3000`,
  `sentinel failover-timeout ${MASTER} 10000`,
]

export async function startSentinels(): Promise<RedisServers> {
  const [masterPort = 0, ...others] = await freePorts(3)
  const servers = [
    new RedisProcess(masterPort, []),
    ...others.map((port) => new RedisProcess(port, [`replicaof 127.0.0.1 ${masterPort}`])),
  ]
  const ports = await freePorts(SENTINELS)
  const sentinels = ports.map((port) => new RedisProcess(port, monitor(masterPort), ['--sentinel']))
  const all = [...servers, ...sentinels]
  const masterOf = async () => {
    const named = ['sentinel', 'get-master-addr-by-name', MASTER] as const
    const address = await sentinels[0]?.ask((redis) => redis.call(...named))
    return processAt(servers, Number((address as [string, string])[1]))
  }
  const settled = async () => {
    for (const sentinel of sentinels) while (!(await seesAll(sentinel))) await sleep(200)
    while (!(await hasReplicas(await masterOf()))) await sleep(200)
  }
  return orRemove(all, async () => {
    for (const one of all) await one.start()
    await settled()
    return { url: `redis+sentinel://${hostsOf(ports)}/${MASTER}`, masterOf, settled }
  })
}

const seesAll = async (sentinel: RedisProcess) =>
  (await sentinel.ask((redis) => redis.info('sentinel'))).includes(
    `slaves=2,sentinels=${SENTINELS}`,
  )

async function hasReplicas(master: RedisProcess): Promise<boolean> {
  const info = await master.ask((redis) => redis.info('replication'))
  return [0, 1].every((n) => new RegExp(`slave${n}:.*state=online`).test(info))
}

/** As docs/scale.md recommends: a node that does not answer for 5 s is replaced. */
const CLUSTER_SETTINGS = [
  'cluster-enabled yes',
  'cluster-node-timeout 5000',
  'cluster-require-full-coverage no',
  'appendonly no',
]
const NODES = 6

export async function startRedisCluster(): Promise<RedisServers> {
  const [ports, busPorts] = [await freePorts(NODES), await freePorts(NODES)]
  const nodes = ports.map((port, n) => {
    return new RedisProcess(port, [...CLUSTER_SETTINGS, `cluster-port ${busPorts[n]}`])
  })
  const settled = async () => {
    for (const node of nodes) while (!(await isSettled(node))) await sleep(100)
  }
  return orRemove(nodes, async () => {
    await Promise.all(nodes.map((node) => node.start()))
    const create = ['--cluster', 'create', ...hostsOf(ports)]
    await run('redis-cli', [...create, '--cluster-replicas', '1', '--cluster-yes'])
    await settled()
    const url = `redis+cluster://${hostsOf(ports)}`
    return { url, masterOf: (key: string) => masterOf(nodes, key), settled }
  })
}

async function isSettled(node: RedisProcess): Promise<boolean> {
  const info = await node.ask(
    async (redis) => `${await redis.cluster('INFO')}${await redis.info('replication')}`,
  )
  const isLinked = !info.includes('role:slave') || info.includes('master_link_status:up')
  return info.includes('cluster_state:ok') && info.includes('cluster_known_nodes:6') && isLinked
}

/** The master that serves this key in the view of the first node that runs. */
async function masterOf(nodes: RedisProcess[], key: string): Promise<RedisProcess> {
  const slot = new Command('get', [key]).getSlot()
  const [asked] = nodes.filter((node) => node.isRunning)
  const ranges = await asked?.ask((redis) => redis.call('cluster', 'slots'))
  const range = (ranges as [number, number, [string, number]][]).find(
    ([from, to]) => from <= slot && slot <= to,
  )
  return processAt(nodes, range?.[2][1])
}
