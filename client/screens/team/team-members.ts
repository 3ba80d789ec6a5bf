import { atom } from 'jotai'
import { call } from '#client/data/api.ts'
import { routeQuery } from '#client/data/member-data.ts'
import { pagedList } from '#client/data/older-pages.ts'
import { referralAtom } from '#client/data/referral-info.ts'
import { connectionAtom } from '#client/live/connection-state.ts'
import { TEAM_MINING_MAX, TEAM_PAGE } from '#contract/page-sizes'
import { REFERRAL_POLL_MS } from '#rules/constants'
import type { ReferralInfo, TeamMember, TeamMining } from '#rules/snapshots'

/** The team as far as it is read, and its size at that time. */
type ReadTeam = { items: TeamMember[]; next: number | null; teamSize: number }

type Newest = Pick<ReferralInfo, 'teamMembers' | 'teamSize'>

const pageOf = (items: TeamMember[], hasMore: boolean) => ({
  items,
  next: hasMore ? (items.at(-1)?.id ?? null) : null,
})

export function newestOf({ teamMembers, teamSize }: Newest): ReadTeam {
  return { ...pageOf(teamMembers, teamMembers.length < teamSize), teamSize }
}

/**
 * Joins the newest page with the members read before. The list is ordered by sign-up, so a code applied late adds
 * a member in its middle: if the newest page does not account for all growth, older members are read again.
 */
export function joinTeam(newest: ReadTeam, read: ReadTeam | null): ReadTeam {
  if (!read) return newest
  const onPage = new Set(newest.items.map(({ id }) => id))
  const rest = read.items.filter(({ id }) => !onPage.has(id))
  const items = [...newest.items, ...rest].sort((a, b) => b.id - a.id)
  const isAccounted = newest.teamSize - read.teamSize === items.length - read.items.length
  return isAccounted ? { ...newest, items, next: read.next } : newest
}

export const teamList = pagedList(
  '/api/referral/info',
  (get) => {
    const info = get(referralAtom).data
    return info && newestOf(info)
  },
  async (before: number) => {
    const page = await call('GET /api/referral/members', { query: { before } })
    return pageOf(page, page.length >= TEAM_PAGE)
  },
  joinTeam,
)

const teamMiningAtom = routeQuery('/api/referral/mining', {
  staleTime: 0,
  refetchInterval: REFERRAL_POLL_MS,
})

/** Whether a member can be reminded, and why not; null while it is unknown. */
export type Wake = 'mining' | 'wakeable' | 'reminded' | 'off' | null

/** A full answer says nothing about members with lower ids. */
function firstKnown({ wakeable, reminded }: TeamMining): number {
  const isCut = wakeable.length + reminded.length >= TEAM_MINING_MAX
  return isCut ? Math.min(...wakeable, ...reminded) : 0
}

function miningNow(data: TeamMining) {
  const mining = new Set(data.memberIds)
  const [wakeable, reminded] = [new Set(data.wakeable), new Set(data.reminded)]
  const known = firstKnown(data)
  return {
    total: data.total,
    wakeOf(id: number): Wake {
      if (mining.has(id)) return 'mining'
      if (wakeable.has(id)) return 'wakeable'
      if (reminded.has(id)) return 'reminded'
      return id < known ? null : 'off'
    },
  }
}

/** Null while unknown, and offline, where "now" cannot be known. */
export const miningNowAtom = atom((get) => {
  const { data } = get(teamMiningAtom)
  const { state } = get(connectionAtom)
  return !data || state === 'offline' ? null : miningNow(data)
})
