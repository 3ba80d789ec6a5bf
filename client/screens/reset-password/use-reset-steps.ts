import { useEffect, useState } from 'react'
import { useLocation } from 'wouter'
import { SECOND_MS } from '#rules/constants'
import type { ForgotOutcome } from './password-commands.ts'

/** Pause between a reset and the redirect to /auth (Specification §9). */
export const REDIRECT_MS = 2 * SECOND_MS

export type ResetStep = 'forgot' | 'reset'

/** The steps of a password reset: which one is open, and for which e-mail address. */
export function useResetSteps() {
  const [, navigate] = useLocation()
  const [step, setStep] = useState<ResetStep>('forgot')
  const [unlocked, setUnlocked] = useState(false)
  const [email, setEmail] = useState('')
  const [done, setDone] = useState(false)

  useEffect(() => {
    if (!done) return
    const timer = setTimeout(() => navigate('/auth', { replace: true }), REDIRECT_MS)
    return () => clearTimeout(timer)
  }, [done, navigate])

  function onRequested(outcome: ForgotOutcome, address: string) {
    if (outcome === 'failed') return
    setEmail(address)
    // A code requested earlier, even before a reload, is still valid.
    setUnlocked(true)
    if (outcome === 'sent') setStep('reset')
  }

  return { step, setStep, unlocked, email, onRequested, finish: () => setDone(true) }
}
