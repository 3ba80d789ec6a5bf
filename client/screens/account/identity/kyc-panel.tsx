import { useAtomValue } from 'jotai'
import { BadgeCheck, Clock, type LucideIcon, ShieldQuestionMark } from 'lucide-react'
import { classNames } from '#client/ui/class-names.ts'
import { Panel } from '#client/ui/panel.tsx'
import type { User } from '#rules/snapshots'
import { documentName } from './document-type-select.tsx'
import { identityCheckAtom, retentionText } from './identity-check.ts'
import { KycForm } from './kyc-form.tsx'
import { RejectionNote } from './rejection-note.tsx'

type Status = User['kycStatus']

const VIEWS: Record<Status, { label: string; Icon: LucideIcon; tone: string; text: string }> = {
  verified: {
    label: 'Verified',
    Icon: BadgeCheck,
    tone: 'border-mint-line bg-mint-soft text-mint',
    text: 'Your identity is verified.',
  },
  pending: {
    label: 'Pending',
    Icon: Clock,
    tone: 'border-amber-line bg-amber-soft text-amber',
    text: 'Your documents have been submitted and are pending review.',
  },
  unverified: {
    label: 'Unverified',
    Icon: ShieldQuestionMark,
    tone: 'border-line-strong bg-raised text-muted',
    text: 'Submit a document that proves your identity.',
  },
}

/** The status of the identity verification, and the form while it is unverified. */
export function KycPanel({ user }: { user: User }) {
  const { label, Icon, tone, text } = VIEWS[user.kycStatus]
  const document = documentName(user.kycDocumentType)
  const { data: check } = useAtomValue(identityCheckAtom)
  const open = user.kycStatus === 'unverified'
  return (
    <Panel aria-labelledby="kyc-title">
      <div className="flex items-center justify-between gap-3">
        <h2 id="kyc-title" className="text-base">
          Identity Verification
        </h2>
        <span
          role="status"
          className={classNames(
            'inline-flex h-7 shrink-0 items-center gap-1.5 rounded-full border px-2.5 text-xs font-medium',
            tone,
          )}
        >
          <Icon aria-hidden="true" className="size-3.5" />
          {label}
        </span>
      </div>
      <p className="mt-2 text-sm text-muted">
        {text}
        {open && ` It is stored encrypted, and ${retentionText(check?.retentionDays)}.`}
      </p>
      {open ? (
        <>
          {check?.rejection && <RejectionNote {...check.rejection} />}
          <KycForm />
        </>
      ) : (
        document && (
          <dl className="mt-4 flex justify-between gap-3 border-t border-line pt-4 text-sm">
            <dt className="text-muted">Document type</dt>
            <dd className="font-medium">{document}</dd>
          </dl>
        )
      )}
    </Panel>
  )
}
