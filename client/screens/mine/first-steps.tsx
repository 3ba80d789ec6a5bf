import { useAtomValue } from 'jotai'
import { Suspense } from 'react'
import { miningAtom, userAtom, walletAtom } from '#client/data/member-data.ts'
import { isRecord, storage } from '#client/data/storage.ts'
import { lazyComponent } from '#client/first-load/lazy-component.tsx'
import { loadTexts } from '#client/language/load-texts.ts'
import { Skeleton } from '#client/ui/loading.tsx'
import { isPositive, toUnits } from '#rules/money/money'
import type { Marks } from './first-steps-card.tsx'

const loadCard = async () => {
  const [card] = await Promise.all([import('./first-steps-card.tsx'), loadTexts('firstSteps')])
  return card
}
const Card = lazyComponent(loadCard, 'FirstStepsCard')

/** More than this in the wallet, and the member is no beginner, whatever this device remembers: one session. */
const BEGINNER_TESP = toUnits('2.4')

function marksOf(memberId: number): Marks {
  const stored = storage.readFor(memberId, 'firstSteps')
  return isRecord(stored) ? stored : {}
}

/** The first steps of a member with at most one session's TESP; their code is loaded for such members only. */
export function FirstSteps() {
  const user = useAtomValue(userAtom).data
  const status = useAtomValue(miningAtom).data
  const wallet = useAtomValue(walletAtom).data
  if (!user || !status || !wallet) return null
  const stored = marksOf(user.id)
  const balance = wallet.tesp[0]?.balance ?? '0'
  if (stored.dismissed || toUnits(balance) > BEGINNER_TESP) return null
  const credited = isPositive(balance)
  const started = credited || status.session !== null || status.hasPendingRewards
  return (
    <Suspense fallback={<Skeleton className="h-112 rounded-panel" />}>
      <Card
        memberId={user.id}
        {...{ stored, started, credited }}
        invited={user.referralCode !== null}
      />
    </Suspense>
  )
}
