import { randomBytes } from 'node:crypto'
import path from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { databaseAt } from '#db/postgres/connection/admin'
import { freePort } from '#db/process/config/free-port'
import { haproxySettings } from './haproxy-settings.ts'
import { PatroniNode } from './patroni-node.ts'
import { ServerProcess } from './server-process.ts'

const NODES = 3
/** Longest wait for any state of the cluster. */
const LIMIT_MS = 120_000
const PAUSE_MS = 200

/** A member in Patroni's answer to `GET /cluster`. */
type Member = {
  name: string
  role: string
  state: string
  timeline?: number
  lag?: number | string
}

/** One etcd, three PostgreSQL under Patroni with synchronous replication, and HAProxy before them. */
export class PatroniCluster {
  private constructor(
    readonly nodes: PatroniNode[],
    private readonly others: ServerProcess[],
    /** URL of the database `tesp` on the primary, and on a replica. */
    readonly urls: { primary: string; replica: string },
  ) {}

  /** Starts everything below `folder` and waits until a replica confirms commits. */
  static async start(folder: string, programs: string): Promise<PatroniCluster> {
    const secret = () => randomBytes(18).toString('hex')
    const passwords = { superuser: secret(), replication: secret(), rewind: secret() }
    const etcdPort = await freePort()
    const etcd = new ServerProcess('etcd', path.join(folder, 'etcd'))
    etcd.start(await etcdArguments(etcd.folder, etcdPort))
    const nodes: PatroniNode[] = []
    for (let n = 1; n <= NODES; n++) {
      const [postgresPort, restPort] = [await freePort(), await freePort()]
      const name = `pg${n}`
      const ports = { postgresPort, restPort, etcdPort }
      nodes.push(
        new PatroniNode({ name, folder: path.join(folder, name), programs, passwords, ...ports }),
      )
    }
    const ports = { primary: await freePort(), replicas: await freePort() }
    const haproxy = new ServerProcess('haproxy', path.join(folder, 'haproxy'))
    haproxy.start(['-db', '-f', haproxy.write('haproxy.cfg', haproxySettings(ports, nodes))])
    const urlAt = (port: number) =>
      databaseAt(`postgres://postgres:${passwords.superuser}@127.0.0.1:${port}/`, 'tesp')
    const urls = { primary: urlAt(ports.primary), replica: urlAt(ports.replicas) }
    const cluster = new PatroniCluster(nodes, [etcd, haproxy], urls)
    try {
      // The first node initialises the database; the others copy it.
      nodes[0]?.start()
      await cluster.until('a primary', async () => (await cluster.primary()) !== undefined)
      for (const node of nodes.slice(1)) node.start()
      await cluster.settled()
      return cluster
    } catch (error) {
      await cluster.stop()
      throw error
    }
  }

  /** The node that accepts writes now, by Patroni's own check. */
  async primary(): Promise<PatroniNode | undefined> {
    const answers = await Promise.all(this.nodes.map((node) => node.isPrimary()))
    return this.nodes.find((_, n) => answers[n])
  }

  /** The node that accepts writes; throws if there is none now. */
  async expectPrimary(): Promise<PatroniNode> {
    const primary = await this.primary()
    if (!primary) throw new Error('the cluster has no primary')
    return primary
  }

  /** Waits for another primary than this node. */
  async replaced(node: PatroniNode): Promise<PatroniNode> {
    let next: PatroniNode | undefined
    await this.until(`a primary other than ${node.name}`, async () => {
      next = await this.primary()
      return next !== undefined && next !== node
    })
    return next as PatroniNode
  }

  /** Waits until all nodes run and follow the primary, and one of them confirms its commits. */
  async settled(): Promise<void> {
    await this.until('all nodes that follow the primary', async () => {
      const answer = await (await this.primary())?.ask('/cluster')
      if (!answer?.ok) return false
      const { members } = (await answer.json()) as { members: Member[] }
      const [leader] = members.filter(({ role }) => role === 'leader')
      const followers = members.filter(({ role, state, timeline }) => {
        return role !== 'leader' && isRunning(state) && timeline === leader?.timeline
      })
      return followers.length === NODES - 1 && followers.some(({ role }) => role === 'sync_standby')
    })
  }

  /** Asks Patroni for a planned change of the primary. */
  async switchover(primary: PatroniNode): Promise<void> {
    const answer = await primary.ask('/switchover', {
      method: 'POST',
      body: JSON.stringify({ leader: primary.name }),
      signal: AbortSignal.timeout(60_000),
    })
    if (!answer?.ok) throw new Error(`switchover was refused: ${await answer?.text()}`)
  }

  async stop(): Promise<void> {
    await Promise.all([...this.nodes, ...this.others].map((one) => one.kill()))
  }

  private async until(what: string, isSo: () => Promise<boolean>): Promise<void> {
    const end = Date.now() + LIMIT_MS
    while (!(await isSo())) {
      if (Date.now() > end) {
        for (const node of this.nodes) console.error(`${node.name}:\n${node.lastLog()}`)
        throw new Error(`waited ${LIMIT_MS / 1_000} s for ${what}`)
      }
      await sleep(PAUSE_MS)
    }
  }
}

/** States of a replica in several versions of Patroni. */
const isRunning = (state: string) => state === 'running' || state === 'streaming'

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
