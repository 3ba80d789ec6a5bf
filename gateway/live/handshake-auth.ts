import { setImmediate as nextTurn, setTimeout as sleep } from 'node:timers/promises'
import { prepared } from '#db/postgres/statements/prepared'
import { sessionBatchLoader } from '#gateway/services/auth-session-store'
import { batchLoader } from '#gateway/services/batches'
import type { Services } from '#gateway/services/services'
import type { LiveServer, LiveSocket, SocketData } from './sockets.ts'

type Reads = Pick<Services, 'authSessions' | 'db'>

/** Sign-ins per read; one read blocks the event loop for about a millisecond. */
const MAX_BATCH = 64

const EPOCHS_SQL = 'select id, "authEpoch" from users where id = any(:ids)'

/** In the order of the names: undefined without a sign-in of its member's epoch, an error if it cannot be read. */
async function readSignIns(
  { authSessions, db }: Reads,
  names: readonly string[],
): Promise<(SocketData | Error | undefined)[]> {
  const read = sessionBatchLoader(authSessions)
  const stored = await Promise.all(names.map((name) => read(name).catch((error: Error) => error)))
  const ids = stored.flatMap((data) => (data instanceof Error ? [] : (data?.memberId ?? [])))
  const { rows } =
    ids.length > 0 ? await prepared(db, 'member-epochs', EPOCHS_SQL, { ids }) : { rows: [] }
  const epochs = new Map(
    (rows as { id: number; authEpoch: number }[]).map(({ id, authEpoch }) => [id, authEpoch]),
  )
  return names.map((authSession, index) => {
    const data = stored[index]
    if (data instanceof Error) return data
    if (data?.memberId === undefined) return undefined
    const { memberId, epoch = 0 } = data
    return epochs.get(memberId) === epoch ? { memberId, authSession } : undefined
  })
}

/** One batch at a time: a reconnect storm occupies one connection of the pool and cannot starve HTTP requests. */
export function handshakeLoader(services: Reads) {
  return batchLoader<string, SocketData | undefined>((names) => readSignIns(services, names), {
    maxBatch: MAX_BATCH,
    atOnce: 1,
  })
}

/** Interval of the check: the sockets of an ended sign-in are closed within 35 s. */
const CHECK_MS = 15_000
/** Sockets per read: bounds the time for which a check blocks the event loop. */
const BATCH = 250

/** Time in which a sign-in that has ended all others is renewed: it is stored after the member's new epoch. */
const RENEWAL_MS = 1_000

async function withoutSignIn(sockets: LiveSocket[], services: Reads) {
  const ended: LiveSocket[] = []
  let unread: Error | undefined
  for (let from = 0; from < sockets.length; from += BATCH) {
    const batch = sockets.slice(from, from + BATCH)
    const names = batch.map(({ data }) => data.authSession)
    const signIns = await readSignIns(services, names)
    // Not the epoch: a sign-in that ended all others lives on in the member's new epoch.
    for (const [index, socket] of batch.entries()) {
      const signIn = signIns[index]
      if (signIn instanceof Error) unread = signIn
      else if (signIn?.memberId !== socket.data.memberId) ended.push(socket)
    }
    await nextTurn()
  }
  return { ended, unread }
}

/** Closes sockets whose sign-in expired or whose end this gateway missed; then throws if some could not be read. */
export async function closeEnded(io: Pick<LiveServer, 'of'>, services: Reads): Promise<void> {
  const found = await withoutSignIn([...io.of('/').sockets.values()], services)
  if (found.ended.length > 0) {
    await sleep(RENEWAL_MS)
    for (const socket of (await withoutSignIn(found.ended, services)).ended) {
      socket.emit('signed-out', 'expired')
      socket.disconnect(true)
    }
  }
  if (found.unread) throw found.unread
}

export function checkSignIns(io: LiveServer, services: Services): () => void {
  const timer = setInterval(() => {
    closeEnded(io, services).catch((error) =>
      services.log.warn({ err: error }, 'session check of sockets failed; next one follows'),
    )
  }, CHECK_MS)
  return () => clearInterval(timer)
}
