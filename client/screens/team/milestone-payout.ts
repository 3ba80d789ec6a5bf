import { atom } from 'jotai'
import { store } from '#client/data/query-cache.ts'
import { type Money, sum, times } from '#rules/money/money'
import type { MilestoneCheck, MilestoneView } from '#rules/snapshots'

/** Milestones with what they pay in both tokens. */
export type Payout = { members: number[]; tesp: Money; usdt: Money }

/** The last payout of a check; shown until the screen is left. */
export const payoutAtom = atom<Payout | null>(null)

/** Keeps what a check paid, so that the screen shows both amounts. */
export function showPayout({ newMilestones }: MilestoneCheck): void {
  if (newMilestones.length === 0) return
  store.set(payoutAtom, {
    members: newMilestones.map(({ members }) => members),
    tesp: sum(...newMilestones.map(({ reward }) => reward)),
    usdt: sum(...newMilestones.map(({ usdt }) => usdt)),
  })
}

export function clearPayout(): void {
  store.set(payoutAtom, null)
}

/** What a check would pay for these milestones. */
export function payoutOf(milestones: MilestoneView[]): Payout {
  return {
    members: milestones.map(({ members }) => members),
    tesp: sum(...milestones.map(({ reward }) => reward)),
    usdt: sum(...milestones.map(({ reward, usdtRate }) => times(reward, usdtRate))),
  }
}
