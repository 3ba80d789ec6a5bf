import { useQuery } from '@tanstack/react-query'
import { useAtomValue } from 'jotai'
import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { call } from '#client/data/api.ts'
import { demoClockAtom, realTime } from '#client/data/demo-clock.ts'
import { currentUser, memberQueryKey } from '#client/data/member-data.ts'
import { queryClient } from '#client/data/query-cache.ts'
import { exactText, wholeText } from '#client/format/amounts.ts'
import { dateTimeRangeText } from '#client/format/dates.ts'
import { i18n } from '#client/language/language.ts'
import { FitText } from '#client/ui/amounts.tsx'
import { CopyButton } from '#client/ui/buttons/copy-button.tsx'
import { Dialog } from '#client/ui/dialogs/dialog.tsx'
import { INTERVAL_MS, INTERVALS } from '#rules/constants'
import { creditCount, parseLedgerId } from '#rules/money/ledger-id'
import type { Activity } from '#rules/snapshots'
import { ActivityTime, activityTitle, descriptionText, useNamedTasks } from './activity-row.tsx'
import { Proof } from './proof.tsx'

type ReceiptDialogProps = { activity: Activity; open: boolean; onClose: () => void }

export function ReceiptDialog({ activity, open, onClose }: ReceiptDialogProps) {
  const { t } = useTranslation('wallet')
  const tasks = useNamedTasks(activity)
  const { id, amount, tokenType, balanceAfter } = activity
  const outgoing = amount.startsWith('-')
  const exact = exactText(outgoing ? amount.slice(1) : amount, tokenType)
  return (
    <Dialog title={activityTitle(activity, tasks)} open={open} onOpenChange={onClose} readFirst>
      <dl>
        <Fact name={t('receipt.amount')}>
          <span className="figure text-lg font-medium">
            <FitText text={`${outgoing ? '−' : '+'}${exact}`} />
          </span>
        </Fact>
        <Fact name={t('receipt.why')}>{reasonOf(activity)}</Fact>
        <Fact name={t('receipt.when')}>
          <ActivityTime at={activity.timestamp} />
        </Fact>
        <IntervalFact activity={activity} />
        <Fact name={t('receipt.balanceAfter')}>
          <span className="figure">
            <FitText text={exactText(balanceAfter, tokenType)} />
          </span>
        </Fact>
        <Fact name={t('receipt.id')}>
          <span className="flex items-center justify-between gap-3">
            <span className="min-w-0 font-mono text-sm wrap-anywhere">{id}</span>
            <CopyButton text={id} what={t('receipt.copyId')} />
          </span>
        </Fact>
        {creditCount(id) > 1 && (
          <Fact name={t('receipt.credits')}>
            <CreditList id={id} />
          </Fact>
        )}
        <Fact name={t('receipt.proof.name')}>
          <Proof key={id} activity={activity} />
        </Fact>
      </dl>
    </Dialog>
  )
}

function Fact({ name, children }: { name: string; children: ReactNode }) {
  return (
    <div className="border-line border-t py-3 first:border-t-0 first:pt-0">
      <dt className="text-xs text-muted">{name}</dt>
      <dd className="mt-1 text-sm">{children}</dd>
    </div>
  )
}

function IntervalFact({ activity: { id, timestamp } }: { activity: Activity }) {
  const { t } = useTranslation('wallet')
  const clock = useAtomValue(demoClockAtom)
  const fact = parseLedgerId(id)
  if (fact?.kind !== 'credit' && fact?.kind !== 'creditRange') return null
  // A credit is posted at the end of its interval.
  const began = Date.parse(timestamp) - creditCount(id) * INTERVAL_MS
  const from = realTime(new Date(began).toISOString(), clock)
  const place = { all: INTERVALS, session: fact.fields.sessionId }
  return (
    <Fact name={t('receipt.interval')}>
      {fact.kind === 'credit'
        ? t('receipt.intervalOf', { ...place, n: fact.fields.n })
        : t('receipt.intervalsOf', { ...place, from: fact.fields.from, to: fact.fields.to })}
      <span className="mt-1 block text-xs text-muted">
        {dateTimeRangeText(from, realTime(timestamp, clock))}
      </span>
    </Fact>
  )
}

function CreditList({ id }: { id: string }) {
  const { t } = useTranslation(['wallet', 'common'])
  const { data, isError } = useQuery(
    {
      queryKey: memberQueryKey(`/api/wallet/credits?id=${id}`, currentUser()?.id),
      queryFn: () => call('GET /api/wallet/credits', { query: { id } }),
    },
    queryClient,
  )
  if (!data) return t(isError ? 'receipt.creditsFailed' : 'common:loading')
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

/** An operator's correction states its reason in its description. */
export function reasonOf({ id, description }: Activity): string {
  const fact = parseLedgerId(id)
  if (!fact || fact.kind === 'correction') return descriptionText(description)
  if (fact.kind !== 'milestone') return i18n.t(`wallet:receipt.reasons.${fact.kind}`)
  return i18n.t('wallet:receipt.reasons.milestone', {
    members: wholeText(Number(fact.fields.members)),
  })
}
