import type { ReactNode } from 'react'
import { exactText } from '#client/format/amounts.ts'
import { CopyButton } from '#client/ui/copy-button.tsx'
import { Dialog } from '#client/ui/dialog.tsx'
import { FitText } from '#client/ui/fit-text.tsx'
import { creditCount } from '#rules/ledger-id'
import type { Activity } from '#rules/snapshots'
import { activityTitle } from './activity-row.tsx'
import { ActivityTime } from './activity-time.tsx'
import { CreditList } from './credit-list.tsx'

export type ReceiptDialogProps = {
  /** The row shown; it stays while the dialog fades out. */
  activity: Activity | null
  open: boolean
  onClose: () => void
}

/** One row of the ledger with all its facts: the exact amount, why, when and its id. */
export function ReceiptDialog({ activity, open, onClose }: ReceiptDialogProps) {
  if (!activity) return null
  return (
    <Dialog title={activityTitle(activity)} open={open} onOpenChange={onClose} readFirst>
      <Receipt activity={activity} />
    </Dialog>
  )
}

function Receipt({ activity }: { activity: Activity }) {
  const { id, amount, tokenType, description } = activity
  const outgoing = amount.startsWith('-')
  const exact = exactText(outgoing ? amount.slice(1) : amount, tokenType)
  return (
    <dl>
      <Fact name="Amount">
        <span className="figure text-lg font-medium">
          <FitText text={`${outgoing ? '−' : '+'}${exact}`} />
        </span>
      </Fact>
      {description && <Fact name="Description">{description}</Fact>}
      <Fact name="Time">
        <ActivityTime at={activity.timestamp} />
      </Fact>
      <Fact name="Receipt id">
        <span className="flex items-center justify-between gap-3">
          <span className="min-w-0 font-mono text-sm wrap-anywhere">{id}</span>
          <CopyButton text={id} what="receipt id" />
        </span>
      </Fact>
      {creditCount(id) > 1 && (
        <Fact name="Credits">
          <CreditList id={id} />
        </Fact>
      )}
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
