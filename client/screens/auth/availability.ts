import { call } from '#client/data/api.ts'
import { i18n } from '#client/language/language.ts'
import { translated } from '#client/language/messages/server-message.ts'
import type { FieldStatus } from '#client/ui/forms/field.tsx'
import { USERNAME_MIN } from '#rules/constants'
import { normalizeEmail, normalizeUsername } from '#rules/members/identity'
import type { Availability } from '#rules/snapshots'
import { type LiveCheck, useLiveCheck } from './use-live-check.ts'

const checkUsername = (username: string) =>
  call('GET /api/check/username/:username', { params: { username } })
const checkEmail = (email: string) => call('GET /api/check/email/:email', { params: { email } })

/** Checks from 3 characters on (Specification §5). */
export function useUsernameCheck(input: string): LiveCheck<Availability> {
  const username = normalizeUsername(input)
  return useLiveCheck(
    'username',
    [...username].length >= USERNAME_MIN ? username : null,
    checkUsername,
  )
}

/** Checks only values with an @ (Specification §5). */
export function useEmailCheck(input: string): LiveCheck<Availability> {
  const email = normalizeEmail(input)
  return useLiveCheck('email', email.includes('@') ? email : null, checkEmail)
}

export function isAvailable(check: LiveCheck<Availability>): boolean {
  return check.state === 'answered' && check.answer.available
}

export function isTaken(check: LiveCheck<Availability>): boolean {
  return check.state === 'answered' && !check.answer.available
}

/** The note under the field; `failure` is its text when the check got no answer. */
export function availabilityStatus(
  check: LiveCheck<Availability>,
  failure: string,
): FieldStatus | undefined {
  if (check.state === 'checking') return { tone: 'busy', text: i18n.t('auth:checking') }
  if (check.state === 'failed') return { tone: 'doubt', text: failure }
  if (check.state === 'unknown') return undefined
  return { tone: check.answer.available ? 'good' : 'bad', text: translated(check.answer.message) }
}
