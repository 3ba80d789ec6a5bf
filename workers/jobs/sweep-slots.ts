import { CREDIT_SLOTS, INTERVAL_MS, MINUTE_MS } from '#rules/constants'
import { creditSlot } from '#rules/mining'

/** Slots of the 20-minute cycle, both ends included. */
export type SlotRange = { from: number; to: number }

/** Until when a shard was swept: product time in ms, and when all of it was, real time in ms. */
export type Swept = { at: number; fullAt: number }

/** All slots are asked that often, for whatever a sweep of the last seconds has missed. */
export const FULL_SWEEP_MS = MINUTE_MS
/** Slots of one statement: bounds a batch to about a thousand credits at a million members. */
const SLOTS_PER_BATCH = 30

function chunks({ from, to }: SlotRange): SlotRange[] {
  const ranges: SlotRange[] = []
  for (let start = from; start <= to; start += SLOTS_PER_BATCH) {
    ranges.push({ from: start, to: Math.min(to, start + SLOTS_PER_BATCH - 1) })
  }
  return ranges
}

/** Whether the sweep must ask for all slots. */
export function isFullSweep(swept: Swept | undefined, now: number, realNow: number): boolean {
  if (!swept || realNow - swept.fullAt >= FULL_SWEEP_MS) return true
  return now < swept.at || now - swept.at >= INTERVAL_MS - MINUTE_MS
}

/** The slots to ask for at `now`: those since the last sweep, or all of them. */
export function slotsToSweep(swept: Swept | undefined, now: number, realNow: number): SlotRange[] {
  if (!swept || isFullSweep(swept, now, realNow)) return chunks({ from: 0, to: CREDIT_SLOTS - 1 })
  const from = creditSlot(swept.at)
  const to = creditSlot(now)
  if (from <= to) return chunks({ from, to })
  return [...chunks({ from, to: CREDIT_SLOTS - 1 }), ...chunks({ from: 0, to })]
}
