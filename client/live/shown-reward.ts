/**
 * Which credit a member was last told about, remembered on the device across a reload, as long as
 * the sign-in.
 */

const PREFIX = 'shownReward:'
const keyOf = (memberId: number) => `${PREFIX}${memberId}`

/** For the life of the page: after a sign-out, or where the browser forbids storage. */
const shown = new Map<number, string>()

export function lastShownReward(memberId: number): string | undefined {
  try {
    const kept = localStorage.getItem(keyOf(memberId))
    // Another tab has told it.
    if (kept !== null) shown.set(memberId, kept)
  } catch {
    // What the page remembers is all there is.
  }
  return shown.get(memberId)
}

export function rememberShownReward(memberId: number, rewardId: string): void {
  shown.set(memberId, rewardId)
  try {
    localStorage.setItem(keyOf(memberId), rewardId)
  } catch {
    // Private windows may have no storage.
  }
}

/** Leaves nothing of it on the device, but for the member who is signed in. */
export function forgetShownRewards(exceptOf?: number): void {
  try {
    for (const key of Object.keys(localStorage)) {
      const isOther = exceptOf === undefined || key !== keyOf(exceptOf)
      if (key.startsWith(PREFIX) && isOther) localStorage.removeItem(key)
    }
  } catch {
    // Nothing is kept where nothing can be.
  }
}
