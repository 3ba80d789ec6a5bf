import { useEffect, useState } from 'react'
import { ApiError, call, messageOf } from '#client/data/api.ts'
import { toast } from '#client/ui/toast.tsx'
import { sendOtpForm, verifyOtpForm } from '#contract/forms'
import { SECOND_MS } from '#rules/constants'
import { emailKey, normalizeEmail } from '#rules/identity'

export type Otp = {
  /** A code went to this address. */
  sent: boolean
  /** The address is verified. */
  verified: boolean
  sending: boolean
  verifying: boolean
  /** Seconds until the server sends the next one, where it said so; else 0. */
  waitSeconds: number
  /** Both resolve to whether it worked, and say so in a toast. */
  send: () => Promise<boolean>
  verify: (code: string, onSubmit?: boolean) => Promise<boolean>
  /** The server no longer holds the address for verified. */
  forget: () => void
}

const wrong = (title: string, description?: string) =>
  toast({ title, description, variant: 'destructive' })

/** The code by e-mail, for the address as it stands in the form: another address starts anew. */
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
      wrong((error as Error).message)
      return false
    }
    setBusy('sending')
    try {
      await call('POST /api/verify/send-otp', { body: { email: normalizeEmail(email) } })
      setSentTo(key)
      toast({ title: 'OTP code has been sent to your email' })
      return true
    } catch (error) {
      wrong(messageOf(error, 'Could not send OTP'))
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
    const refuse = (reason: string, fallback = reason) =>
      onSubmit ? wrong('Verification Error', fallback) : wrong(reason)
    try {
      await verifyOtpForm.validate(body)
    } catch (error) {
      refuse((error as Error).message)
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
      refuse(
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
    forget: () => setVerifiedFor(null),
  }
}

/** Whole seconds that are left for `key`, right also after the timers of the page had slept. */
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
