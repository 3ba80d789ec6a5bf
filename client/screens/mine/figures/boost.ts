import { atom } from 'jotai'
import { miningAtom } from '#client/data/member-data.ts'
import { polledReferralAtom } from '#client/data/referral-info.ts'

/** The member's boost from the newer of mining status and referral info; 0 while unknown. */
export const boostAtom = atom((get) => {
  const sources = [get(miningAtom).data, get(polledReferralAtom).data]
  const newest = sources.reduce((one, other) =>
    (other?.asOf ?? 0) > (one?.asOf ?? 0) ? other : one,
  )
  return newest?.miningBoost ?? 0
})
