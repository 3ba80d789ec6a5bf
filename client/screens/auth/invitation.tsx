import { useTranslation } from 'react-i18next'
import { SupportLink } from '#client/layout/operator-link.tsx'
import { Skeleton } from '#client/ui/loading.tsx'
import type { ReferralCodeCheck } from '#rules/snapshots'
import type { LiveCheck } from './live-check.ts'

/** Who invites with a referral code, and what of the new member they will see (Specification §3: team list). */
export function Invitation({ check }: { check: LiveCheck<ReferralCodeCheck> }) {
  const { t } = useTranslation('auth')
  if (check.state === 'checking') return <Skeleton className="mb-2 h-20 rounded-control" />
  if (check.state !== 'answered') return null
  const { valid, inviter: name } = check.answer
  if (!valid) {
    return (
      <div className="mb-2 rounded-control border border-amber-line bg-amber-soft px-3.5 py-3 text-sm text-amber">
        <p>{t('invitation.invalid')}</p>
        <SupportLink />
      </div>
    )
  }
  if (!name) return null
  return (
    <div className="mb-2 rounded-control border border-mint-line bg-mint-soft px-3.5 py-3 wrap-anywhere">
      <p className="font-semibold">{t('invitation.title', { name })}</p>
      <p className="pt-0.5 text-sm text-muted">{t('invitation.sees', { name })}</p>
    </div>
  )
}
