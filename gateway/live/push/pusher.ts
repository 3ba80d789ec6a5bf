import type { MemberUpdate } from '#contract/events'
import { type MemberSnapshot, readSnapshots } from '#db/mining/snapshots'
import type { Topic } from '#db/process/change-channel'
import { type LiveServer, memberRoom } from '#gateway/live/rooms'
import type { Services } from '#gateway/services/services'
import { bufferedWriter } from './backpressure.ts'
import { encodeEvent } from './encode-event.ts'

/** Least time between the starts of two rounds of reads: changes that arrive meanwhile share one. */
const GATHER_MS = 25
/** Members per query. */
const BATCH = 200

type Changed = Map<number, Set<Topic>>

function updateOf({ mining, wallet }: MemberSnapshot, topics: Set<Topic>): MemberUpdate {
  return {
    ...(topics.has('mining') && { mining }),
    ...(topics.has('wallet') && { wallet }),
    ...(topics.has('team') && { team: true }),
  }
}

/** Removes the members that wait longest and returns them. */
function takeBatch(waiting: Changed): Changed {
  const batch: Changed = new Map()
  for (const [memberId, topics] of waiting) {
    if (batch.size === BATCH) break
    batch.set(memberId, topics)
    waiting.delete(memberId)
  }
  return batch
}

/**
 * Turns changes into pushes. Members without a socket on this gateway are skipped; the snapshots of
 * the others are read in batches, the next one while the last one is emitted. Further changes of a
 * member that waits for its batch cost nothing.
 */
export function createPusher(
  io: LiveServer,
  { db, log, config }: Pick<Services, 'db' | 'log' | 'config'>,
) {
  const writer = bufferedWriter(io, config.socketSlowReaderMs)
  const waiting: Changed = new Map()
  let timer: NodeJS.Timeout | undefined
  let startedAt = Number.NEGATIVE_INFINITY
  let running: Promise<void> = Promise.resolve()
  let isRunning = false
  let closed = false

  /** Reads a batch; the returned function emits it. Never rejects. */
  async function readBatch(batch: Changed): Promise<() => void> {
    try {
      const snapshots = await readSnapshots(db, [...batch.keys()])
      return () => {
        for (const snapshot of snapshots) emit(snapshot, batch.get(snapshot.memberId) ?? new Set())
      }
    } catch (error) {
      log.warn({ err: error }, 'snapshot read failed; clients asked to refetch')
      return () => {
        for (const memberId of batch.keys()) io.to(memberRoom(memberId)).emit('refetch')
      }
    }
  }

  function emit(snapshot: MemberSnapshot, topics: Set<Topic>) {
    const packet = encodeEvent('changed', updateOf(snapshot, topics))
    writer.forEachSocket(snapshot.memberId, ({ conn }) => conn.write(packet))
  }

  async function pushRound(): Promise<void> {
    // Members who change during the round wait for the next one.
    let left = waiting.size
    const readNext = () => {
      if (left <= 0) return undefined
      const batch = takeBatch(waiting)
      left -= batch.size
      return readBatch(batch)
    }
    let reading = readNext()
    while (reading) {
      const emitBatch: () => void = await reading
      reading = readNext()
      emitBatch()
    }
  }

  function schedule(): void {
    if (waiting.size === 0 || timer || isRunning || closed) return
    const delayMs = Math.max(0, startedAt + GATHER_MS - performance.now())
    timer = setTimeout(() => {
      timer = undefined
      startedAt = performance.now()
      isRunning = true
      running = pushRound().finally(() => {
        isRunning = false
        schedule()
      })
    }, delayMs)
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
      schedule()
    },
    async close() {
      closed = true
      clearTimeout(timer)
      await running
    },
  }
}
