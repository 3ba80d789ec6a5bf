import { grouped, wholeText } from '#client/format/amounts.ts'
import { i18n } from '#client/language/language.ts'
import { DELETED_MEMBER } from '#rules/members/usernames-and-emails'
import { readyMilestones } from '#rules/money/milestones'
import { compact, display, sum, times } from '#rules/money/money'
import type { MilestoneCheck, MilestoneView, ReferralInfo } from '#rules/snapshots'

/** From this many members on the progress bar stays full (Specification §9). */
const PROGRESS_LIMIT = 100

/** Progress towards the next unpaid milestone; `percent` 0…100. */
export function milestoneProgress({ teamSize, milestones }: ReferralInfo) {
  const next = milestones.find(({ achieved }) => !achieved)
  const left = leftText(next, teamSize)
  if (!next || next.members > PROGRESS_LIMIT) {
    const text = i18n.t('team:progress.full', { limit: wholeText(PROGRESS_LIMIT) })
    return { percent: 100, text, left }
  }
  return {
    percent: Math.min(100, (teamSize / next.members) * 100),
    text: i18n.t('team:progress.towards', {
      size: wholeText(Math.min(teamSize, next.members)),
      next: wholeText(next.members),
    }),
    left,
  }
}

function leftText(next: MilestoneView | undefined, teamSize: number): string {
  if (!next) return i18n.t('team:progress.noneLeft')
  if (teamSize >= next.members) return i18n.t('team:progress.ready')
  return i18n.t('team:progress.left', { left: wholeText(next.members - teamSize) })
}

export function boostText({ miningBoost }: ReferralInfo): string {
  return `${grouped((miningBoost * 100).toFixed(1))}%`
}

/** TESP that the next check pays, else that of the next unpaid milestone; `--` when all are paid. */
export function nextRewardText(info: ReferralInfo): string {
  const ready = readyMilestones(info).map(({ reward }) => reward)
  const next = info.milestones.find(({ achieved }) => !achieved)
  const reward = ready.length > 0 ? compact(sum(...ready)).replace(/\.00$/, '') : next?.reward
  return reward === undefined ? '--' : `${grouped(reward)} TESP`
}

export function usdtPercent({ usdtRate }: MilestoneView): string {
  return `${display(times(usdtRate, '100'), 0)}%`
}

export type Payout = ReturnType<typeof payoutOf>

export function payoutOf(milestones: MilestoneCheck['newMilestones']) {
  return {
    members: milestones.map(({ members }) => members),
    tesp: sum(...milestones.map(({ reward }) => reward)),
    usdt: sum(...milestones.map(({ usdt }) => usdt)),
  }
}

/** What the next check would pay. */
export const readyPayoutOf = (ready: MilestoneView[]) =>
  payoutOf(ready.map((one) => ({ ...one, usdt: times(one.reward, one.usdtRate) })))

export function referralLink(origin: string, code: string): string {
  return `${origin}/auth?ref=${encodeURIComponent(code)}`
}

export function memberName(username: string): string {
  return username === DELETED_MEMBER ? i18n.t('team:members.deleted') : username
}

/** The reason of a reward, which the server stores in English. */
export function reasonText(reason: string): string {
  const members = /^Team milestone: (\d+) members$/.exec(reason)?.[1]
  return members
    ? i18n.t('team:rewards.milestone', { members: wholeText(Number(members)) })
    : reason
}

/**
 * The toast of a milestone check (Specification §8). Every milestone pays USDT, so `New Milestone!` is one that was
 * ready on this screen and that another device has claimed.
 */
export function checkOutcome({ usdtRewarded, newMilestones }: MilestoneCheck, wasReady: boolean) {
  if (usdtRewarded > 0) {
    const usdt = grouped(usdtRewarded.toFixed(2))
    return { title: i18n.t('team:check.done'), description: i18n.t('team:check.paid', { usdt }) }
  }
  if (newMilestones.length > 0 || wasReady) {
    return { title: i18n.t('team:check.newTitle'), description: i18n.t('team:check.newText') }
  }
  return { title: i18n.t('team:check.none') }
}
