import { randomBytes } from 'node:crypto'
import path from 'node:path'
import { databaseAt } from '#db/postgres/connection/admin'
import { freePort } from '#runtime/config/free-port'
import { haproxySettings } from './haproxy-settings.ts'
import type { NodePlace } from './node-settings.ts'
import { PatroniGroup } from './patroni-group.ts'
import { PatroniNode } from './patroni-node.ts'
import { ServerProcess } from './server-process.ts'

/** Servers of each group. Of several groups the first one is the coordinator's of Citus. */
export type Sizes = number[]

/** One PostgreSQL on three servers. */
export const ONE_DATABASE: Sizes = [3]

/**
 * One etcd, groups of PostgreSQL under Patroni with synchronous replication, and HAProxy before the first
 * group.
 */
export class PatroniCluster {
  private constructor(
    readonly groups: PatroniGroup[],
    private readonly others: ServerProcess[],
    /** URL of the database `tesp` on the primary of the first group, and on a replica. */
    readonly urls: { primary: string; replica: string },
  ) {}

  /** Starts everything below `folder` and waits until each group confirms commits twice. */
  static async start(folder: string, programs: string, sizes: Sizes): Promise<PatroniCluster> {
    const secret = () => randomBytes(18).toString('hex')
    const passwords = { superuser: secret(), replication: secret(), rewind: secret() }
    const etcdPort = await freePort()
    const etcd = new ServerProcess('etcd', path.join(folder, 'etcd'))
    etcd.start(await etcdArguments(etcd.folder, etcdPort))
    const place = { folder, programs, passwords, etcdPort }
    const groups: PatroniGroup[] = []
    for (const [group, size] of sizes.entries()) {
      const citusGroup = sizes.length > 1 ? { citusGroup: group } : {}
      groups.push(new PatroniGroup(await nodesOf(size, { ...place, ...citusGroup })))
    }
    const [first] = groups
    if (!first) throw new Error('a cluster has a group')
    const ports = { primary: await freePort(), replicas: await freePort() }
    const haproxy = new ServerProcess('haproxy', path.join(folder, 'haproxy'))
    haproxy.start(['-db', '-f', haproxy.write('haproxy.cfg', haproxySettings(ports, first.nodes))])
    const urlAt = (port: number) =>
      databaseAt(`postgres://postgres:${passwords.superuser}@127.0.0.1:${port}/`, 'tesp')
    const urls = { primary: urlAt(ports.primary), replica: urlAt(ports.replicas) }
    const cluster = new PatroniCluster(groups, [etcd, haproxy], urls)
    try {
      await Promise.all(groups.map((group) => group.start()))
      return cluster
    } catch (error) {
      await cluster.stop()
      throw error
    }
  }

  /** The first group: the only one, or the coordinator's. */
  get first(): PatroniGroup {
    return this.groups[0] as PatroniGroup
  }

  async stop(): Promise<void> {
    const nodes = this.groups.flatMap((group) => group.nodes)
    await Promise.all([...nodes, ...this.others].map((one) => one.kill()))
  }
}

type Common = Omit<NodePlace, 'name' | 'postgresPort' | 'restPort'>

/** Nodes of a group, on free ports, each in a folder of its own. */
async function nodesOf(size: number, common: Common): Promise<PatroniNode[]> {
  const { citusGroup, folder } = common
  const nodes: PatroniNode[] = []
  for (let n = 1; n <= size; n++) {
    const name = citusGroup === undefined ? `pg${n}` : `group${citusGroup}-${n}`
    const [postgresPort, restPort] = [await freePort(), await freePort()]
    const place = { ...common, name, folder: path.join(folder, name), postgresPort, restPort }
    nodes.push(new PatroniNode(place))
  }
  return nodes
}

async function etcdArguments(folder: string, clientPort: number): Promise<string[]> {
  const client = `http://127.0.0.1:${clientPort}`
  const peer = `http://127.0.0.1:${await freePort()}`
  return [
    '--name=etcd1',
    `--data-dir=${path.join(folder, 'data')}`,
    `--listen-client-urls=${client}`,
    `--advertise-client-urls=${client}`,
    `--listen-peer-urls=${peer}`,
    `--initial-advertise-peer-urls=${peer}`,
    `--initial-cluster=etcd1=${peer}`,
  ]
}
