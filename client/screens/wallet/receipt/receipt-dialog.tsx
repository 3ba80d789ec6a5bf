import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { exactText } from '#client/format/amounts.ts'
import { activityTitle } from '#client/screens/wallet/activity/activity-row.tsx'
import { ActivityTime } from '#client/screens/wallet/activity/activity-time.tsx'
import { FitText } from '#client/ui/amounts/fit-text.tsx'
import { CopyButton } from '#client/ui/buttons/copy-button.tsx'
import { Dialog } from '#client/ui/dialogs/dialog.tsx'
import { creditCount } from '#rules/money/ledger-id'
import type { Activity } from '#rules/snapshots'
import { CreditList } from './credit-list.tsx'
import { IntervalFact } from './interval-fact.tsx'
import { Proof } from './proof.tsx'
import { reasonOf } from './reason.ts'

export type ReceiptDialogProps = {
  /** The row shown; it stays while the dialog fades out. */
  activity: Activity | null
  open: boolean
  onClose: () => void
}

/** One row of the ledger with all its facts. */
export function ReceiptDialog({ activity, open, onClose }: ReceiptDialogProps) {
  if (!activity) return null
  return (
    <Dialog title={activityTitle(activity)} open={open} onOpenChange={onClose} readFirst>
      <Receipt activity={activity} />
    </Dialog>
  )
}

function Receipt({ activity }: { activity: Activity }) {
  const { t } = useTranslation('wallet')
  const { id, amount, tokenType, balanceAfter } = activity
  const outgoing = amount.startsWith('-')
  const exact = exactText(outgoing ? amount.slice(1) : amount, tokenType)
  return (
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
      {creditCount(id) > 0 && (
        <Fact name={t('receipt.interval')}>
          <IntervalFact activity={activity} />
        </Fact>
      )}
      {/* Absent in the answer of an older gateway, during an update. */}
      {balanceAfter && (
        <Fact name={t('receipt.balanceAfter')}>
          <span className="figure">
            <FitText text={exactText(balanceAfter, tokenType)} />
          </span>
        </Fact>
      )}
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
