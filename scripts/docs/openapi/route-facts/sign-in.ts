import type { FactsOfRoutes } from './facts.ts'

/** Registration, sign-in and forgotten passwords. */
export const SIGN_IN_ROUTES = {
  'POST /api/login': {
    tag: 'account',
    summary: 'Signs a member in and sets the session cookie.',
    access: 'anyone',
    errors: [
      'wrong_credentials',
      'account_frozen',
      'otp_required',
      'otp_invalid',
      'otp_used_up',
      'second_factor_required',
      'too_many_requests',
    ],
  },
  'POST /api/login/second-factor': {
    tag: 'account',
    summary: 'Ends a sign-in by a one-time code or a recovery code, after the password.',
    access: 'anyone',
    errors: [
      'second_step_expired',
      'second_factor_invalid',
      'second_factor_off',
      'account_frozen',
      'too_many_requests',
    ],
  },
  'POST /api/passkey/options': {
    tag: 'account',
    summary: 'Makes a challenge that a passkey signs, for this browser and five minutes.',
    access: 'anyone',
    errors: ['too_many_requests'],
  },
  'POST /api/passkey/login': {
    tag: 'account',
    summary: 'Signs a member in by the signature of a passkey.',
    access: 'anyone',
    errors: ['passkey_refused', 'account_frozen', 'too_many_requests'],
  },
  'POST /api/register': {
    tag: 'account',
    summary: 'Creates a member whose e-mail this browser has verified, and signs them in.',
    access: 'anyone',
    errors: [
      'email_not_verified',
      'username_taken',
      'email_taken',
      'referral_unknown',
      'referral_refused',
      'too_many_requests',
    ],
  },
  'POST /api/logout': {
    tag: 'account',
    summary: 'Ends the sign-in of this browser.',
    access: 'anyone',
    errors: [],
  },
  'GET /api/check/username/:username': {
    tag: 'account',
    summary: 'Checks whether a user name is free.',
    access: 'anyone',
    errors: ['too_many_requests'],
  },
  'GET /api/check/email/:email': {
    tag: 'account',
    summary: 'Checks whether an e-mail address is free.',
    access: 'anyone',
    errors: ['too_many_requests'],
  },
  'GET /api/check/referral-code/:code': {
    tag: 'account',
    summary: 'Checks whether a referral code exists, and names its owner.',
    access: 'anyone',
    errors: ['too_many_requests'],
  },
  'POST /api/verify/send-otp': {
    tag: 'account',
    summary: 'Sends a code to an e-mail address before registration.',
    access: 'anyone',
    errors: ['otp_too_soon', 'too_many_requests'],
  },
  'POST /api/verify/verify-otp': {
    tag: 'account',
    summary: 'Verifies an e-mail address with its code.',
    access: 'anyone',
    errors: ['otp_invalid', 'otp_used_up', 'too_many_requests'],
  },
  'POST /api/password/forgot': {
    tag: 'password',
    summary:
      'Sends a code for a new password; the answer does not reveal whether the e-mail address is registered.',
    access: 'anyone',
    errors: ['otp_too_soon', 'too_many_requests'],
  },
  'POST /api/password/reset': {
    tag: 'password',
    summary: 'Sets a new password with the code from the mail and ends every sign-in.',
    access: 'anyone',
    errors: ['otp_invalid', 'otp_used_up', 'too_many_requests'],
  },
} satisfies FactsOfRoutes
