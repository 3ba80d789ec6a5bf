import { useAtomValue } from 'jotai'
import { miningAtom } from '#client/data/member-data.ts'
import { useProductNow } from '#client/data/product-clock.ts'
import { SECOND_MS } from '#rules/constants'
import type { MiningStatus } from '#rules/snapshots'

/** Tick while product time runs faster than real time, so that the figures still move smoothly. */
const FAST_TICK_MS = SECOND_MS / 4

/** The status and the current product time, ms, every second; null before the first status. */
export function useMining(): { status: MiningStatus; now: number } | null {
  const status = useAtomValue(miningAtom).data
  const phase = status?.session ? Date.parse(status.session.startTime) : 0
  const now = useProductNow(status && status.speed > 1 ? FAST_TICK_MS : SECOND_MS, phase)
  return status ? { status, now: now ?? Date.parse(status.serverNow) } : null
}
