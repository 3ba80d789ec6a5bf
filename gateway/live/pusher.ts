import { ACTIVITY_PAGE } from '#contract/routes'
import { type MemberSnapshot, readSnapshots } from '#db/mining/snapshots'
import type { Topic } from '#db/process/change-channel'
import type { Services } from '#gateway/services/services'
import { forEachWritable } from './backpressure.ts'
import { type LiveServer, memberRoom } from './rooms.ts'

/** Signals that arrive within that time are answered by one read. */
const GATHER_MS = 25
/** Members of one query. */
const BATCH = 200

/**
 * Turns changes into pushes: keeps the members that have a socket here, reads their snapshots in
 * one query a batch, one batch at a time, and emits them. Signals for a member that come while
 * they wait cost nothing more.
 */
export function createPusher(io: LiveServer, { db, log }: Services) {
  const waiting = new Map<number, Set<Topic>>()
  let timer: NodeJS.Timeout | undefined
  let running: Promise<void> = Promise.resolve()
  let closed = false

  async function pushBatch(batch: Map<number, Set<Topic>>): Promise<void> {
    try {
      for (const snapshot of await readSnapshots(db, [...batch.keys()], ACTIVITY_PAGE)) {
        emit(snapshot, batch.get(snapshot.memberId) ?? new Set())
      }
    } catch (error) {
      log.warn({ err: error }, 'a push was not read')
      for (const memberId of batch.keys()) io.to(memberRoom(memberId)).emit('refetch')
    }
  }

  function emit({ memberId, mining, wallet, activity }: MemberSnapshot, topics: Set<Topic>) {
    forEachWritable(io, memberRoom(memberId), (socket) => {
      if (topics.has('team')) socket.emit('team')
      if (topics.has('mining')) socket.emit('mining', mining)
      if (!topics.has('wallet')) return
      socket.emit('wallet', wallet)
      socket.emit('activity', activity)
    })
  }

  async function flush(): Promise<void> {
    while (waiting.size > 0) {
      const batch = new Map([...waiting].slice(0, BATCH))
      for (const memberId of batch.keys()) waiting.delete(memberId)
      await pushBatch(batch)
    }
    timer = undefined
  }

  return {
    add(memberIds: number[], topics: Topic[]) {
      const { rooms } = io.of('/').adapter
      for (const memberId of memberIds) {
        if (!rooms.has(memberRoom(memberId))) continue
        const known = waiting.get(memberId) ?? new Set()
        for (const topic of topics) known.add(topic)
        waiting.set(memberId, known)
      }
      if (waiting.size === 0 || timer || closed) return
      timer = setTimeout(() => {
        running = flush()
      }, GATHER_MS)
    },
    async close() {
      closed = true
      clearTimeout(timer)
      await running
    },
  }
}
