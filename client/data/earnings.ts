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
import { memberQuery, snapshotOf, walletAtom } from './member-data.ts'
import { productNow } from './product-clock.ts'
import { store } from './query-cache.ts'
import { refresh } from './refresh.ts'

/** Pages that are open at midnight do not all read in the same second. */
const SPREAD_MS = SECOND_MS * (1 + 9 * Math.random())

/** Real ms until the day after the last one has begun, by product time; a minute while that read fails. */
function untilNextDay(earnings: Earnings | undefined): number | false {
  const [last, now] = [earnings?.days.at(-1), productNow()]
  if (!last || now === null) return false
  const left = Date.parse(last.day) + DAY_MS - now
  return left > 0 ? left / (snapshotOf('/api/mining/status')?.speed ?? 1) + SPREAD_MS : MINUTE_MS
}

/** Read again whenever money moves, and for each new UTC day. */
function earningsQuery(days: number) {
  const url = `/api/wallet/earnings?days=${days}` as const
  const read = () => call('GET /api/wallet/earnings', { query: { days } })
  const query = memberQuery<Earnings>(url, read, {
    staleTime: INTERVAL_MS,
    refetchInterval: ({ state }) => untilNextDay(state.data),
  })
  const followBalancesAtom = atom(null)
  // Kept while no screen shows the days: money moves meanwhile too.
  let known: string | undefined
  function follow() {
    const now = balances()
    if (now === undefined || now === known) return
    if (known !== undefined) void refresh(url)
    known = now
  }
  followBalancesAtom.onMount = () => {
    follow()
    return store.sub(walletAtom, follow)
  }
  return atom((get) => {
    get(followBalancesAtom)
    return get(query)
  })
}

function balances(): string | undefined {
  const wallet = snapshotOf('/api/wallet')
  return wallet && `${wallet.tesp[0]?.balance} ${wallet.usdtBalance}`
}

/** Of the row on Mine. */
export const weekAtom = earningsQuery(MINED_DAYS)

/** Of the longest period of Wallet; the shorter ones are its end. */
export const earningsAtom = earningsQuery(EARNINGS_DAYS)
