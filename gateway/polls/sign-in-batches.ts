import { setImmediate as nextTurn } from 'node:timers/promises'
import type { AuthSessionData, AuthSessionStore } from '#gateway/services/auth-session-store'

/** Reads a sign-in by its name; undefined if it has ended. */
export type ReadSignIn = (name: string) => Promise<AuthSessionData | undefined>

/** Names of one command of Redis: bounds the time for which it delays others. */
const MAX_BATCH = 256

type Batch = { names: string[]; found: Promise<Map<string, AuthSessionData>> }

/**
 * Reads the sign-ins of requests that arrive in one turn of the event loop by one command of Redis, so
 * that the cost of a poll falls as load rises. Nothing is kept: each sign-in is read after its request
 * arrived, so one that was ended is refused at once.
 */
export function signInBatches(store: Pick<AuthSessionStore, 'find'>): ReadSignIn {
  let open: Batch | undefined

  function openBatch(): Batch {
    const names: string[] = []
    const find = () => {
      if (open?.names === names) open = undefined
      return store.find(names, Date.now())
    }
    return { names, found: nextTurn().then(find) }
  }

  return async (name) => {
    if (!open || open.names.length === MAX_BATCH) open = openBatch()
    open.names.push(name)
    return (await open.found).get(name)
  }
}
