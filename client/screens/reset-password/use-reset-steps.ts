import { useEffect, useState } from 'react'
import { useLocation } from 'wouter'
import { SECOND_MS } from '#rules/constants'
import type { ForgotOutcome } from './password-commands.ts'

/** After a reset the page leads to /auth by itself (Specification §9). */
export const REDIRECT_MS = 2 * SECOND_MS

export type ResetStep = 'forgot' | 'reset'

/** The way from the forgotten password to /auth: which step it is, and which e-mail it is about. */
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

  function asked(outcome: ForgotOutcome, about: string) {
    if (outcome === 'failed') return
    setEmail(about)
    // A code that was asked for before, perhaps before a reload, is as good as a new one.
    setUnlocked(true)
    if (outcome === 'sent') setStep('reset')
  }

  return { step, setStep, unlocked, email, asked, finish: () => setDone(true) }
}
