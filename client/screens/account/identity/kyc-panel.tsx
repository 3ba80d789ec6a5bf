import { useAtomValue } from 'jotai'
import type { LucideIcon } from 'lucide-react'
import BadgeCheck from 'lucide-react/icons/badge-check'
import CircleAlert from 'lucide-react/icons/circle-exclamation-point'
import Clock from 'lucide-react/icons/clock'
import ShieldQuestionMark from 'lucide-react/icons/shield-question-mark'
import { useEffect, useRef } from 'react'
import { useTranslation } from 'react-i18next'
import { recheckUser, refresh } from '#client/data/refresh.ts'
import { dateText } from '#client/format/dates.ts'
import { RichText } from '#client/language/rich-text.tsx'
import { SupportLink } from '#client/layout/service-link.tsx'
import { onServerAnswer } from '#client/live/connection-state.ts'
import { classNames } from '#client/ui/class-names.ts'
import { useKeptFocus } from '#client/ui/kept-focus.ts'
import { TitledPanel } from '#client/ui/panel.tsx'
import { DOCUMENT_TYPES } from '#contract/forms/document'
import type { IdentityCheck, User } from '#rules/members/account-snapshots'
import { identityCheckAtom, retentionText } from './kyc-commands.ts'
import { KycForm } from './kyc-form.tsx'

const VIEWS: Record<User['kycStatus'], { Icon: LucideIcon; tone: string }> = {
  verified: { Icon: BadgeCheck, tone: 'border-mint-line bg-mint-soft text-mint' },
  pending: { Icon: Clock, tone: 'border-amber-line bg-amber-soft text-amber' },
  unverified: { Icon: ShieldQuestionMark, tone: 'border-line-strong bg-raised text-muted' },
}

export function KycPanel({ user }: { user: User }) {
  const { t } = useTranslation('account')
  const { Icon, tone } = VIEWS[user.kycStatus]
  const type = DOCUMENT_TYPES.find((known) => known === user.kycDocumentType)
  const { data: check } = useAtomValue(identityCheckAtom)
  const open = user.kycStatus === 'unverified'
  useDecision(user.kycStatus)
  return (
    <TitledPanel
      {...useKeptFocus()}
      titleId="kyc-title"
      title={t('kyc.title')}
      headClassName="items-center gap-3"
      trailing={
        <span
          role="status"
          className={classNames(
            'inline-flex h-7 shrink-0 items-center gap-1.5 rounded-full border px-2.5 text-xs font-medium',
            tone,
          )}
        >
          <Icon className="size-3.5" />
          {t(`kyc.${user.kycStatus}`)}
        </span>
      }
    >
      <p className="mt-2 text-sm text-muted">
        {t(`kyc.${user.kycStatus}Text`)}
        {open && ` ${retentionText(check?.retentionDays)}`}
      </p>
      <SupportLink />
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

/** While the member waits, each poll and new socket reads the user: the push of the decision may be lost. */
function useDecision(status: User['kycStatus']): void {
  const before = useRef(status)
  useEffect(() => {
    // The panel read the check before the decision, and so without the reason of a rejection.
    if (before.current !== status) void refresh('/api/user/kyc')
    before.current = status
    return status === 'pending' ? onServerAnswer(recheckUser) : undefined
  }, [status])
}

function RejectionNote({ reason, decidedAt }: NonNullable<IdentityCheck['rejection']>) {
  const { t } = useTranslation('account')
  return (
    <section
      aria-label={t('kyc.lastDecision')}
      className="mt-4 flex gap-3 rounded-control border border-coral-line bg-coral-soft px-4 py-3 text-sm"
    >
      <CircleAlert className="mt-0.5 size-4 shrink-0 text-coral" />
      <div className="min-w-0">
        <p className="font-medium">
          <RichText
            text={t('kyc.rejectedOn', { date: dateText(decidedAt) })}
            // In one line if there is room for it.
            elements={{ when: <time dateTime={decidedAt} className="inline-block" /> }}
          />
        </p>
        <p className="mt-1 wrap-anywhere">{reason}</p>
        <p className="mt-1 text-muted">{t('kyc.again')}</p>
      </div>
    </section>
  )
}
