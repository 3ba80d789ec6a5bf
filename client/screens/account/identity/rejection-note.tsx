import { CircleAlert } from 'lucide-react'
import { Trans, useTranslation } from 'react-i18next'
import { dateText } from '#client/format/dates.ts'
import type { IdentityCheck } from '#rules/snapshots'

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
          <Trans
            t={t}
            i18nKey="kyc.rejectedOn"
            values={{ date: dateText(decidedAt) }}
            components={{ when: <time dateTime={decidedAt} /> }}
          />
        </p>
        <p className="mt-1 wrap-anywhere">{reason}</p>
        <p className="mt-1 text-muted">{t('kyc.again')}</p>
      </div>
    </section>
  )
}
