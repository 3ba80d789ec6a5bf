import { atom } from 'jotai'
import { snapshotOf } from '#client/data/member-data.ts'
import { productNow } from '#client/data/product-clock.ts'
import { store } from '#client/data/query-cache.ts'
import { isRecord, storage } from '#client/data/storage.ts'
import { intervalEnd } from '#rules/money/mining'
import { type Money, minus, sum } from '#rules/money/money'
import type { MiningStatus } from '#rules/snapshots'
import { onResume } from './page-resume.ts'

type AwayCredits = { count: number; amount: Money }

type Seen = { sessionId: number; count: number; credited: Money }

export const awayCreditsAtom = atom<AwayCredits | null>(null)

export function dismissAwayCredits(): void {
  store.set(awayCreditsAtom, null)
}

function seenIn({ session }: MiningStatus): Seen | null {
  if (!session) return null
  const { id, creditedIntervals, credited } = session
  return { sessionId: id, count: creditedIntervals, credited }
}

function isSeen(value: unknown): value is Seen {
  return (
    isRecord(value) &&
    typeof value.sessionId === 'number' &&
    typeof value.count === 'number' &&
    typeof value.credited === 'string' &&
    /^\d+\.\d{8}$/.test(value.credited)
  )
}

/** Whether a member has seen less before; a stored status that is shown offline may be older. */
function isNewer(current: Seen, seen: Seen): boolean {
  if (current.sessionId !== seen.sessionId) return current.sessionId > seen.sessionId
  return current.count > seen.count
}

/** Null if there are none, or if the first ended after `presentSince` (product time, ms): the member was there. */
export function creditsAfter(
  seen: Seen,
  status: MiningStatus,
  presentSince: number,
): AwayCredits | null {
  const now = seenIn(status)
  // Another session was started on another device: the member was not away.
  if (!status.session || now?.sessionId !== seen.sessionId || now.count <= seen.count) return null
  const firstEnd = intervalEnd(Date.parse(status.session.startTime), seen.count + 1)
  if (firstEnd > presentSince) return null
  return { count: now.count - seen.count, amount: minus(now.credited, seen.credited) }
}

/** Statuses that arrive while the page is hidden count as not seen. */
export function watchAbsence(memberId: number): { onStatus(): void; stop(): void } {
  /** When the member opened the page or came back to it, real ms. */
  let presentAt = Date.now()

  function onStatus(): void {
    const [status, now] = [snapshotOf('/api/mining/status'), productNow()]
    const current = status && seenIn(status)
    if (document.hidden || !current || now === null) return
    const stored = storage.readFor(memberId, 'seenCredits')
    const seen = isSeen(stored) ? stored : null
    if (seen && !isNewer(current, seen)) return
    const presentSince = now - status.speed * (Date.now() - presentAt)
    const more = seen && creditsAfter(seen, status, presentSince)
    if (more) {
      const before = store.get(awayCreditsAtom) ?? { count: 0, amount: '0' }
      const amount = sum(before.amount, more.amount)
      store.set(awayCreditsAtom, { count: before.count + more.count, amount })
    }
    storage.writeFor(memberId, 'seenCredits', current)
  }

  function onVisible(): void {
    if (document.hidden) return
    presentAt = Date.now()
    onStatus()
  }
  document.addEventListener('visibilitychange', onVisible)
  const stopResume = onResume((slept) => {
    if (slept) onVisible()
  })
  return {
    onStatus,
    stop() {
      document.removeEventListener('visibilitychange', onVisible)
      stopResume()
      dismissAwayCredits()
    },
  }
}
