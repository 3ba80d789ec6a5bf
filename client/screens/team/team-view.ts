import { grouped } from '#client/format/amounts.ts'
import { nextMilestone } from '#rules/milestones'
import { display, times } from '#rules/money'
import type { MilestoneCheck, MilestoneView, ReferralInfo } from '#rules/snapshots'

// What the team screen shows of a snapshot, as pure functions.

/** From this many members on the progress bar stays full (Specification §9). */
export const PROGRESS_LIMIT = 100

/** Progress towards the next milestone in percent, 0…100, and as text. */
export function milestoneProgress(teamSize: number): { percent: number; text: string } {
  const next = nextMilestone(teamSize)
  if (!next || next.members > PROGRESS_LIMIT) {
    return { percent: 100, text: `${PROGRESS_LIMIT} members reached` }
  }
  return {
    percent: (teamSize / next.members) * 100,
    text: `${teamSize} of ${next.members} members`,
  }
}

/** The boost as a percentage with one decimal. */
export function boostText({ miningBoost }: ReferralInfo): string {
  return `${(miningBoost * 100).toFixed(1)}%`
}

export function achievedCount({ milestones }: ReferralInfo): number {
  return milestones.filter(({ achieved }) => achieved).length
}

/** TESP of the next unpaid milestone; `--` when all are paid. */
export function nextRewardText({ milestones }: ReferralInfo): string {
  const next = milestones.find(({ achieved }) => !achieved)
  return next ? `${next.reward} TESP` : '--'
}

export function usdtPercent({ usdtRate }: MilestoneView): string {
  return `${display(times(usdtRate, '100'), 0)}%`
}

/** The URL that opens the register form with the code filled in. */
export function referralLink(origin: string, code: string): string {
  return `${origin}/auth?ref=${encodeURIComponent(code)}`
}

/**
 * The toast for the result of a milestone check (Specification §8). Every milestone pays USDT, so
 * `New Milestone!` is the check that finds a milestone paid by another device: it was ready on this
 * screen, and there is nothing left to pay.
 */
export function checkOutcome({ usdtRewarded, newMilestones }: MilestoneCheck, wasReady: boolean) {
  if (usdtRewarded > 0) {
    const usdt = grouped(usdtRewarded.toFixed(2))
    return {
      title: 'Success!',
      description: `You have received ${usdt} USDT from team milestones.`,
    }
  }
  if (newMilestones.length > 0 || wasReady) {
    return { title: 'New Milestone!', description: 'You have reached a new team milestone.' }
  }
  return { title: 'No New Milestones' }
}
