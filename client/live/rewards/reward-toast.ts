import { i18n } from '#client/language/language.ts'
import { toast } from '#client/ui/toasts/toast.tsx'
import { compact } from '#rules/money/money'
import type { MiningStatus } from '#rules/snapshots'
import { lastShownReward, rememberShownReward } from './shown-reward.ts'

const DURATION_MS = 5_000

/** Shows each automatic credit once, whether its status was pushed or polled (Specification §4). */
export function announceReward(memberId: number, status: MiningStatus | undefined): void {
  if (!status?.rewardAdded || !status.rewardId || !status.rewardAmount) return
  if (lastShownReward(memberId) === status.rewardId) return
  rememberShownReward(memberId, status.rewardId)
  toast({
    title: i18n.t('reward.title'),
    description: i18n.t('reward.text', { amount: compact(status.rewardAmount) }),
    duration: DURATION_MS,
  })
}
