import { ApiError, call, messageOf } from '#client/data/api.ts'
import { currentUser, recheckUser } from '#client/data/member-data.ts'
import { toast } from '#client/ui/toast.tsx'
import { normalizeEmail } from '#rules/identity'

/** Result of a reset request: `waiting` when a code was sent a moment ago. */
export type ForgotOutcome = 'sent' | 'waiting' | 'failed'

export type NewPassword = { email: string; otp: string; newPassword: string }

const showFailure = (error: unknown, fallback: string) =>
  toast({ title: messageOf(error, fallback), variant: 'destructive' })

const answerOf = (error: unknown) => (error instanceof ApiError ? error.answer : undefined)

/** Requests a code by e-mail. */
export async function requestReset(email: string): Promise<ForgotOutcome> {
  try {
    await call('POST /api/password/forgot', { body: { email: normalizeEmail(email) } })
    toast({
      title: 'If your email is registered, you will receive password reset instructions',
    })
    return 'sent'
  } catch (error) {
    showFailure(error, 'Unable to send password reset request')
    return answerOf(error)?.code === 'otp_too_soon' ? 'waiting' : 'failed'
  }
}

/** Sets the new password; resolves to null, or to the field errors when it is rejected. */
export async function resetPassword({
  email,
  otp,
  newPassword,
}: NewPassword): Promise<Record<string, string> | null> {
  try {
    const body = { email: normalizeEmail(email), otp: otp.trim(), newPassword }
    await call('POST /api/password/reset', { body })
    toast({ title: 'You can now log in with your new password' })
    // A reset ends every auth session of the member, possibly this one too.
    if (currentUser()) recheckUser()
    return null
  } catch (error) {
    showFailure(error, 'Unable to reset password')
    const answer = answerOf(error)
    return answer?.code === 'otp_invalid' ? { otp: answer.message } : (answer?.fields ?? {})
  }
}
