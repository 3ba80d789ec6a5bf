import { randomBytes } from 'node:crypto'
import path from 'node:path'
import { freePort } from '#runtime/config/free-port'
import { databaseAt } from '#scripts/embedded/create-database'
import { ServerProcess } from '#trials/kit/child'
import { postgresPrograms } from '#trials/kit/needs'
import { until } from '#trials/kit/until'
import { PatroniNode } from './patroni-node.ts'
import { haproxySettings, type NodePlace } from './settings.ts'

const LIMIT_MS = 120_000

/** A member in Patroni's answer to `GET /cluster`. */
type Member = {
  name: string
  role: string
  state: string
  timeline?: number
  lag?: number | string
}

/** Servers with the same data: one primary, and replicas that may take its place. */
export class PatroniGroup {
  constructor(readonly nodes: PatroniNode[]) {}

  async start(): Promise<void> {
    const [first, ...others] = this.nodes
    // The first node initialises the database; the others copy it.
    first?.start()
    await this.until('a primary', () => this.primary())
    for (const node of others) node.start()
    await this.settled()
  }

  /** The node that accepts writes now, by Patroni's own check. */
  async primary(): Promise<PatroniNode | undefined> {
    const answers = await Promise.all(this.nodes.map((node) => node.ask('/primary')))
    return this.nodes.find((_, n) => answers[n]?.status === 200)
  }

  async expectPrimary(): Promise<PatroniNode> {
    const primary = await this.primary()
    if (!primary) throw new Error('the cluster has no primary')
    return primary
  }

  async replaced(node: PatroniNode): Promise<PatroniNode> {
    return this.until(`a primary other than ${node.place.name}`, async () => {
      const next = await this.primary()
      return next !== node && next
    })
  }

  /** Waits until all nodes run and follow the primary, and one of them confirms its commits. */
  async settled(): Promise<void> {
    await this.until('all nodes that follow the primary', async () => {
      const primary = await this.primary()
      const answer = await primary?.ask('/cluster')
      if (!answer?.ok) return false
      const { members } = (await answer.json()) as { members: Member[] }
      const [leader] = members.filter(({ role }) => role === 'leader')
      const followers = members.filter(({ role, state, timeline }) => {
        return role !== 'leader' && isRunning(state) && timeline === leader?.timeline
      })
      const isConfirmed = followers.some(({ role }) => role === 'sync_standby')
      return followers.length === this.nodes.length - 1 && isConfirmed
    })
  }

  async switchover(primary: PatroniNode): Promise<void> {
    const answer = await primary.ask('/switchover', {
      method: 'POST',
      body: JSON.stringify({ leader: primary.place.name }),
      signal: AbortSignal.timeout(60_000),
    })
    if (!answer?.ok) throw new Error(`switchover was refused: ${await answer?.text()}`)
  }

  private until<T>(what: string, find: () => Promise<T>) {
    const logOf = ({ place, patroni }: PatroniNode) => `${place.name}:\n${patroni.lastLog()}`
    const logs = async () => this.nodes.map(logOf).join('\n')
    return until(what, find, { limitMs: LIMIT_MS, logs })
  }
}

/** States of a replica in several versions of Patroni. */
const isRunning = (state: string) => state === 'running' || state === 'streaming'

/** One etcd, groups of PostgreSQL under Patroni with synchronous replication, and HAProxy before the first group. */
export class PatroniCluster {
  private constructor(
    readonly groups: PatroniGroup[],
    private readonly others: ServerProcess[],
    /** URL of the database `tesp` on the primary of the first group, and on a replica. */
    readonly urls: { primary: string; replica: string },
  ) {}

  /** @param sizes servers of each group; of several groups the first one is the coordinator of Citus */
  static async start(folder: string, sizes: number[]): Promise<PatroniCluster> {
    const secret = () => randomBytes(18).toString('hex')
    const passwords = { superuser: secret(), replication: secret(), rewind: secret() }
    const etcdPort = await freePort()
    const etcd = new ServerProcess('etcd', path.join(folder, 'etcd'))
    etcd.launch(await etcdArguments(etcd.folder, etcdPort))
    const place = { folder, programs: postgresPrograms() ?? '', passwords, etcdPort }
    const groups: PatroniGroup[] = []
    for (const [group, size] of sizes.entries()) {
      const citusGroup = sizes.length > 1 ? { citusGroup: group } : {}
      groups.push(new PatroniGroup(await nodesOf(size, { ...place, ...citusGroup })))
    }
    const ports = { primary: await freePort(), replicas: await freePort() }
    const haproxy = new ServerProcess('haproxy', path.join(folder, 'haproxy'))
    haproxy.launch([
      '-db',
      '-f',
      haproxy.write('haproxy.cfg', haproxySettings(ports, groups[0]?.nodes ?? [])),
    ])
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
    '--enable-v2=true',
    `--data-dir=${path.join(folder, 'data')}`,
    `--listen-client-urls=${client}`,
    `--advertise-client-urls=${client}`,
    `--listen-peer-urls=${peer}`,
    `--initial-advertise-peer-urls=${peer}`,
    `--initial-cluster=etcd1=${peer}`,
  ]
}
