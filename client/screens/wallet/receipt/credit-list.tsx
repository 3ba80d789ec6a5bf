import { useAtomValue } from 'jotai'
import { useTranslation } from 'react-i18next'
import { call } from '#client/data/api.ts'
import { memberQuery } from '#client/data/member-data.ts'
import { exactText } from '#client/format/amounts.ts'
import { ActivityTime } from '#client/screens/wallet/activity/activity-time.tsx'
import type { Activity } from '#rules/snapshots'

type CreditsAtom = ReturnType<typeof memberQuery<Activity[]>>
const creditsAtoms = new Map<string, CreditsAtom>()

/** One atom for each row, because an atom observes the cache for as long as the page is open. */
function creditsAtomOf(id: string): CreditsAtom {
  const known = creditsAtoms.get(id)
  if (known) return known
  const read = () => call('GET /api/wallet/credits', { query: { id } })
  const added = memberQuery<Activity[]>(`/api/wallet/credits?id=${id}`, read)
  creditsAtoms.set(id, added)
  return added
}

/** The automatic credits that a row of the activity stands for. */
export function CreditList({ id }: { id: string }) {
  const { t } = useTranslation('wallet')
  const { data, isError } = useAtomValue(creditsAtomOf(id))
  if (isError) return t('receipt.creditsFailed')
  if (!data) return t('receipt.creditsLoading')
  if (data.length === 0) return t('receipt.creditsUnknown')
  return (
    <ul className="max-h-48 overflow-y-auto">
      {data.map(({ id: credit, amount, tokenType, timestamp }) => (
        <li key={credit} className="flex justify-between gap-3 py-1">
          <ActivityTime at={timestamp} className="text-muted" />
          <span className="figure whitespace-nowrap">+{exactText(amount, tokenType)}</span>
        </li>
      ))}
    </ul>
  )
}
