import type { FactsOfRoutes } from './facts.ts'

/** The account of the member: profile, identity, sign-ins, personal data. */
export const ACCOUNT_ROUTES = {
  'GET /api/user': {
    tag: 'account',
    summary: 'Reads the signed-in member.',
    access: 'member',
    errors: [],
  },
  'PATCH /api/user/profile': {
    tag: 'account',
    summary:
      'Changes the profile, the avatar or the language of mails; an absent field stays as it is.',
    access: 'member',
    idempotent: true,
    errors: ['too_many_requests'],
  },
  'GET /api/user/kyc': {
    tag: 'account',
    summary: 'Reads how long documents are kept, and why the last one was rejected.',
    access: 'member',
    errors: [],
  },
  'POST /api/user/kyc': {
    tag: 'account',
    summary: 'Submits an identity document for review.',
    access: 'member',
    idempotent: true,
    errors: ['kyc_not_open', 'document_refused', 'too_many_requests'],
  },
  'GET /api/user/sign-ins': {
    tag: 'account',
    summary: 'Lists the sign-ins of the member, the newest first.',
    access: 'member',
    errors: [],
  },
  'POST /api/user/sign-ins/end': {
    tag: 'account',
    summary: 'Ends one sign-in of the member; one that has ended already is answered the same.',
    access: 'member',
    errors: ['wrong_password', 'too_many_requests'],
  },
  'POST /api/user/sign-ins/end-others': {
    tag: 'account',
    summary: 'Ends every sign-in of the member except the one of this browser.',
    access: 'member',
    errors: ['wrong_password', 'too_many_requests'],
  },
  'POST /api/user/password': {
    tag: 'password',
    summary: 'Changes the password and ends every other sign-in of the member.',
    access: 'member',
    idempotent: true,
    errors: ['wrong_password', 'too_many_requests'],
  },
  'POST /api/user/export': {
    tag: 'account',
    summary: 'Downloads everything that is stored about the member.',
    access: 'member',
    errors: ['wrong_password', 'too_many_requests'],
  },
  'POST /api/user/delete': {
    tag: 'account',
    summary: 'Deletes the account.',
    access: 'member',
    errors: ['session_quarantined', 'wrong_password', 'too_many_requests'],
  },
} satisfies FactsOfRoutes
