import type { FactsOfRoutes } from './facts.ts'

/** Passkeys and one-time codes of the member. */
export const FACTOR_ROUTES = {
  'GET /api/user/factors': {
    tag: 'account',
    summary: 'Lists passkeys and the authenticator app of the member.',
    access: 'member',
    errors: [],
  },
  'POST /api/user/passkeys/options': {
    tag: 'account',
    summary: 'Makes a challenge for a new passkey, for this sign-in and five minutes.',
    access: 'member',
    errors: ['wrong_password', 'second_factor_invalid', 'too_many_requests'],
  },
  'POST /api/user/passkeys': {
    tag: 'account',
    summary: 'Adds a passkey.',
    access: 'member',
    errors: ['passkey_refused', 'passkeys_full'],
  },
  'POST /api/user/passkeys/rename': {
    tag: 'account',
    summary: 'Renames a passkey of the member.',
    access: 'member',
    idempotent: true,
    errors: ['not_found', 'too_many_requests'],
  },
  'POST /api/user/passkeys/remove': {
    tag: 'account',
    summary: 'Removes a passkey of the member.',
    access: 'member',
    errors: ['wrong_password', 'not_found', 'too_many_requests'],
  },
  'POST /api/user/authenticator/set-up': {
    tag: 'account',
    summary: 'Makes a secret for an authenticator app; the first code switches it on.',
    access: 'member',
    errors: ['wrong_password', 'second_factor_on', 'too_many_requests'],
  },
  'POST /api/user/authenticator/confirm': {
    tag: 'account',
    summary: 'Switches one-time codes on by the first code, within 15 minutes after the set-up.',
    access: 'member',
    errors: ['second_factor_invalid', 'second_factor_on', 'second_factor_off', 'too_many_requests'],
  },
  'POST /api/user/authenticator/recovery-codes': {
    tag: 'account',
    summary: 'Replaces the recovery codes.',
    access: 'member',
    errors: ['wrong_password', 'second_factor_invalid', 'second_factor_off', 'too_many_requests'],
  },
  'POST /api/user/authenticator/remove': {
    tag: 'account',
    summary: 'Switches one-time codes off.',
    access: 'member',
    errors: ['wrong_password', 'second_factor_invalid', 'second_factor_off', 'too_many_requests'],
  },
} satisfies FactsOfRoutes
