import { setImmediate as nextTurn } from 'node:timers/promises'
import DataLoader from 'dataloader'
import { prepared } from '#db/postgres/statements/prepared'
import type { SocketData } from '#gateway/live/rooms'
import { Semaphore } from '#gateway/services/semaphore'
import type { Services } from '#gateway/services/services'

/** Sign-ins per read; one read blocks the event loop for about a millisecond. */
const MAX_BATCH = 64

const EPOCHS_SQL = 'select id, "authEpoch" from users where id = any(:ids)'

/**
 * The sign-ins with these names that are valid now, by one command of Redis and one statement: they
 * exist, belong to a member and have the member's epoch.
 */
export async function readSignIns(
  { authSessions, db }: Pick<Services, 'authSessions' | 'db'>,
  names: readonly string[],
): Promise<Map<string, SocketData>> {
  const stored = await authSessions.find(names, Date.now())
  const ids = new Set<number>()
  for (const { memberId } of stored.values()) if (memberId !== undefined) ids.add(memberId)
  if (ids.size === 0) return new Map()
  const { rows } = await prepared(db, 'member-epochs', EPOCHS_SQL, { ids: [...ids] })
  const epochs = new Map(
    (rows as { id: number; authEpoch: number }[]).map(({ id, authEpoch }) => [id, authEpoch]),
  )
  const valid = new Map<string, SocketData>()
  for (const [authSession, { memberId, epoch = 0, expiresAt = 0 }] of stored) {
    if (memberId === undefined || epochs.get(memberId) !== epoch) continue
    valid.set(authSession, { memberId, epoch, expiresAt, authSession })
  }
  return valid
}

/** Reads one sign-in by its name; undefined if it is not valid. */
export type SignInLoader = { load(name: string): Promise<SocketData | undefined> }

/**
 * Reads the sign-ins of handshakes that wait together in batches, one batch at a time. So a
 * reconnect storm occupies one connection of the pool and cannot starve HTTP requests.
 */
export function signInLoader(services: Pick<Services, 'authSessions' | 'db'>): SignInLoader {
  const turns = new Semaphore(1)
  let reading: Promise<unknown> = Promise.resolve()
  const read = async (names: readonly string[]) => {
    const valid = await readSignIns(services, names)
    return names.map((name) => valid.get(name))
  }
  return new DataLoader<string, SocketData | undefined>(
    (names) => {
      const answer = read(names)
      reading = answer.catch(() => {})
      return answer
    },
    {
      cache: false,
      maxBatchSize: MAX_BATCH,
      // A batch that waits for its turn still takes the handshakes that arrive meanwhile.
      batchScheduleFn: (dispatch) =>
        void turns.run(async () => {
          await nextTurn()
          dispatch()
          await reading
        }),
    },
  )
}
