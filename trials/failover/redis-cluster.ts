import { spawnSync } from 'node:child_process'
import { setTimeout as sleep } from 'node:timers/promises'
import { Command } from 'ioredis'
import { freePort } from '#runtime/config/free-port'
import { RedisProcess } from './redis-process.ts'
import type { RedisServers } from './redis-servers.ts'

const NODES = 6
/** As docs/scale.md recommends: a node that does not answer for 5 s is replaced. */
const SETTINGS = [
  'cluster-enabled yes',
  'cluster-node-timeout 5000',
  'cluster-require-full-coverage no',
  'appendonly no',
]

/** `cluster_state` of the view of this node, and whether it follows its master. */
async function isSettled(node: RedisProcess): Promise<boolean> {
  const redis = node.client()
  try {
    const info = `${await redis.cluster('INFO')}${await redis.info('replication')}`
    const isLinked = !info.includes('role:slave') || info.includes('master_link_status:up')
    return info.includes('cluster_state:ok') && info.includes('cluster_known_nodes:6') && isLinked
  } finally {
    redis.disconnect()
  }
}

/** Three masters with a replica each. */
export async function startRedisCluster(): Promise<RedisServers> {
  const ports = await Promise.all(Array.from({ length: NODES }, freePort))
  const nodes = await Promise.all(
    ports.map(async (port) => {
      return new RedisProcess(port, [...SETTINGS, `cluster-port ${await freePort()}`])
    }),
  )
  const stop = async () => void (await Promise.all(nodes.map((node) => node.remove())))
  try {
    await Promise.all(nodes.map((node) => node.start()))
    const hosts = ports.map((port) => `127.0.0.1:${port}`)
    const create = ['--cluster', 'create', ...hosts, '--cluster-replicas', '1', '--cluster-yes']
    const { status, stdout } = spawnSync('redis-cli', create, { encoding: 'utf8' })
    if (status !== 0) throw new Error(`the cluster was not created: ${stdout}`)
    const settled = async () => {
      for (const node of nodes) while (!(await isSettled(node))) await sleep(100)
    }
    await settled()
    const url = `redis+cluster://${hosts.join(',')}`
    return { url, masterOf: (key) => masterOf(nodes, key), settled, stop }
  } catch (error) {
    await stop()
    throw error
  }
}

/** The master that serves this key in the view of the first node that runs. */
async function masterOf(nodes: RedisProcess[], key: string): Promise<RedisProcess> {
  const slot = new Command('get', [key]).getSlot()
  const [asked] = nodes.filter((node) => node.isRunning)
  const redis = asked?.client()
  const ranges = (await redis?.call('cluster', 'slots')) as [number, number, [string, number]][]
  redis?.disconnect()
  const port = ranges.find(([from, to]) => from <= slot && slot <= to)?.[2][1]
  const master = nodes.find((node) => node.port === port)
  if (!master) throw new Error(`no node serves the key ${key}`)
  return master
}
