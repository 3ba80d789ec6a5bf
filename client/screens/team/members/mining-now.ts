import { atom } from 'jotai'
import { call } from '#client/data/api.ts'
import { memberQuery } from '#client/data/member-data.ts'
import { connectionAtom } from '#client/live/connection/connection-state.ts'
import { REFERRAL_POLL_MS } from '#rules/constants'
import type { TeamMining } from '#rules/snapshots'

export const TEAM_MINING_URL = '/api/referral/mining'

/** Who of the team is mining, read each minute while the list of members is on the screen. */
const teamMiningAtom = memberQuery<TeamMining>(
  TEAM_MINING_URL,
  () => call('GET /api/referral/mining'),
  { staleTime: 0, refetchInterval: REFERRAL_POLL_MS },
)

export type MiningNow = { total: number; memberIds: ReadonlySet<number> }

/** Null while it is unknown; "now" cannot be known offline. */
export const miningNowAtom = atom<MiningNow | null>((get) => {
  const { data } = get(teamMiningAtom)
  const { state } = get(connectionAtom)
  if (!data || state === 'offline') return null
  return { total: data.total, memberIds: new Set(data.memberIds) }
})
