import { ApiError, call, messageOf } from '#client/data/api.ts'
import { currentUser } from '#client/data/member-data.ts'
import { recheckUser } from '#client/data/refresh.ts'
import { errorText, i18n } from '#client/language/language.ts'
import type { CodeRefusal } from '#client/screens/auth/email-code.tsx'
import { showError, toast } from '#client/ui/toasts/toast.ts'
import { normalizeEmail } from '#rules/members/usernames-and-emails'

/** Result of a reset request; `waiting` when the server asked to wait that many milliseconds. */
export type ForgotOutcome =
  | { state: 'sent' }
  | ({ state: 'waiting'; waitMs: number } & CodeRefusal)
  | { state: 'failed' }

type NewPassword = { email: string; otp: string; newPassword: string }

const answerOf = (error: unknown) => (error instanceof ApiError ? error.answer : undefined)

/** Requests a code by e-mail. */
export async function requestReset(email: string): Promise<ForgotOutcome> {
  const fallback = i18n.t('auth:reset.notSent')
  try {
    await call('POST /api/password/forgot', { body: { email: normalizeEmail(email) } })
    toast({ title: i18n.t('auth:reset.sent') })
    return { state: 'sent' }
  } catch (error) {
    const waitMs = error instanceof ApiError ? error.retryAfterMs : undefined
    if (waitMs && answerOf(error)?.code === 'otp_too_soon') {
      const seconds = answerOf(error)?.params?.seconds
      return { state: 'waiting', message: messageOf(error, fallback), seconds, waitMs }
    }
    showError(messageOf(error, fallback))
    return { state: 'failed' }
  }
}

/** A rejected reset: the errors of its fields, and whether only a new code helps. */
type ResetRejection = { fields: Record<string, string>; usedUp: boolean }

/** Sets the new password; resolves to null, or to the rejection. */
export async function resetPassword({
  email,
  otp,
  newPassword,
}: NewPassword): Promise<ResetRejection | null> {
  try {
    const body = { email: normalizeEmail(email), otp: otp.trim(), newPassword }
    await call('POST /api/password/reset', { body })
    toast({ title: i18n.t('auth:reset.done') })
    // A reset ends every auth session of the member, possibly this one too.
    if (currentUser()) recheckUser()
    return null
  } catch (error) {
    showError(messageOf(error, i18n.t('auth:reset.failed')))
    const answer = answerOf(error)
    const usedUp = answer?.code === 'otp_used_up'
    const aboutCode = usedUp || answer?.code === 'otp_invalid'
    return { fields: aboutCode ? { otp: errorText(answer) } : (answer?.fields ?? {}), usedUp }
  }
}
