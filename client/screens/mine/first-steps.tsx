import { atom, useAtomValue } from 'jotai'
import { activityAtom, miningAtom, userAtom, walletAtom } from '#client/data/member-data.ts'
import { isRecord, storage } from '#client/data/storage.ts'
import { optionalComponent } from '#client/first-load/lazy-component.tsx'
import { Skeleton } from '#client/ui/loading.tsx'
import { isPositive, toUnits } from '#rules/money/money'
import type { Marks } from './first-steps-card.tsx'

const Card = optionalComponent(
  () => import('./first-steps-card.tsx'),
  'FirstStepsCard',
  'firstSteps',
)

/** A larger balance (four sessions, or one and some tasks) is no beginner's, whatever this device remembers. */
const BEGINNER_TESP = toUnits('10')

/** The ledger rows; not read while the balance is 0. */
const rowsAtom = atom((get) => {
  const balance = get(walletAtom).data?.tesp[0]?.balance ?? '0'
  return (isPositive(balance) && get(activityAtom).data?.items) || []
})

/** Loads the code of the card for members with little TESP only. */
export function FirstSteps() {
  const user = useAtomValue(userAtom).data
  const status = useAtomValue(miningAtom).data
  const wallet = useAtomValue(walletAtom).data
  const rows = useAtomValue(rowsAtom)
  if (!user || !status || !wallet) return null
  const marks = storage.readFor(user.id, 'firstSteps')
  const stored: Marks = isRecord(marks) ? marks : {}
  const balance = wallet.tesp[0]?.balance ?? '0'
  if (stored.dismissed || toUnits(balance) > BEGINNER_TESP) return null
  const credited = rows.some(({ id }) => id.startsWith('credit:'))
  const hasMined = rows.some(({ type }) => type === 'mining_reward')
  const started = hasMined || status.session !== null || status.hasPendingRewards
  return (
    <Card
      memberId={user.id}
      {...{ stored, started, credited }}
      invited={user.referralCode !== null}
      fallback={<Skeleton className="h-112 rounded-panel" />}
    />
  )
}
