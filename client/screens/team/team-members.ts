import { atom } from 'jotai'
import { call } from '#client/data/api.ts'
import { routeQuery } from '#client/data/member-data.ts'
import { olderPages } from '#client/data/older-pages.ts'
import { store } from '#client/data/query-cache.ts'
import { referralAtom } from '#client/data/referral-info.ts'
import { connectionAtom } from '#client/live/connection-state.ts'
import { TEAM_MINING_MAX, TEAM_PAGE } from '#contract/page-sizes'
import { REFERRAL_POLL_MS } from '#rules/constants'
import type { ReferralInfo, TeamMember, TeamMining } from '#rules/snapshots'

/** Members read so far from the top, beyond the newest page, and the team's size at that time. */
type ReadTeam = { members: TeamMember[]; teamSize: number; ended: boolean }

export type Team = { members: TeamMember[]; hasMore: boolean }

type Newest = Pick<ReferralInfo, 'teamMembers' | 'teamSize'>

const byNewest = (a: TeamMember, b: TeamMember) => b.id - a.id

/**
 * Joins the newest page with the members read before. The list is ordered by sign-up, so a code applied late adds
 * a member in its middle: if the newest page does not account for all growth, older members are read again.
 */
export function joinTeam({ teamMembers, teamSize }: Newest, read: ReadTeam | null): Team {
  const onPage = new Set(teamMembers.map(({ id }) => id))
  const rest = read?.members.filter(({ id }) => !onPage.has(id)) ?? []
  const members = [...teamMembers, ...rest].sort(byNewest)
  if (!read || teamSize - read.teamSize !== members.length - read.members.length) {
    return { members: teamMembers, hasMore: teamMembers.length < teamSize }
  }
  return { members, hasMore: !read.ended }
}

const older = olderPages<ReadTeam>('/api/referral/info')

export const olderMembersAtom = older.stateAtom

export const teamAtom = atom<Team | null>((get) => {
  const info = get(referralAtom).data
  return info ? joinTeam(info, get(older.rowsAtom)) : null
})

export async function loadOlderMembers(): Promise<void> {
  const team = store.get(teamAtom)
  const last = team?.members.at(-1)
  if (!team?.hasMore || !last) return
  await older.load(async () =>
    append(last, await call('GET /api/referral/members', { query: { before: last.id } })),
  )
}

function append(last: TeamMember, page: TeamMember[]): ReadTeam | null {
  const members = store.get(teamAtom)?.members ?? []
  const teamSize = store.get(referralAtom).data?.teamSize
  // The older members may have been dropped during the read; the page would leave a gap.
  if (members.at(-1)?.id !== last.id || teamSize === undefined) return null
  return { members: [...members, ...page], teamSize, ended: page.length < TEAM_PAGE }
}

const teamMiningAtom = routeQuery('/api/referral/mining', {
  staleTime: 0,
  refetchInterval: REFERRAL_POLL_MS,
})

/** Whether a member can be reminded, and why not; null while it is unknown. */
export type Wake = 'mining' | 'wakeable' | 'reminded' | 'off' | null

type MiningNow = { total: number; wakeOf(memberId: number): Wake }

/** A full answer says nothing about members with lower ids. */
function firstKnown({ wakeable, reminded }: TeamMining): number {
  const isCut = wakeable.length + reminded.length >= TEAM_MINING_MAX
  return isCut ? Math.min(...wakeable, ...reminded) : 0
}

function miningNow(data: TeamMining): MiningNow {
  const mining = new Set(data.memberIds)
  const [wakeable, reminded] = [new Set(data.wakeable), new Set(data.reminded)]
  const known = firstKnown(data)
  return {
    total: data.total,
    wakeOf(id) {
      if (mining.has(id)) return 'mining'
      if (wakeable.has(id)) return 'wakeable'
      if (reminded.has(id)) return 'reminded'
      return id < known ? null : 'off'
    },
  }
}

/** Null while unknown, and offline, where "now" cannot be known. */
export const miningNowAtom = atom<MiningNow | null>((get) => {
  const { data } = get(teamMiningAtom)
  const { state } = get(connectionAtom)
  return !data || state === 'offline' ? null : miningNow(data)
})
