import { interruptibleSleep } from '#client/data/interruptible-sleep.ts'
import { store } from '#client/data/query-cache.ts'
import { refresh } from '#client/data/refresh.ts'
import { SECOND_MS } from '#rules/constants'
import { connectionAtom } from './connection-state.ts'

/** Real ms before and after the answer to a command within which the push about it is expected. */
const PUSH_WINDOW_MS = 2 * SECOND_MS

let lastPush: { at: number; read: Promise<void> } | null = null
const { sleep, wake } = interruptibleSleep()

/** The team has changed: the push carries no snapshot, since few screens show the team. */
export function teamPushed(): void {
  lastPush = { at: Date.now(), read: refresh('/api/referral/info') }
  wake()
}

const recentPush = () =>
  lastPush && Math.abs(Date.now() - lastPush.at) < PUSH_WINDOW_MS ? lastPush : undefined

/** Reads the team after a command has changed it, once: with the push about it if one is expected. */
export async function readTeamAfterCommand(): Promise<void> {
  const isLive = store.get(connectionAtom).state === 'live'
  if (isLive && !recentPush()) await sleep(PUSH_WINDOW_MS)
  await ((isLive && recentPush()?.read) || refresh('/api/referral/info'))
}
