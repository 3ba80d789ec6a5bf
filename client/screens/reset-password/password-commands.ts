import { ApiError, answerOf, call, mayHaveWorked, messageOf } from '#client/data/api.ts'
import { currentUser, setUser } from '#client/data/member-data.ts'
import { recheckUser } from '#client/data/refresh.ts'
import { errorText, i18n } from '#client/language/language.ts'
import type { FormOutcome } from '#client/ui/forms/formik-form.tsx'
import { showError, toast } from '#client/ui/toasts/toast.ts'
import { withoutBlanks } from '#contract/forms/fields'
import { normalizeEmail } from '#rules/members/usernames-and-emails'

type NewPassword = { email: string; otp: string; newPassword: string }

export async function requestReset(email: string) {
  try {
    await call('POST /api/password/forgot', { body: { email: normalizeEmail(email) } })
    toast({ title: i18n.t('auth:reset.sent') })
    return { state: 'sent' } as const
  } catch (error) {
    const { retryAfterMs: waitMs, answer } = error instanceof ApiError ? error : {}
    const message = messageOf(error, i18n.t('auth:reset.notSent'))
    if (waitMs && answer?.code === 'otp_too_soon') {
      return { state: 'waiting', message, seconds: answer.params?.seconds, waitMs } as const
    }
    showError(message)
    return { state: 'failed' } as const
  }
}

export type ResetOutcome = FormOutcome & {
  usedUp?: boolean
  /** What was last sent without an answer. */
  lost?: string | undefined
}

/** A reset whose answer was lost may have worked: a sign-in proves it. Throws `refusal` if it does not. */
async function signInAfterLoss({ email, newPassword }: NewPassword, refusal: unknown) {
  try {
    setUser(await call('POST /api/login', { body: { identifier: email, password: newPassword } }))
  } catch (error) {
    const code = answerOf(error)?.code
    if (code !== 'second_factor_required') throw code === 'wrong_credentials' ? refusal : error
  }
}

/** `lost` is that of the previous outcome. */
export async function resetPassword(
  { email, otp, newPassword }: NewPassword,
  lost?: string,
): Promise<ResetOutcome> {
  const body = { email: normalizeEmail(email), otp: withoutBlanks(otp), newPassword }
  const sent = JSON.stringify(body)
  try {
    await call('POST /api/password/reset', { body }).then(
      // A reset ends every auth session of the member, possibly this one too.
      () => void (currentUser() && recheckUser()),
      (error) => {
        if (sent !== lost || answerOf(error)?.code !== 'otp_invalid') throw error
        // The server takes a code only once.
        return signInAfterLoss(body, error)
      },
    )
    toast({ title: i18n.t('auth:reset.done') })
    return { done: true }
  } catch (error) {
    showError(messageOf(error, i18n.t('auth:reset.failed')))
    const answer = answerOf(error)
    const usedUp = answer?.code === 'otp_used_up'
    const aboutCode = usedUp || answer?.code === 'otp_invalid'
    return {
      done: false,
      fields: aboutCode ? { otp: errorText(answer) } : answer?.fields,
      usedUp,
      lost: mayHaveWorked(error) ? sent : lost,
    }
  }
}
