import { screen, within } from '@testing-library/react'
import { userEvent } from '@testing-library/user-event'
import { TeamScreen } from '#client/screens/team/team-screen.tsx'
import { show, startAs } from '#client/testing/render.tsx'
import { json, serve } from '#client/testing/server.ts'
import { clearToast } from '#client/ui/toasts/toast.ts'
import { MILESTONES } from '#rules/money/milestones'
import type { ReferralInfo } from '#rules/snapshots'
import { aReferralInfo, teamMembers } from './a-team.ts'

/** The referral info of a referred member with a team of twelve. */
export const leaderInfo = aReferralInfo({
  referralCode: 'TESPABC234',
  referrer: { username: 'linh' },
  teamSize: 12,
  miningBoost: 0.6,
  milestones: MILESTONES.map((one, at) => ({ ...one, achieved: at < 1 })),
  teamMembers: teamMembers(12, 1),
  usdtRewards: [
    { id: 1, reason: 'Team milestone: 10 members', amount: 5, createdAt: '2026-02-01T10:00:00Z' },
    {
      id: 2,
      reason: 'Team milestone: 25 members',
      amount: 15.5,
      createdAt: '2026-02-09T10:00:00Z',
    },
  ],
})

/** The referral info that the server answers with. */
let info: ReferralInfo

export function setInfo(next: ReferralInfo): void {
  info = next
}

export function startTeam(): void {
  localStorage.clear()
  startAs()
  clearToast()
}

export function openTeam(initialInfo: ReferralInfo, handlers: Parameters<typeof serve>[0] = {}) {
  setInfo(initialInfo)
  const server = serve({ 'GET /api/referral/info': () => json(info), ...handlers })
  show(<TeamScreen />)
  return { server, user: userEvent.setup({ delay: null }) }
}

export const button = (name: string) => screen.findByRole<HTMLButtonElement>('button', { name })

export const panel = (name: string) =>
  within(screen.getByRole('heading', { name }).closest('section') as HTMLElement)
