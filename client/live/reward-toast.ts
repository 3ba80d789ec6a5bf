import { toast } from '#client/ui/toast.tsx'
import { compact } from '#rules/money'
import type { MiningStatus } from '#rules/snapshots'
import { lastShownReward, rememberShownReward } from './shown-reward.ts'

const DURATION_MS = 5_000

/** Shows each automatic credit once, whether its status was pushed or polled (Specification §4). */
export function announceReward(memberId: number, status: MiningStatus | undefined): void {
  if (!status?.rewardAdded || !status.rewardId || !status.rewardAmount) return
  if (lastShownReward(memberId) === status.rewardId) return
  rememberShownReward(memberId, status.rewardId)
  toast({
    title: 'TESP has been added to your wallet!',
    description: `${compact(status.rewardAmount)} TESP has been automatically added to your wallet after 20 minutes of mining.`,
    duration: DURATION_MS,
  })
}
