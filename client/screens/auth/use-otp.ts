import { useEffect, useRef, useState } from 'react'
import { ApiError, answerOf, call, mayHaveWorked, messageOf } from '#client/data/api.ts'
import { apiText, i18n } from '#client/language/language.ts'
import { showError, toast } from '#client/ui/toasts/toast.ts'
import { withoutBlanks } from '#contract/forms/fields'
import { sendOtpForm, verifyOtpForm } from '#contract/forms/sign-in'
import { OTP_RESEND_MS } from '#rules/constants'
import { emailKey, normalizeEmail } from '#rules/members/usernames-and-emails'
import { type CodeRefusal, useCountdown } from './email-code.tsx'
import { showTaken } from './live-check.ts'

export type Otp = ReturnType<typeof useOtp>

/** Another address starts from the beginning. */
export function useOtp(email: string) {
  const key = emailKey(normalizeEmail(email))
  const [sentTo, setSentTo] = useState<string | null>(null)
  const [verifiedFor, setVerifiedFor] = useState<string | null>(null)
  const [refused, setRefused] = useState<CodeRefusal & { email: string }>({
    email: '',
    message: '',
  })
  const [isProving, setIsProving] = useState(false)
  const wait = useCountdown(key)
  const tries = useCodeTry(key)
  const attempt = useRef<AbortController>(null)
  // A proof is for one address, and nobody waits for it on another page.
  // biome-ignore lint/correctness/useExhaustiveDependencies: another address ends the attempt.
  useEffect(() => () => attempt.current?.abort(), [key])

  async function send() {
    const address = normalizeEmail(email)
    try {
      await sendOtpForm.validate({ email: address })
    } catch (error) {
      showError(apiText((error as Error).message))
      return false
    }
    const current = new AbortController()
    attempt.current = current
    setRefused({ email: '', message: '' })
    try {
      if (!(await requestCode(address, current, () => setIsProving(true)))) {
        showError(i18n.t('auth:otp.notProven'))
        return false
      }
      setSentTo(key)
      tries.clear()
      wait.start(key, OTP_RESEND_MS)
      toast({ title: i18n.t('auth:otp.sent') })
      return true
    } catch (error) {
      if (!current.signal.aborted) showRefusal(error, address)
      return false
    } finally {
      setIsProving(false)
    }
  }

  /** Shows a wait and a taken address at their fields, everything else in a toast. */
  function showRefusal(error: unknown, address: string) {
    const message = messageOf(error, i18n.t('auth:otp.notSent'))
    if (!(error instanceof ApiError)) return showError(message)
    if (error.retryAfterMs) wait.start(key, error.retryAfterMs)
    if (error.answer?.code === 'email_taken') return showTaken(address, error.answer.message)
    if (error.answer?.code !== 'otp_too_soon') return showError(message)
    setSentTo(key)
    setRefused({ email: key, message, seconds: error.answer.params?.seconds })
  }

  async function verify(code: string, onSubmit = false) {
    const rejection = await tries.run(normalizeEmail(email), withoutBlanks(code))
    if (!rejection) {
      setVerifiedFor(key)
      toast({ title: i18n.t('auth:otp.verified') })
      return true
    }
    if (onSubmit) showError(i18n.t('auth:otp.errorTitle'), rejection.onSubmit)
    else showError(rejection.message)
    return false
  }

  return {
    sent: sentTo === key,
    verified: verifiedFor === key,
    isProving,
    verifying: tries.running,
    waitSeconds: wait.seconds,
    refusal: refused.email === key && wait.seconds > 0 ? refused : null,
    rejection: tries.rejection,
    /** Both show the outcome in a toast and resolve to whether they succeeded. */
    send,
    verify,
    clearVerified: () => setVerifiedFor(null),
  }
}

/** Resolves to false if the server asks for a proof of work that the browser cannot compute. */
async function requestCode(email: string, attempt: AbortController, onProof: () => void) {
  const send = (proof?: string) => call('POST /api/verify/send-otp', { body: { email, proof } })
  try {
    await send()
    return true
  } catch (error) {
    const challenge = answerOf(error)?.challenge
    if (!challenge) throw error
    onProof()
    const proving = await import('./solve-proof-of-work.ts')
    return proving.sendWithProof(send, challenge, attempt)
  }
}

type Rejection = {
  code: string
  message: string
  /** The message if submitting the form verified the code. */
  onSubmit: string
  wrong?: boolean
  usedUp?: boolean
  /** No answer arrived: the server may have taken the code, which it does once. */
  isLost?: boolean
}

function useCodeTry(key: string) {
  const [running, setRunning] = useState(false)
  const [last, setLast] = useState<{ key: string; rejection: Rejection | null } | null>(null)
  const current = useRef<{ sent: string; result: Promise<Rejection | null> }>(null)
  const before = last?.key === key ? last.rejection : null

  /** Resolves to null for the right code; a second call for a try under way joins it. */
  function run(email: string, code: string): Promise<Rejection | null> {
    const sent = email + code
    if (current.current?.sent !== sent) current.current = { sent, result: attempt(email, code) }
    return current.current.result
  }

  async function attempt(email: string, code: string): Promise<Rejection | null> {
    setRunning(true)
    const wasLost = before?.isLost && before.code === code
    let rejection = await verifyCode(email, code)
    // If the lost try was wrong too, the registration reports that the address is not verified.
    if (wasLost && rejection?.wrong) rejection = null
    current.current = null
    setRunning(false)
    setLast({ key, rejection })
    return rejection
  }

  return { running, rejection: before, run, clear: () => setLast(null) }
}

async function verifyCode(email: string, code: string): Promise<Rejection | null> {
  try {
    await verifyOtpForm.validate({ email, otp: code })
  } catch (error) {
    const message = apiText((error as Error).message)
    return { code, message, onSubmit: message }
  }
  try {
    await call('POST /api/verify/verify-otp', { body: { email, otp: code } })
    return null
  } catch (error) {
    const isLost = mayHaveWorked(error)
    const reason = answerOf(error)?.code
    return {
      code,
      message: messageOf(error, i18n.t(`auth:otp.${isLost ? 'notVerified' : 'invalid'}`)),
      onSubmit: messageOf(error, i18n.t('auth:otp.notVerifiedOnSubmit')),
      wrong: reason === 'otp_invalid',
      usedUp: reason === 'otp_used_up',
      isLost,
    }
  }
}
