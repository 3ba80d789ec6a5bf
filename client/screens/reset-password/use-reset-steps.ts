import { useEffect, useState } from 'react'
import { useLocation } from 'wouter'
import { useHistoryState } from 'wouter/use-browser-location'
import { OTP_RESEND_MS, SECOND_MS } from '#rules/constants'
import type { ForgotOutcome } from './password-commands.ts'

/** Pause between a reset and the redirect to /auth (Specification §9). */
export const REDIRECT_MS = 2 * SECOND_MS

export type ResetStep = 'forgot' | 'reset'

/** The last code that was sent: kept in the history, because phones unload a page in background. */
type SentCode = { resetEmail: string; resetSentAt: number }

/**
 * The steps of a password reset: which one is open, and for which e-mail address. The second step is
 * locked until a code was sent.
 */
export function useResetSteps() {
  const [path, navigate] = useLocation()
  const state = useHistoryState<Partial<SentCode> | null>()
  const { resetEmail, resetSentAt = 0 } = state ?? {}
  const unlocked = resetEmail !== undefined
  const [step, setStep] = useState<ResetStep>(unlocked ? 'reset' : 'forgot')
  const [done, setDone] = useState(false)

  useEffect(() => {
    if (!done) return
    const timer = setTimeout(() => navigate('/auth', { replace: true }), REDIRECT_MS)
    return () => clearTimeout(timer)
  }, [done, navigate])

  function onRequested(outcome: ForgotOutcome, email: string) {
    if (outcome.state !== 'sent') return
    const sent: SentCode = { resetEmail: email, resetSentAt: Date.now() }
    navigate(path, { replace: true, state: sent })
    setStep('reset')
  }

  return {
    step,
    setStep,
    unlocked,
    email: resetEmail ?? '',
    /** Real time, ms, from which another code may be requested. */
    resendAt: unlocked ? resetSentAt + OTP_RESEND_MS : 0,
    onRequested,
    finish: () => setDone(true),
  }
}
