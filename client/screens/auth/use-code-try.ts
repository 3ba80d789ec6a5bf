import { useRef, useState } from 'react'
import { ApiError, call, messageOf } from '#client/data/api.ts'
import { i18n } from '#client/language/language.ts'
import { translated } from '#client/language/messages/server-message.ts'
import { verifyOtpForm } from '#contract/forms/sign-in'

/** Why a code was not accepted. */
export type Rejection = {
  code: string
  message: string
  /** The message when the code was verified by submitting the form. */
  onSubmit: string
  /** The server rejected this code; otherwise the request failed. */
  wrong: boolean
  /** No further try of this code can succeed. */
  usedUp: boolean
}

type Running = { email: string; code: string; result: Promise<Rejection | null> }

/** Sends tries of a code; `key` is the address, and another one starts from the beginning. */
export function useCodeTry(key: string) {
  const [running, setRunning] = useState(false)
  const [last, setLast] = useState<{ key: string; rejection: Rejection | null } | null>(null)
  const current = useRef<Running | null>(null)

  /** Resolves to null for the right code; a second call for a try under way joins it. */
  function run(email: string, code: string): Promise<Rejection | null> {
    const { current: under } = current
    if (under?.email === email && under.code === code) return under.result
    const result = attempt(email, code)
    current.current = { email, code, result }
    return result
  }

  async function attempt(email: string, code: string): Promise<Rejection | null> {
    setRunning(true)
    const rejection = await send(email, code)
    current.current = null
    setRunning(false)
    setLast({ key, rejection })
    return rejection
  }

  return {
    running,
    rejection: last?.key === key ? last.rejection : null,
    run,
    clear: () => setLast(null),
  }
}

async function send(email: string, code: string): Promise<Rejection | null> {
  try {
    await verifyOtpForm.validate({ email, otp: code })
  } catch (error) {
    const message = translated((error as Error).message)
    return { code, message, onSubmit: message, wrong: false, usedUp: false }
  }
  try {
    await call('POST /api/verify/verify-otp', { body: { email, otp: code } })
    return null
  } catch (error) {
    const answered = error instanceof ApiError
    const reason = answered ? error.answer?.code : undefined
    return {
      code,
      message: messageOf(error, i18n.t(answered ? 'auth:otp.invalid' : 'auth:otp.notVerified')),
      onSubmit: messageOf(error, i18n.t('auth:otp.notVerifiedOnSubmit')),
      wrong: reason === 'otp_invalid' || reason === 'otp_used_up',
      usedUp: reason === 'otp_used_up',
    }
  }
}
