import { setImmediate } from 'node:timers/promises'
import type { MemberUpdate } from '#contract/events'
import { readInboxStates } from '#db/inbox/inbox'
import { type MemberSnapshot, readSnapshots } from '#db/mining/snapshots'
import type { Services } from '#gateway/services/services'
import type { InboxState } from '#rules/inbox'
import type { ChangeOrigin, Topic } from '#runtime/pubsub'
import { bufferedWriter, type LiveServer, memberRoom } from './sockets.ts'

/** Types MESSAGE of Engine.IO and EVENT of Socket.IO, in the default namespace. */
const MESSAGE = '4'
const EVENT = '2'
/** FIN and the opcode of a text frame; a length that follows in two bytes (RFC 6455). */
const TEXT_FRAME = 0x81
const LENGTH_16 = 126

/** A text as one frame, if its length takes two bytes, as that of a push does. */
function frameOf(text: string): Buffer | undefined {
  const length = Buffer.byteLength(text)
  if (length < LENGTH_16 || length > 0xffff) return undefined
  const frame = Buffer.allocUnsafe(4 + length)
  frame.writeUInt16BE(TEXT_FRAME * 256 + LENGTH_16)
  frame.writeUInt16BE(length, 2)
  frame.write(text, 4)
  return frame
}

/**
 * Not `socket.emit`, which encodes again for each socket and searches every value for binary data first. The
 * option is that of Socket.IO's broadcasts, so the kernel gets one part instead of header and text.
 */
function encodeUpdate(update: MemberUpdate): [packet: string, options: object] {
  const packet = EVENT + JSON.stringify(['changed', update])
  const frame = frameOf(MESSAGE + packet)
  return [packet, frame ? { wsPreEncodedFrame: [frame] } : {}]
}

/** `origin` is that of the oldest change. */
type Changed = { topics: Set<Topic>; origin: ChangeOrigin }

/** Members whose push waits, in the order of their first change. */
type ChangedMembers = Map<number, Changed>

/** A member that waits already keeps its place and its origin. */
function addChange(
  waiting: ChangedMembers,
  memberId: number,
  topics: Topic[],
  origin: ChangeOrigin,
): void {
  const changed = waiting.get(memberId) ?? { topics: new Set(), origin }
  for (const topic of topics) changed.topics.add(topic)
  waiting.set(memberId, changed)
}

function takeBatch(waiting: ChangedMembers, size: number): ChangedMembers {
  const batch: ChangedMembers = new Map()
  for (const [memberId, changed] of waiting) {
    if (batch.size === size) break
    batch.set(memberId, changed)
    waiting.delete(memberId)
  }
  return batch
}

function oldestOrigin(batch: ChangedMembers): Partial<ChangeOrigin> {
  let oldest: ChangeOrigin | undefined
  for (const { origin } of batch.values()) {
    if (!oldest || origin.sentAt < oldest.sentAt) oldest = origin
  }
  return oldest ?? {}
}

/** Clocks of two hosts may differ, so at least 0. */
function delaySeconds(batch: ChangedMembers, now: number): number {
  const { sentAt = now } = oldestOrigin(batch)
  return Math.max(0, now - sentAt) / 1_000
}

function requestIdsOf(batch: ChangedMembers): string[] {
  const ids = new Set<string>()
  for (const { origin } of batch.values()) if (origin.requestId) ids.add(origin.requestId)
  return [...ids]
}

/** Least time between the starts of two rounds of reads: changes that arrive meanwhile share one. */
const GATHER_MS = 25
export const PUSH_BATCH = 200

function updateOf(
  { mining, wallet }: MemberSnapshot,
  topics: Set<Topic>,
  inbox: InboxState | undefined,
): MemberUpdate {
  const update: MemberUpdate = {}
  if (topics.has('mining')) update.mining = mining
  if (topics.has('wallet')) update.wallet = wallet
  if (topics.has('team')) update.team = true
  if (topics.has('account')) update.account = true
  if (inbox) update.inbox = inbox
  return update
}

type PusherServices = Pick<Services, 'db' | 'log' | 'config' | 'metrics' | 'tracing'>

/** Reads the next batch while the last one is emitted; further changes of a member that waits cost nothing. */
export function createPusher(
  io: LiveServer,
  { db, log, config, metrics, tracing }: PusherServices,
) {
  const forEachSocket = bufferedWriter(io, config.socketSlowReaderMs)
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
      const withInbox = ids.filter((id) => batch.get(id)?.topics.has('inbox'))
      const [snapshots, inboxes] = await tracing.span(
        'INTERNAL',
        'read snapshots for pushes',
        oldestOrigin(batch),
        () =>
          Promise.all([
            readSnapshots(db, ids),
            withInbox.length > 0 ? readInboxStates(db, withInbox) : [],
          ]),
      )
      const inboxOf = new Map(inboxes.map(({ memberId, state }) => [memberId, state]))
      return () => emitBatch(batch, snapshots, inboxOf)
    } catch (err) {
      const requestIds = requestIdsOf(batch)
      log.warn({ err, requestIds }, 'snapshot read failed; clients asked to refetch')
      return () => {
        for (const memberId of batch.keys()) io.to(memberRoom(memberId)).emit('refetch')
      }
    }
  }

  function emitBatch(
    batch: ChangedMembers,
    snapshots: MemberSnapshot[],
    inboxOf: Map<number, InboxState>,
  ): void {
    let pushes = 0
    for (const snapshot of snapshots) {
      const topics = batch.get(snapshot.memberId)?.topics ?? new Set()
      const update = updateOf(snapshot, topics, inboxOf.get(snapshot.memberId))
      const [packet, options] = encodeUpdate(update)
      forEachSocket(snapshot.memberId, ({ conn }) => {
        conn.write(packet, options)
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
      const batch = takeBatch(waiting, PUSH_BATCH)
      left -= batch.size
      return readBatch(batch)
    }
    let reading = readNext()
    while (reading) {
      const emit: () => void = await reading
      reading = readNext()
      // Emitting blocks: first the next query leaves, so that Postgres works meanwhile.
      if (reading) await setImmediate()
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
