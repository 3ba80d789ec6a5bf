import { atom } from 'jotai'
import { call } from '#client/data/api.ts'
import {
  memberQuery,
  refresh,
  snapshotOf,
  store,
  WALLET_URL,
  walletAtom,
} from '#client/data/member-data.ts'
import { INTERVAL_MS } from '#rules/constants'
import type { MinedDay } from '#rules/snapshots'

const DAYS_URL = '/api/mining/days'

const daysQuery = memberQuery<MinedDay[]>(DAYS_URL, () => call('GET /api/mining/days'), {
  staleTime: INTERVAL_MS,
})

const currentBalance = () => snapshotOf(WALLET_URL)?.tesp[0]?.balance

/** Reads the days again when a credit or a claim moves the balance. */
const followBalanceAtom = atom(null)
followBalanceAtom.onMount = () => {
  let known = currentBalance()
  return store.sub(walletAtom, () => {
    const balance = currentBalance()
    if (balance === undefined || balance === known) return
    if (known !== undefined) void refresh(DAYS_URL)
    known = balance
  })
}

/** TESP mined on each of the last seven UTC days, oldest first; undefined before the first answer. */
export const minedDaysAtom = atom((get) => {
  get(followBalanceAtom)
  return get(daysQuery).data
})
