import type { MemberUpdate } from '#contract/events'
import { ACTIVITY_PAGE } from '#contract/routes'
import { type MemberSnapshot, readSnapshots } from '#db/mining/snapshots'
import type { Topic } from '#db/process/change-channel'
import type { Services } from '#gateway/services/services'
import { forEachWritable } from './backpressure.ts'
import { type LiveServer, memberRoom } from './rooms.ts'

/** Changes that arrive within this time share one read. */
const GATHER_MS = 25
/** Members per query. */
const BATCH = 200

function updateOf({ mining, wallet, activity }: MemberSnapshot, topics: Set<Topic>): MemberUpdate {
  return {
    ...(topics.has('mining') && { mining }),
    ...(topics.has('wallet') && { wallet, activity }),
    ...(topics.has('team') && { team: true }),
  }
}

/**
 * Turns changes into pushes. Members without a socket on this gateway are skipped; the snapshots of
 * the others are read in one query per batch, one batch at a time. Further changes of a member that
 * waits for its batch cost nothing.
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
      log.warn({ err: error }, 'snapshot read failed; clients asked to refetch')
      for (const memberId of batch.keys()) io.to(memberRoom(memberId)).emit('refetch')
    }
  }

  function emit(snapshot: MemberSnapshot, topics: Set<Topic>) {
    const update = updateOf(snapshot, topics)
    forEachWritable(io, memberRoom(snapshot.memberId), (socket) => socket.emit('changed', update))
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
        const changed = waiting.get(memberId) ?? new Set()
        for (const topic of topics) changed.add(topic)
        waiting.set(memberId, changed)
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
