import { atom } from 'jotai'
import { call, isSignedOut } from '#client/data/api.ts'
import { recheckUser, signInAtom, store } from '#client/data/member-data.ts'
import { referralAtom } from '#client/data/referral-info.ts'
import { TEAM_PAGE } from '#contract/routes'
import type { ReferralInfo, TeamMember } from '#rules/snapshots'

/** What was read beyond the newest page: all rows from the top, and the team's size at that time. */
export type ReadTeam = { members: TeamMember[]; teamSize: number; ended: boolean }

/** The team as far as it is known, and whether more of it can be read. */
export type Team = { members: TeamMember[]; hasMore: boolean }

type Newest = Pick<ReferralInfo, 'teamMembers' | 'teamSize'>

const byNewest = (a: TeamMember, b: TeamMember) => b.id - a.id

/**
 * The newest page together with what was read before it. The team may have grown meanwhile, also
 * in its middle: whoever applies a code long after they signed up stands among the older ones. So
 * where the newest page does not explain all growth, the rows read are dropped, to be read again.
 */
export function joinTeam({ teamMembers, teamSize }: Newest, read: ReadTeam | null): Team {
  const known = new Set(read?.members.map(({ id }) => id))
  const fresh = teamMembers.filter(({ id }) => !known.has(id))
  if (!read || teamSize - read.teamSize !== fresh.length) {
    return { members: teamMembers, hasMore: teamMembers.length < teamSize }
  }
  const members = fresh.length > 0 ? [...fresh, ...read.members].sort(byNewest) : read.members
  return { members, hasMore: !read.ended }
}

/** Belongs to one sign-in: everything that was known before is forgotten. */
type Owned = { signIn: number; read: ReadTeam }
const readAtom = atom<Owned | null>(null)

/** All members on the screen; null before the first answer. */
export const teamAtom = atom<Team | null>((get) => {
  const info = get(referralAtom).data
  if (!info) return null
  const owned = get(readAtom)
  return joinTeam(info, owned?.signIn === get(signInAtom) ? (owned?.read ?? null) : null)
})

export const olderMembersAtom = atom<'idle' | 'loading' | 'failed'>('idle')

/** Reads the members after the last one, unless that is under way or there are none. */
export async function loadOlderMembers(): Promise<void> {
  const team = store.get(teamAtom)
  const last = team?.members.at(-1)
  if (!team?.hasMore || !last || store.get(olderMembersAtom) === 'loading') return
  const signIn = store.get(signInAtom)
  store.set(olderMembersAtom, 'loading')
  try {
    const page = await call('GET /api/referral/members', { query: { before: last.id } })
    addPage(signIn, last, page)
    store.set(olderMembersAtom, 'idle')
  } catch (error) {
    store.set(olderMembersAtom, 'failed')
    if (isSignedOut(error)) recheckUser()
  }
}

function addPage(signIn: number, last: TeamMember, page: TeamMember[]) {
  const members = store.get(teamAtom)?.members ?? []
  const teamSize = store.get(referralAtom).data?.teamSize
  // Otherwise somebody else signed in, or the list was dropped and starts anew.
  const fits = members.at(-1)?.id === last.id && store.get(signInAtom) === signIn
  if (!fits || teamSize === undefined) return
  const read = { members: [...members, ...page], teamSize, ended: page.length < TEAM_PAGE }
  store.set(readAtom, { signIn, read })
}
