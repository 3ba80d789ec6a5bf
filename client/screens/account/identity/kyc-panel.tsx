import { useAtomValue } from 'jotai'
import type { LucideIcon } from 'lucide-react'
import BadgeCheck from 'lucide-react/icons/badge-check'
import Clock from 'lucide-react/icons/clock'
import ShieldQuestionMark from 'lucide-react/icons/shield-question-mark'
import { useTranslation } from 'react-i18next'
import { classNames } from '#client/ui/class-names.ts'
import { TitledPanel } from '#client/ui/panel.tsx'
import type { User } from '#rules/members/account-snapshots'
import { documentType } from './document-type-select.tsx'
import { identityCheckAtom, retentionText } from './identity-check.ts'
import { KycForm } from './kyc-form.tsx'
import { RejectionNote } from './rejection-note.tsx'

const VIEWS: Record<User['kycStatus'], { Icon: LucideIcon; tone: string }> = {
  verified: {
    Icon: BadgeCheck,
    tone: 'border-mint-line bg-mint-soft text-mint',
  },
  pending: {
    Icon: Clock,
    tone: 'border-amber-line bg-amber-soft text-amber',
  },
  unverified: {
    Icon: ShieldQuestionMark,
    tone: 'border-line-strong bg-raised text-muted',
  },
}

/** The status of the identity verification, and the form while it is unverified. */
export function KycPanel({ user }: { user: User }) {
  const { t } = useTranslation('account')
  const { Icon, tone } = VIEWS[user.kycStatus]
  const type = documentType(user.kycDocumentType)
  const { data: check } = useAtomValue(identityCheckAtom)
  const open = user.kycStatus === 'unverified'
  return (
    <TitledPanel
      titleId="kyc-title"
      title={t('kyc.title')}
      headClassName="items-center gap-3"
      beside={
        <span
          role="status"
          className={classNames(
            'inline-flex h-7 shrink-0 items-center gap-1.5 rounded-full border px-2.5 text-xs font-medium',
            tone,
          )}
        >
          <Icon aria-hidden="true" className="size-3.5" />
          {t(`kyc.${user.kycStatus}`)}
        </span>
      }
    >
      <p className="mt-2 text-sm text-muted">
        {t(`kyc.${user.kycStatus}Text`)}
        {open && ` ${retentionText(check?.retentionDays)}`}
      </p>
      {open ? (
        <>
          {check?.rejection && <RejectionNote {...check.rejection} />}
          <KycForm />
        </>
      ) : (
        type && (
          <dl className="mt-4 flex justify-between gap-3 border-t border-line pt-4 text-sm">
            <dt className="text-muted">{t('kyc.type')}</dt>
            <dd className="font-medium">{t(`kyc.types.${type}`)}</dd>
          </dl>
        )
      )}
    </TitledPanel>
  )
}
