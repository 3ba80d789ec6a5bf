import { CREDIT_SLOTS, INTERVAL_MS, MINUTE_MS } from '#rules/constants'
import { creditSlot } from '#rules/mining'

/** Slots of the 20-minute cycle, both ends included. */
export type SlotRange = { from: number; to: number }

/** Last sweep of a shard (product time, ms) and its last full sweep (real time, ms). */
export type Swept = { at: number; fullAt: number }

/** Real time between full sweeps, which find what the sweeps of single seconds have missed. */
export const FULL_SWEEP_MS = MINUTE_MS
/** Slots of one statement: about 1,000 credits at a million members and 8 shards. */
const SLOTS_PER_BATCH = 30

function chunks({ from, to }: SlotRange): SlotRange[] {
  const ranges: SlotRange[] = []
  for (let start = from; start <= to; start += SLOTS_PER_BATCH) {
    ranges.push({ from: start, to: Math.min(to, start + SLOTS_PER_BATCH - 1) })
  }
  return ranges
}

/**
 * Whether all slots must be swept: at the first sweep, each minute, and after a jump of the clock.
 */
export function isFullSweep(swept: Swept | undefined, now: number, realNow: number): boolean {
  if (!swept || realNow - swept.fullAt >= FULL_SWEEP_MS) return true
  return now < swept.at || now - swept.at >= INTERVAL_MS - MINUTE_MS
}

/** The slots to sweep at `now`: those since the last sweep, or all. */
export function slotsToSweep(swept: Swept | undefined, now: number, realNow: number): SlotRange[] {
  if (!swept || isFullSweep(swept, now, realNow)) return chunks({ from: 0, to: CREDIT_SLOTS - 1 })
  const from = creditSlot(swept.at)
  const to = creditSlot(now)
  if (from <= to) return chunks({ from, to })
  return [...chunks({ from, to: CREDIT_SLOTS - 1 }), ...chunks({ from: 0, to })]
}
