import { atom } from 'jotai'
import { miningAtom } from '#client/data/member-data.ts'
import { polledReferralAtom } from '#client/data/referral-info.ts'

/** The member's boost as the newer of status and referral info tells it; 0 while unknown. */
export const boostAtom = atom((get) => {
  const told = [get(miningAtom).data, get(polledReferralAtom).data]
  const newest = told.reduce((one, other) => ((other?.asOf ?? 0) > (one?.asOf ?? 0) ? other : one))
  return newest?.miningBoost ?? 0
})
