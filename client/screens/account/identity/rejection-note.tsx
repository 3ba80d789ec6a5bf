import CircleAlert from 'lucide-react/icons/circle-exclamation-point'
import { useTranslation } from 'react-i18next'
import { dateText } from '#client/format/dates.ts'
import { RichText } from '#client/language/rich-text.tsx'
import type { IdentityCheck } from '#rules/members/account-snapshots'

/** Why the last document was rejected, and how to try again. */
export function RejectionNote({ reason, decidedAt }: NonNullable<IdentityCheck['rejection']>) {
  const { t } = useTranslation('account')
  return (
    <section
      aria-label={t('kyc.lastDecision')}
      className="mt-4 flex gap-3 rounded-control border border-coral-line bg-coral-soft px-4 py-3 text-sm"
    >
      <CircleAlert aria-hidden="true" className="mt-0.5 size-4 shrink-0 text-coral" />
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
