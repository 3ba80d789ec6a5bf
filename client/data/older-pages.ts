import { atom } from 'jotai'
import { signInAtom, store } from './member-data.ts'

export type OlderPagesState = 'idle' | 'loading' | 'failed'

type OlderPages<R> = { rows: R | null; state: OlderPagesState }

/** What a list has read beyond its newest page; discarded when another member signs in. */
export function olderPages<R>() {
  const nothing: OlderPages<R> = { rows: null, state: 'idle' }
  const storedAtom = atom<OlderPages<R> & { signIn: number }>({ ...nothing, signIn: 0 })
  const currentAtom = atom<OlderPages<R>>((get) => {
    const stored = get(storedAtom)
    return stored.signIn === get(signInAtom) ? stored : nothing
  })

  /**
   * Runs `read` unless a read is already running. It resolves to all rows including the new page,
   * or to null when the page no longer follows the rows on the screen.
   */
  async function load(read: () => Promise<R | null>): Promise<void> {
    const before = store.get(currentAtom)
    if (before.state === 'loading') return
    const signIn = store.get(signInAtom)
    const save = (next: OlderPages<R>) => {
      if (store.get(signInAtom) === signIn) store.set(storedAtom, { ...next, signIn })
    }
    save({ ...before, state: 'loading' })
    try {
      const rows = await read()
      save({ rows: rows ?? before.rows, state: 'idle' })
    } catch {
      save({ ...before, state: 'failed' })
    }
  }

  return {
    rowsAtom: atom((get) => get(currentAtom).rows),
    stateAtom: atom((get) => get(currentAtom).state),
    load,
  }
}
