import { CircleAlert } from 'lucide-react'
import { dateText } from '#client/format/dates.ts'
import type { IdentityCheck } from '#rules/snapshots'

/** Why the last document was rejected, and how to try again. */
export function RejectionNote({ reason, decidedAt }: NonNullable<IdentityCheck['rejection']>) {
  return (
    <section
      aria-label="Last decision"
      className="mt-4 flex gap-3 rounded-control border border-coral-line bg-coral-soft px-4 py-3 text-sm"
    >
      <CircleAlert aria-hidden="true" className="mt-0.5 size-4 shrink-0 text-coral" />
      <div className="min-w-0">
        <p className="font-medium">
          Your document was not accepted on <time dateTime={decidedAt}>{dateText(decidedAt)}</time>
        </p>
        <p className="mt-1 wrap-anywhere">{reason}</p>
        <p className="mt-1 text-muted">To try again, submit a new document below.</p>
      </div>
    </section>
  )
}
