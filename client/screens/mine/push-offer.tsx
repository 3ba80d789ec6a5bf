import { useAtomValue } from 'jotai'
import { memberIdAtom, miningAtom } from '#client/data/member-data.ts'
import { storage } from '#client/data/storage.ts'
import { optionalComponent } from '#client/first-load/lazy-component.tsx'

const Card = optionalComponent(() => import('./push-offer-card.tsx'), 'PushOfferCard', 'account')

/** Remembers the session of the first Start here: notifications are offered while it runs. */
export function offerPush(memberId: number | undefined, sessionId: number | undefined): void {
  if (memberId === undefined || sessionId === undefined) return
  if (storage.readFor(memberId, 'pushOffer') !== undefined) return
  storage.writeFor(memberId, 'pushOffer', sessionId)
}

export function PushOffer() {
  const memberId = useAtomValue(memberIdAtom)
  const { active, session } = useAtomValue(miningAtom).data ?? {}
  if (memberId === undefined || !active || !session) return null
  if (storage.readFor(memberId, 'pushOffer') !== session.id) return null
  return <Card memberId={memberId} fallback={null} />
}
