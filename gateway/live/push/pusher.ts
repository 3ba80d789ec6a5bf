import type { MemberUpdate } from '#contract/events'
import { type MemberSnapshot, readSnapshots } from '#db/mining/snapshots'
import { type LiveServer, memberRoom } from '#gateway/live/rooms'
import type { Services } from '#gateway/services/services'
import type { ChangeOrigin, Topic } from '#runtime/change-channel'
import { withCause } from '#runtime/logging/request-id'
import { bufferedWriter } from './backpressure.ts'
import {
  addChange,
  type ChangedMembers,
  delaySeconds,
  oldestOrigin,
  requestIdsOf,
  takeBatch,
} from './changed-members.ts'
import { encodeEvent } from './encode-event.ts'

/** Least time between the starts of two rounds of reads: changes that arrive meanwhile share one. */
const GATHER_MS = 25
/** Members per query. */
const BATCH = 200

function updateOf({ mining, wallet }: MemberSnapshot, topics: Set<Topic>): MemberUpdate {
  return {
    ...(topics.has('mining') && { mining }),
    ...(topics.has('wallet') && { wallet }),
    ...(topics.has('team') && { team: true }),
  }
}

type PusherServices = Pick<Services, 'db' | 'log' | 'config' | 'metrics' | 'tracing'>

/**
 * Turns changes into pushes. Members without a socket on this gateway are skipped; the snapshots of
 * the others are read in batches, the next one while the last one is emitted. Further changes of a
 * member that waits for its batch cost nothing.
 */
export function createPusher(
  io: LiveServer,
  { db, log, config, metrics, tracing }: PusherServices,
) {
  const writer = bufferedWriter(io, config.socketSlowReaderMs)
  const waiting: ChangedMembers = new Map()
  let timer: NodeJS.Timeout | undefined
  let startedAt = Number.NEGATIVE_INFINITY
  let running: Promise<void> = Promise.resolve()
  let isRunning = false
  let closed = false

  /** Reads a batch; the returned function emits it. Never rejects. */
  async function readBatch(batch: ChangedMembers): Promise<() => void> {
    try {
      const ids = [...batch.keys()]
      const snapshots = await withCause(oldestOrigin(batch), () =>
        tracing.span('internal', 'read snapshots for pushes', () => readSnapshots(db, ids)),
      )
      return () => emitBatch(batch, snapshots)
    } catch (err) {
      const requestIds = requestIdsOf(batch)
      log.warn({ err, requestIds }, 'snapshot read failed; clients asked to refetch')
      return () => {
        for (const memberId of batch.keys()) io.to(memberRoom(memberId)).emit('refetch')
      }
    }
  }

  function emitBatch(batch: ChangedMembers, snapshots: MemberSnapshot[]): void {
    let pushes = 0
    for (const snapshot of snapshots) {
      const topics = batch.get(snapshot.memberId)?.topics ?? new Set()
      const packet = encodeEvent('changed', updateOf(snapshot, topics))
      writer.forEachSocket(snapshot.memberId, ({ conn }) => {
        conn.write(packet)
        pushes += 1
      })
    }
    metrics.pushes.inc(pushes)
    const delay = delaySeconds(batch, Date.now())
    metrics.pushDelay.observe(delay)
    metrics.slowestPush.add(delay)
    if (!log.isLevelEnabled('debug')) return
    log.debug({ members: batch.size, pushes, requestIds: requestIdsOf(batch) }, 'changes pushed')
  }

  async function pushRound(): Promise<void> {
    // Members who change during the round wait for the next one.
    let left = waiting.size
    const readNext = () => {
      if (left <= 0) return undefined
      const batch = takeBatch(waiting, BATCH)
      left -= batch.size
      return readBatch(batch)
    }
    let reading = readNext()
    while (reading) {
      const emit: () => void = await reading
      reading = readNext()
      emit()
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
    add(memberIds: number[], topics: Topic[], origin: ChangeOrigin) {
      const { rooms } = io.of('/').adapter
      for (const memberId of memberIds) {
        if (rooms.has(memberRoom(memberId))) addChange(waiting, memberId, topics, origin)
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
