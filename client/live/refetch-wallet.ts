import { currentUser, memberQueryKey, snapshotOf } from '#client/data/member-data.ts'
import { queryClient } from '#client/data/query-cache.ts'
import { refresh } from '#client/data/refresh.ts'
import { INTERVALS } from '#rules/constants'
import type { MiningStatus } from '#rules/snapshots'

const isCredited = (before: MiningStatus, after: MiningStatus) =>
  after.rewardId !== null && after.rewardId !== before.rewardId

const pendingChanged = (before: MiningStatus, after: MiningStatus) =>
  after.pendingRewards !== before.pendingRewards ||
  after.pendingUsdtRewards !== before.pendingUsdtRewards

/** Commands read the wallet themselves: unless a credit arrived, a read that runs or is due is enough. */
function isWalletOlder(status: MiningStatus, credited: boolean): boolean {
  const wallet = snapshotOf('/api/wallet')
  const state = queryClient.getQueryState(memberQueryKey('/api/wallet', currentUser()?.id))
  if (!wallet || !state || wallet.asOf >= status.asOf) return false
  return credited || !(state.isInvalidated || state.fetchStatus === 'fetching')
}

/** For each change of the status, from poll, push or read: a wallet read before the money moved is read again. */
export function refetchWalletOnChange(): () => void {
  let before = snapshotOf('/api/mining/status')
  return () => {
    const after = snapshotOf('/api/mining/status')
    if (before && after) {
      const credited = isCredited(before, after)
      const hasMoved = credited || pendingChanged(before, after)
      if (hasMoved && isWalletOlder(after, credited))
        void refresh('/api/wallet', '/api/wallet/activity')
    }
    before = after
  }
}

/** Reads the wallet again, and the activity unless that finds the wallet unchanged. */
export async function refetchMoney(): Promise<void> {
  const before = snapshotOf('/api/wallet')
  await refresh('/api/wallet')
  const state = queryClient.getQueryState(memberQueryKey('/api/wallet', currentUser()?.id))
  // Only the next screen that shows an invalidated wallet reads it.
  if (state?.isInvalidated || snapshotOf('/api/wallet') !== before)
    void refresh('/api/wallet/activity')
}

/** Real ms after its due time at which a credit that has not arrived is read. */
export const OVERDUE_MS = 20_000

/** Pause, real ms, between looks for a credit that was overdue when the status was read. */
export const LATE_MS = 120_000

/** Real ms until the credit of a status counts as missed; null if none will be due. */
export function missedAfterMs({ session, speed }: MiningStatus): number | null {
  const { nextCreditIn } = session ?? {}
  return nextCreditIn ? nextCreditIn / speed + OVERDUE_MS : null
}

/** Whether a credit was overdue when the status was read; of a session that is over, its last one. */
const isLate = ({ session }: MiningStatus) =>
  session?.nextCreditIn === 0 ||
  (session?.isCompleted === true && session.creditedIntervals < INTERVALS)

/** Calls back once per status with a missed credit, then repeatedly while it is late: its push may be lost, too. */
export function missedCreditAlarm(onMissed: () => void, lookAgain: () => void) {
  let timer: ReturnType<typeof setTimeout> | undefined
  const waitForLate = () => {
    const again = () => {
      lookAgain()
      waitForLate()
    }
    timer = setTimeout(again, LATE_MS * (1 + Math.random() / 4))
  }
  const missed = () => {
    onMissed()
    waitForLate()
  }
  let armedFor: MiningStatus | undefined
  const stop = () => clearTimeout(timer)
  return {
    stop,
    arm(status: MiningStatus | undefined) {
      if (status === armedFor) return
      armedFor = status
      stop()
      const ms = status && missedAfterMs(status)
      if (ms) timer = setTimeout(missed, ms)
      else if (status && isLate(status)) waitForLate()
    },
  }
}
