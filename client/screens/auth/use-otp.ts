import { useEffect, useState } from 'react'
import { ApiError, call, messageOf } from '#client/data/api.ts'
import { toast } from '#client/ui/toast.tsx'
import { sendOtpForm, verifyOtpForm } from '#contract/forms'
import { SECOND_MS } from '#rules/constants'
import { emailKey, normalizeEmail } from '#rules/identity'

export type Otp = {
  /** A code was sent to this address. */
  sent: boolean
  /** The address is verified. */
  verified: boolean
  sending: boolean
  verifying: boolean
  /** Seconds until the server sends another code; 0 if it set no wait. */
  waitSeconds: number
  /** Both show the outcome in a toast and resolve to whether they succeeded. */
  send: () => Promise<boolean>
  verify: (code: string, onSubmit?: boolean) => Promise<boolean>
  /** Called when the server no longer accepts the address as verified. */
  clearVerified: () => void
}

const showError = (title: string, description?: string) =>
  toast({ title, description, variant: 'destructive' })

/** The e-mail code for the address in the form; another address starts from the beginning. */
export function useOtp(email: string): Otp {
  const key = emailKey(normalizeEmail(email))
  const [sentTo, setSentTo] = useState<string | null>(null)
  const [verifiedFor, setVerifiedFor] = useState<string | null>(null)
  const [busy, setBusy] = useState<'sending' | 'verifying' | null>(null)
  const [waitSeconds, startWait] = useCountdown(key)

  async function send() {
    try {
      await sendOtpForm.validate({ email: normalizeEmail(email) })
    } catch (error) {
      showError((error as Error).message)
      return false
    }
    setBusy('sending')
    try {
      await call('POST /api/verify/send-otp', { body: { email: normalizeEmail(email) } })
      setSentTo(key)
      toast({ title: 'OTP code has been sent to your email' })
      return true
    } catch (error) {
      showError(messageOf(error, 'Could not send OTP'))
      if (!(error instanceof ApiError)) return false
      if (error.answer?.code === 'otp_too_soon') setSentTo(key)
      if (error.retryAfterMs) startWait(key, error.retryAfterMs)
      return false
    } finally {
      setBusy(null)
    }
  }

  async function verify(code: string, onSubmit = false) {
    const body = { email: normalizeEmail(email), otp: code.trim() }
    const reject = (reason: string, fallback = reason) =>
      onSubmit ? showError('Verification Error', fallback) : showError(reason)
    try {
      await verifyOtpForm.validate(body)
    } catch (error) {
      reject((error as Error).message)
      return false
    }
    setBusy('verifying')
    try {
      await call('POST /api/verify/verify-otp', { body })
      setVerifiedFor(key)
      toast({ title: 'OTP code has been verified successfully' })
      return true
    } catch (error) {
      const answered = error instanceof ApiError
      reject(
        messageOf(error, answered ? 'Invalid OTP code' : 'Could not verify OTP'),
        messageOf(error, 'Could not verify OTP code'),
      )
      return false
    } finally {
      setBusy(null)
    }
  }

  return {
    sent: sentTo === key,
    verified: verifiedFor === key,
    sending: busy === 'sending',
    verifying: busy === 'verifying',
    waitSeconds,
    send,
    verify,
    clearVerified: () => setVerifiedFor(null),
  }
}

/** Whole seconds left for `key`; correct even after the browser suspended the page's timers. */
function useCountdown(key: string): [seconds: number, start: (key: string, ms: number) => void] {
  const [wait, setWait] = useState({ key: '', until: 0 })
  const [now, setNow] = useState(0)
  const running = wait.key === key && wait.until > now
  useEffect(() => {
    if (!running) return
    const timer = setInterval(() => setNow(Date.now()), SECOND_MS)
    return () => clearInterval(timer)
  }, [running])
  const start = (key: string, ms: number) => {
    setNow(Date.now())
    setWait({ key, until: Date.now() + ms })
  }
  return [running ? Math.ceil((wait.until - now) / SECOND_MS) : 0, start]
}
