import { hydrate } from '@tanstack/react-query'
import {
  MINING_URL,
  memberKey,
  queryClient,
  recheckUser,
  refresh,
  setOfflineSupport,
} from '#client/data/member-data.ts'
import { setClock } from '#client/data/product-clock.ts'
import { onServerAnswer, showRestored } from '#client/live/connection/connection-state.ts'
import type { User } from '#rules/members/account-snapshots'
import type { MiningStatus } from '#rules/snapshots'
import { readLastSnapshots } from './last-snapshots.ts'

/** Whether the screen shows stored snapshots that the server has not confirmed yet. */
let restored = false

export const isRestored = () => restored

/** Shows the stored snapshots with their age and counts product time on; null without any. */
function restoreUser(): User | null {
  const last = readLastSnapshots()
  if (!last) return null
  const { user, cache, lastContactAt, savedAt, productNow } = last
  restored = true
  hydrate(queryClient, cache)
  const status = queryClient.getQueryData<MiningStatus>(memberKey(MINING_URL, user.id))
  if (status && productNow !== null) {
    const passed = Math.max(0, Date.now() - savedAt) * status.speed
    setClock({ serverNow: new Date(productNow + passed).toISOString(), speed: status.speed })
  }
  showRestored(lastContactAt)
  return user
}

/** Reads everything again that was restored, as soon as the server answers. */
function confirmRestored(): void {
  if (!restored) return
  recheckUser()
  void refresh()
}

/** Restores stored snapshots when the app starts without a network. */
export function startRestore(): () => void {
  const stops = [
    onServerAnswer(confirmRestored),
    setOfflineSupport({
      restoreUser,
      onUserConfirmed() {
        restored = false
      },
    }),
  ]
  return () => {
    for (const stop of stops) stop()
  }
}
