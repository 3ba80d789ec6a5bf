import { atom } from 'jotai'
import {
  DAY_MS,
  EARNINGS_DAYS,
  INTERVAL_MS,
  MINED_DAYS,
  MINUTE_MS,
  SECOND_MS,
} from '#rules/constants'
import type { Earnings } from '#rules/snapshots'
import { call } from './api.ts'
import { earningsUrl, MINING_URL, memberQuery, snapshotOf, walletAtom } from './member-data.ts'
import { productNow } from './product-clock.ts'

/** Pages that are open at midnight do not all read in the same second. */
const SPREAD_MS = SECOND_MS * (1 + 9 * Math.random())

/** Real ms until the day after the last one has begun, by product time; a minute while that read fails. */
function untilNextDay(earnings: Earnings | undefined): number | false {
  const [last, now] = [earnings?.days.at(-1), productNow()]
  if (!last || now === null) return false
  const left = Date.parse(last.day) + DAY_MS - now
  return left > 0 ? left / (snapshotOf(MINING_URL)?.speed ?? 1) + SPREAD_MS : MINUTE_MS
}

/** Read again whenever money moves (`followMoney`), and for each new UTC day. */
function earningsQuery(days: number) {
  const read = () => call('GET /api/wallet/earnings', { query: { days } })
  const query = memberQuery<Earnings>(earningsUrl(days), read, {
    staleTime: INTERVAL_MS,
    refetchInterval: ({ state }) => untilNextDay(state.data),
  })
  return atom((get) => {
    // Only a wallet that a screen shows is read while the page polls.
    get(walletAtom)
    return get(query)
  })
}

/** Of the row on Mine. */
export const weekAtom = earningsQuery(MINED_DAYS)

/** Of the longest period of Wallet; the shorter ones are its end. */
export const earningsAtom = earningsQuery(EARNINGS_DAYS)
