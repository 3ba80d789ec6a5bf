import { BadgeCheck, Clock, type LucideIcon, ShieldQuestionMark } from 'lucide-react'
import { classNames } from '#client/ui/class-names.ts'
import { Panel } from '#client/ui/panel.tsx'
import type { User } from '#rules/snapshots'
import { documentName } from './document-type-select.tsx'
import { KycForm } from './kyc-form.tsx'

type Status = User['kycStatus']

const looks: Record<Status, { text: string; Icon: LucideIcon; tone: string; says: string }> = {
  verified: {
    text: 'Verified',
    Icon: BadgeCheck,
    tone: 'border-mint-line bg-mint-soft text-mint',
    says: 'Your identity is verified.',
  },
  pending: {
    text: 'Pending',
    Icon: Clock,
    tone: 'border-amber-line bg-amber-soft text-amber',
    says: 'Your documents have been submitted and are pending review.',
  },
  unverified: {
    text: 'Unverified',
    Icon: ShieldQuestionMark,
    tone: 'border-line-strong bg-raised text-muted',
    says: 'Submit a document that proves your identity. It is stored encrypted, and deleted after the review.',
  },
}

/** Where the member stands with the proof of their identity, and the form while it is open. */
export function KycPanel({ user }: { user: User }) {
  const { text, Icon, tone, says } = looks[user.kycStatus]
  const document = documentName(user.kycDocumentType)
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
          {text}
        </span>
      </div>
      <p className="mt-2 text-sm text-muted">{says}</p>
      {user.kycStatus === 'unverified' ? (
        <KycForm />
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
