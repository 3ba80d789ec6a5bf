import { readAnnounced } from '#db/inbox/announcements'
import type { Services } from '#gateway/services/services'
import { SECOND_MS } from '#rules/constants'
import type { LiveServer } from './sockets.ts'

/** Pause before a failed read is repeated: no other push makes up for it. */
const RETRY_MS = SECOND_MS

/** The Redis message and the poll log both ask for a push, so a state that was pushed before is not pushed again. */
export function createAnnouncer(io: LiveServer, { db, log }: Pick<Services, 'db' | 'log'>) {
  let pushed: string | undefined
  let running: Promise<void> | undefined
  let isAsked = false
  let closed = false
  let timer: NodeJS.Timeout | undefined

  async function push(): Promise<void> {
    const announced = await readAnnounced(db)
    const state = JSON.stringify(announced.announcements)
    if (closed || state === pushed) return
    io.emit('announced', announced)
    pushed = state
  }

  async function run(): Promise<void> {
    while (isAsked && !closed) {
      isAsked = false
      try {
        await push()
      } catch (err) {
        log.warn({ err }, 'announcements not read; next try in 1 s')
        timer = setTimeout(announce, RETRY_MS)
      }
    }
    running = undefined
  }

  function announce(): void {
    isAsked = true
    running ??= run()
  }

  // The state before the first socket: only what changes after it is pushed.
  announce()
  return {
    announce,
    async close() {
      closed = true
      clearTimeout(timer)
      await running
    },
  }
}
