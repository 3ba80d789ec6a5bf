import { setTimeout as sleep } from 'node:timers/promises'
import { DAY_MS, MINUTE_MS } from '#rules/constants'

/** Waits past midnight UTC if it is near, for tests whose facts must be of one day. */
export async function awayFromMidnight(): Promise<void> {
  const leftMs = DAY_MS - (Date.now() % DAY_MS)
  if (leftMs < 2 * MINUTE_MS) await sleep(leftMs + 1_000)
}
