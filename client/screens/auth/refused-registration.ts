import { type ApiError, call, mayHaveWorked } from '#client/data/api.ts'
import { errorText } from '#client/language/language.ts'
import type { RegisterValues } from '#contract/forms/sign-in'
import type { BodyOf } from '#contract/routes'
import type { User } from '#rules/members/account-snapshots'

/** How the server refuses a registration that it has already accepted. */
const REPEATED = ['email_not_verified', 'email_taken', 'username_taken']

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
  clearVerified: () => void
}

/** Signs in if an earlier try may have made the account; otherwise throws `refusal` and shows it at its field. */
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
