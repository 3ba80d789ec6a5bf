import { atom } from 'jotai'
import { call } from '#client/data/api.ts'
import { memberQuery, refresh, store, walletAtom } from '#client/data/member-data.ts'
import { INTERVAL_MS } from '#rules/constants'
import type { MinedDay } from '#rules/snapshots'

const DAYS_URL = '/api/mining/days'

const daysQuery = memberQuery<MinedDay[]>(DAYS_URL, () => call('GET /api/mining/days'), {
  staleTime: INTERVAL_MS,
})

const balanceAtom = atom((get) => get(walletAtom).data?.tesp[0]?.balance)

/** Reads the days again when a credit or a claim moves the balance. */
const followBalanceAtom = atom(null)
followBalanceAtom.onMount = () => {
  let known = store.get(balanceAtom)
  return store.sub(balanceAtom, () => {
    const balance = store.get(balanceAtom)
    if (known !== undefined && balance !== known) void refresh(DAYS_URL)
    known = balance ?? known
  })
}

/** TESP mined on each of the last seven UTC days, oldest first; undefined before the first answer. */
export const minedDaysAtom = atom((get) => {
  get(followBalanceAtom)
  return get(daysQuery).data
})
