import { useQuery } from '@tanstack/react-query'
import { useEffect, useState } from 'react'
import { call } from '#client/data/api.ts'
import { queryClient } from '#client/data/query-cache.ts'
import { apiText, i18n } from '#client/language/language.ts'
import type { FieldStatus } from '#client/ui/forms/field.tsx'
import { normalizeReferralCode } from '#rules/members/referral-code'
import type { Availability, ReferralCodeCheck } from '#rules/snapshots'

const DEBOUNCE_MS = 400
const RETRY_MS = 5_000

export type LiveCheck<A> = { state: 'unknown' | 'checking' | 'failed' | 'answered'; answer?: A }

/** Checks `value` after a pause in typing, unless it is null. An answer counts only for the value it checked. */
export function useLiveCheck<A>(
  subject: string,
  value: string | null,
  check: (value: string) => Promise<A>,
): LiveCheck<A> {
  const [settled, setSettled] = useState<string | null>(null)
  useEffect(() => {
    const timer = setTimeout(() => setSettled(value), DEBOUNCE_MS)
    return () => clearTimeout(timer)
  }, [value])
  const { data, errorUpdateCount } = useQuery(
    {
      queryKey: ['check', subject, settled],
      queryFn: () => check(settled ?? ''),
      enabled: settled !== null && settled === value,
      gcTime: 0,
      refetchInterval: ({ state }) => (state.status === 'error' ? RETRY_MS : false),
    },
    queryClient,
  )
  if (value === null) return { state: 'unknown' }
  if (settled !== value) return { state: 'checking' }
  if (data !== undefined) return { state: 'answered', answer: data }
  return { state: errorUpdateCount > 0 ? 'failed' : 'checking' }
}

/** Another request found that the e-mail address is taken. */
export function showTaken(email: string, message: string): void {
  const answer: Availability = { available: false, message }
  queryClient.setQueryData(['check', 'email', email], answer)
}

const checkCode = (code: string) => call('GET /api/check/referral-code/:code', { params: { code } })

export function useReferralCodeCheck(input: string): LiveCheck<ReferralCodeCheck> {
  return useLiveCheck('referral-code', normalizeReferralCode(input) || null, checkCode)
}

/** Names the inviter; a failed check shows no note (Specification §8). */
export function referralCodeStatus(check: LiveCheck<ReferralCodeCheck>): FieldStatus | undefined {
  if (check.state === 'checking') return { tone: 'busy', text: i18n.t('checking') }
  if (!check.answer) return undefined
  const { valid, message, inviter } = check.answer
  const invitedBy = inviter && i18n.t('invitedBy', { name: inviter })
  return {
    tone: valid ? 'good' : 'bad',
    text: [apiText(message), invitedBy].filter(Boolean).join(' · '),
  }
}
