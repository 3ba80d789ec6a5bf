import { storage } from '#client/data/storage.ts'

/**
 * The last credit that was announced, by member. It outlives the stored value, which ends with the
 * sign-in: a member who signs in again on the same page sees no announcement twice.
 */
const announced = new Map<number, string>()

/** Id of the credit that was announced to a member last, by this tab or another one. */
export function lastShownReward(memberId: number): string | undefined {
  const stored = storage.readFor(memberId, 'shownReward')
  if (typeof stored === 'string') announced.set(memberId, stored)
  return announced.get(memberId)
}

export function rememberShownReward(memberId: number, rewardId: string): void {
  announced.set(memberId, rewardId)
  storage.writeFor(memberId, 'shownReward', rewardId)
}
