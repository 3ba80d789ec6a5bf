import { setTimeout as sleep } from 'node:timers/promises'
import type { PatroniNode } from './patroni-node.ts'

/** Longest wait for any state of a group. */
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

/** Servers with the same data: one primary, and replicas that may take its place. */
export class PatroniGroup {
  constructor(readonly nodes: PatroniNode[]) {}

  /** Starts the nodes and waits until a replica confirms commits. */
  async start(): Promise<void> {
    const [first, ...others] = this.nodes
    // The first node initialises the database; the others copy it.
    first?.start()
    await this.until('a primary', async () => (await this.primary()) !== undefined)
    for (const node of others) node.start()
    await this.settled()
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
      const primary = await this.primary()
      await primary?.refreshView()
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

  /** Asks Patroni for a planned change of the primary. */
  async switchover(primary: PatroniNode): Promise<void> {
    const answer = await primary.ask('/switchover', {
      method: 'POST',
      body: JSON.stringify({ leader: primary.name }),
      signal: AbortSignal.timeout(60_000),
    })
    if (!answer?.ok) throw new Error(`switchover was refused: ${await answer?.text()}`)
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
