import { type ApiError, call, mayHaveWorked } from '#client/data/api.ts'
import { errorText } from '#client/language/language.ts'
import type { RegisterValues } from '#contract/forms/sign-in'
import type { BodyOf } from '#contract/routes'
import type { User } from '#rules/members/account-snapshots'

/** Refusals of a registration that the server has made before. */
const REPEATED = ['email_not_verified', 'email_taken', 'username_taken']

/** The field that a refusal is about. */
const FIELDS: Partial<Record<string, keyof RegisterValues>> = {
  username_taken: 'username',
  email_taken: 'email',
  referral_refused: 'referralCode',
  referral_unknown: 'referralCode',
}

export type RegisterBody = BodyOf<'POST /api/register'>

type Registration = {
  body: RegisterBody
  /** An earlier try of the form, which got no answer. */
  lost: RegisterBody | undefined
  setErrors: (errors: Record<string, string>) => void
  /** Called when the server no longer accepts the address as verified. */
  clearVerified: () => void
}

/**
 * What follows when the server refuses a registration. If it may have made the account before, the member
 * is signed in to it; else the refusal is shown at its field.
 * @throws `refusal`, or that the login got no answer
 */
export async function settle(
  refusal: ApiError,
  { body, lost, setErrors, clearVerified }: Registration,
): Promise<User> {
  const { code = '', fields } = refusal.answer ?? {}
  const isRepeated = (['username', 'email', 'password'] as const).every(
    (name) => lost?.[name] === body[name],
  )
  if (isRepeated && REPEATED.includes(code)) {
    try {
      return await call('POST /api/login', {
        body: { identifier: body.username, password: body.password },
      })
    } catch (error) {
      if (mayHaveWorked(error)) throw error
    }
  }
  const field = FIELDS[code]
  if (fields) setErrors(fields)
  if (field && refusal.answer) setErrors({ [field]: errorText(refusal.answer) })
  if (code === 'email_not_verified') clearVerified()
  throw refusal
}
