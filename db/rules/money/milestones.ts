import type { Money } from './money.ts'

/** A team size that pays once and sets the USDT rate of mining from then on (rules.md: Team). */
export type Milestone = { members: number; reward: Money; usdtRate: Money }

/** All milestones, smallest first. `usdtRate` is a fraction: `0.02` is 2 %. */
export const MILESTONES: readonly Milestone[] = [
  { members: 10, reward: '5', usdtRate: '0.02' },
  { members: 25, reward: '15', usdtRate: '0.03' },
  { members: 50, reward: '25', usdtRate: '0.05' },
  { members: 100, reward: '50', usdtRate: '0.08' },
  { members: 500, reward: '250', usdtRate: '0.1' },
  { members: 1000, reward: '500', usdtRate: '0.12' },
]

/** USDT per mined TESP of a member with that many paid milestones (`teamLevel`, 0…6). */
export function usdtRateOf(teamLevel: number): Money {
  return MILESTONES[teamLevel - 1]?.usdtRate ?? '0'
}

/** The milestones reached by a team of that size. */
export function milestonesReached(teamSize: number): Milestone[] {
  return MILESTONES.filter(({ members }) => teamSize >= members)
}

/** The milestones that a team has reached and a check would pay. */
export function readyMilestones<M extends Milestone & { achieved: boolean }>(team: {
  teamSize: number
  milestones: M[]
}): M[] {
  return team.milestones.filter(({ achieved, members }) => !achieved && team.teamSize >= members)
}
