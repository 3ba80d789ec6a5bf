/** Which credit a member was last told about, remembered on the device across a reload. */

const keyOf = (memberId: number) => `shownReward:${memberId}`

/** For the life of the page, where the browser forbids storage. */
const shown = new Map<number, string>()

export function lastShownReward(memberId: number): string | undefined {
  try {
    return localStorage.getItem(keyOf(memberId)) ?? shown.get(memberId)
  } catch {
    return shown.get(memberId)
  }
}

export function rememberShownReward(memberId: number, rewardId: string): void {
  shown.set(memberId, rewardId)
  try {
    localStorage.setItem(keyOf(memberId), rewardId)
  } catch {
    // Private windows may have no storage.
  }
}
