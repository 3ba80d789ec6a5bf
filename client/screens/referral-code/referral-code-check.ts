import { call } from '#client/data/api.ts'
import { i18n } from '#client/language/language.ts'
import { translated } from '#client/language/messages/server-message.ts'
import { type LiveCheck, useLiveCheck } from '#client/screens/auth/use-live-check.ts'
import type { FieldStatus } from '#client/ui/forms/field.tsx'
import { normalizeReferralCode } from '#rules/members/referral-code'
import type { ReferralCodeCheck } from '#rules/snapshots'

const check = (code: string) => call('GET /api/check/referral-code/:code', { params: { code } })

/** Checks a referral code while it is typed, on registration and on Team. */
export function useReferralCodeCheck(input: string): LiveCheck<ReferralCodeCheck> {
  return useLiveCheck('referral-code', normalizeReferralCode(input) || null, check)
}

/** The note under the code, which names the inviter; a failed check shows none (Specification §8). */
export function referralCodeStatus(check: LiveCheck<ReferralCodeCheck>): FieldStatus | undefined {
  if (check.state === 'checking') return { tone: 'busy', text: i18n.t('checking') }
  if (check.state !== 'answered') return undefined
  const { valid, message, inviter } = check.answer
  const invitedBy = inviter && i18n.t('invitedBy', { name: inviter })
  return {
    tone: valid ? 'good' : 'bad',
    text: [translated(message), invitedBy].filter(Boolean).join(' · '),
  }
}
