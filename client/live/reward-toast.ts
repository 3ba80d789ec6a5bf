import { productNow } from '#client/data/product-clock.ts'
import { storage } from '#client/data/storage.ts'
import { amountText } from '#client/format/amounts.ts'
import { i18n } from '#client/language/language.ts'
import { toast } from '#client/ui/toasts/toast.ts'
import { REWARD_WINDOW_MS } from '#rules/constants'
import type { MiningStatus } from '#rules/snapshots'

/** Whether a status may tell of its credit: a page that was hidden or offline still has an old one. */
function isNews({ serverNow, speed }: MiningStatus): boolean {
  const now = productNow()
  return now === null || now - Date.parse(serverNow) < REWARD_WINDOW_MS * speed
}

/** Each automatic credit once (Specification §4). A hidden page leaves it to the one that the member looks at. */
export function announceReward(memberId: number, status: MiningStatus | undefined): void {
  if (document.hidden || !status?.rewardAdded || !status.rewardId || !status.rewardAmount) return
  if (!isNews(status)) return
  if (lastShownReward(memberId) === status.rewardId) return
  rememberShownReward(memberId, status.rewardId)
  toast({
    title: i18n.t('reward.title'),
    description: i18n.t('reward.text', { amount: amountText(status.rewardAmount, 'TESP') }),
  })
}

/** By member. Outlives the stored value, which ends with the sign-in: signing in again here repeats no toast. */
const announced = new Map<number, string>()

function lastShownReward(memberId: number): string | undefined {
  const stored = storage.readFor(memberId, 'shownReward')
  if (typeof stored === 'string') announced.set(memberId, stored)
  return announced.get(memberId)
}

function rememberShownReward(memberId: number, rewardId: string): void {
  announced.set(memberId, rewardId)
  storage.writeFor(memberId, 'shownReward', rewardId)
}
