import { atom } from 'jotai'
import { EARNINGS_DAYS, INTERVAL_MS, MINED_DAYS } from '#rules/constants'
import type { Earnings } from '#rules/snapshots'
import { call } from './api.ts'
import { memberQuery, snapshotOf, WALLET_URL, walletAtom } from './member-data.ts'
import { store } from './query-cache.ts'
import { refresh } from './refresh.ts'

const urlFor = (days: number) => `/api/wallet/earnings?days=${days}`

/** The earnings of that many UTC days, read again whenever money moves. */
function earningsQuery(days: number) {
  const url = urlFor(days)
  const read = () => call('GET /api/wallet/earnings', { query: { days } })
  const query = memberQuery<Earnings>(url, read, { staleTime: INTERVAL_MS })
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

/** Both balances as one text; undefined while unknown. */
function balances(): string | undefined {
  const wallet = snapshotOf(WALLET_URL)
  return wallet && `${wallet.tesp[0]?.balance} ${wallet.usdtBalance}`
}

/** Of the row on Mine. */
export const weekAtom = earningsQuery(MINED_DAYS)

/** Of the longest period of Wallet; the shorter ones are its end. */
export const earningsAtom = earningsQuery(EARNINGS_DAYS)

export const EARNINGS_URL = urlFor(EARNINGS_DAYS)
