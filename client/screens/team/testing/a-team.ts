import { NOW } from '#client/testing/fixtures.ts'
import { DAY_MS } from '#rules/constants'
import { MILESTONES } from '#rules/money/milestones'
import type { ReferralInfo, TeamMember } from '#rules/snapshots'

export function aTeamMember(id: number): TeamMember {
  const createdAt = new Date(NOW - (1_000 - id) * DAY_MS).toISOString()
  return { id, username: `member${id}`, email: `member${id}@example.com`, createdAt }
}

/** Members of these ids, newest first: `from` down to `to`. */
export function teamMembers(from: number, to: number): TeamMember[] {
  return Array.from({ length: from - to + 1 }, (_, index) => aTeamMember(from - index))
}

/** The referral info of a member without a code, a referrer or a team. */
export function aReferralInfo(more: Partial<ReferralInfo> = {}): ReferralInfo {
  return {
    referralCode: null,
    frozenReason: null,
    referrer: null,
    teamSize: 0,
    miningBoost: 0,
    milestones: MILESTONES.map((milestone) => ({ ...milestone, achieved: false })),
    teamMembers: [],
    usdtRewards: [],
    asOf: NOW,
    ...more,
  }
}
