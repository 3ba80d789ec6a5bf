import { useAtomValue } from 'jotai'
import { useTranslation } from 'react-i18next'
import { dateTimeRangeText } from '#client/format/dates.ts'
import { demoClockAtom, realTime } from '#client/screens/wallet/activity/demo-clock.ts'
import { INTERVAL_MS, INTERVALS } from '#rules/constants'
import { creditCount, parseLedgerId } from '#rules/money/ledger-id'
import type { Activity } from '#rules/snapshots'

/** Which intervals of which session a credit pays, and when they began and ended. */
export function IntervalFact({ activity: { id, timestamp } }: { activity: Activity }) {
  const { t } = useTranslation('wallet')
  const clock = useAtomValue(demoClockAtom)
  const fact = parseLedgerId(id)
  if (fact?.kind !== 'credit' && fact?.kind !== 'creditRange') return null
  // A credit is posted at the end of its interval.
  const began = Date.parse(timestamp) - creditCount(id) * INTERVAL_MS
  const from = realTime(new Date(began).toISOString(), clock)
  const place = { all: INTERVALS, session: fact.fields.sessionId }
  return (
    <>
      {fact.kind === 'credit'
        ? t('receipt.intervalOf', { ...place, n: fact.fields.n })
        : t('receipt.intervalsOf', { ...place, from: fact.fields.from, to: fact.fields.to })}
      <span className="mt-1 block text-xs text-muted">
        {dateTimeRangeText(from, realTime(timestamp, clock))}
      </span>
    </>
  )
}
