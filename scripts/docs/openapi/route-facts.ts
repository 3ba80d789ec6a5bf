import type { RouteName } from '#contract/routes'
import type { RuleCode } from '#rules/rule-error'

/** Facts that the types of a route do not contain. answers.test.ts and refusals.test.ts check it against a product. */
export type RouteFacts = {
  tag:
    | 'account'
    | 'password'
    | 'reminders'
    | 'mining'
    | 'wallet'
    | 'team'
    | 'tasks'
    | 'network'
    | 'app'
  summary: string
  /** Who may call it: `member` needs a sign-in, `anyone` does not. */
  access: 'member' | 'anyone'
  /** Takes `Idempotency-Key`: a repeated request gets the first answer again. */
  idempotent?: true
  /** Answers with an `ETag` and takes `If-None-Match`. */
  etag?: true
  /** Codes of this route in addition to those that follow from its input, access and method. */
  errors: RuleCode[]
}

export const ROUTE_FACTS: { [R in RouteName]: RouteFacts } = {
  'GET /api/user': {
    tag: 'account',
    summary: 'Reads the signed-in member.',
    access: 'member',
    errors: [],
  },
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
  'GET /api/mining/status': {
    tag: 'mining',
    summary: 'Reads the mining status.',
    access: 'member',
    etag: true,
    errors: [],
  },
  'POST /api/mining/start': {
    tag: 'mining',
    summary: 'Starts a mining session of 24 hours.',
    access: 'member',
    idempotent: true,
    errors: ['mining_active', 'session_quarantined', 'too_many_requests'],
  },
  'POST /api/mining/stop': {
    tag: 'mining',
    summary: 'Stops the running session; what it earned since the last credit becomes pending.',
    access: 'member',
    idempotent: true,
    errors: ['mining_inactive', 'session_quarantined', 'too_many_requests'],
  },
  'POST /api/mining/claim': {
    tag: 'mining',
    summary: 'Moves the pending rewards into the wallet.',
    access: 'member',
    idempotent: true,
    errors: ['nothing_to_claim', 'claim_cooldown', 'too_many_requests'],
  },
  'GET /api/mining/days': {
    tag: 'mining',
    summary: 'Reads what mining paid on each of the last seven UTC days, oldest first.',
    access: 'member',
    errors: [],
  },
  'GET /api/wallet': {
    tag: 'wallet',
    summary: 'Reads the balances.',
    access: 'member',
    etag: true,
    errors: [],
  },
  'GET /api/wallet/activity': {
    tag: 'wallet',
    summary: 'Reads one page of the ledger, newest first.',
    access: 'member',
    errors: [],
  },
  'GET /api/wallet/activity/sums': {
    tag: 'wallet',
    summary: 'Sums the rows of the ledger behind a cursor, from a time on.',
    access: 'member',
    errors: [],
  },
  'GET /api/wallet/statement': {
    tag: 'wallet',
    summary: 'Downloads the ledger of a period as CSV, oldest row first.',
    access: 'member',
    errors: ['too_many_requests'],
  },
  'GET /api/wallet/credits': {
    tag: 'wallet',
    summary:
      'Reads the automatic credits that a row of the ledger stands for, newest first; none for any other row.',
    access: 'member',
    errors: [],
  },
  'GET /api/ledger/receipt': {
    tag: 'wallet',
    summary:
      'Reads a row of the ledger with the proof that the seal of its day contains it; null until then.',
    access: 'member',
    errors: [],
  },
  'GET /api/ledger/roots': {
    tag: 'wallet',
    summary: 'Reads the seals of the ledger in the order of their chain, at most 1,000.',
    access: 'anyone',
    errors: ['too_many_requests'],
  },
  'GET /api/referral/info': {
    tag: 'team',
    summary: 'Reads the referral code, the team and its milestones.',
    access: 'member',
    etag: true,
    errors: [],
  },
  'GET /api/referral/members': {
    tag: 'team',
    summary: 'Reads a further page of team members, newest first.',
    access: 'member',
    errors: [],
  },
  'GET /api/referral/mining': {
    tag: 'team',
    summary: 'Reads which direct members are mining now: their number, and the ids of the newest.',
    access: 'member',
    errors: [],
  },
  'GET /api/referral/check-milestones': {
    tag: 'team',
    summary: 'Pays the milestones that the team has reached. This GET changes state.',
    access: 'member',
    idempotent: true,
    errors: ['cross_site', 'too_many_requests'],
  },
  'POST /api/referral/generate-code': {
    tag: 'team',
    summary: 'Creates the referral code of the member, or returns the one that exists.',
    access: 'member',
    idempotent: true,
    errors: ['too_many_requests'],
  },
  'POST /api/referral/apply-code': {
    tag: 'team',
    summary: 'Joins the team of a referral code; a refused code is answered with `success: false`.',
    access: 'member',
    idempotent: true,
    errors: ['too_many_requests'],
  },
  'GET /api/network': {
    tag: 'network',
    summary: 'Reads the figures of the network.',
    access: 'member',
    errors: [],
  },
  'GET /api/tasks/completed': {
    tag: 'tasks',
    summary: 'Lists the completed tasks.',
    access: 'member',
    errors: [],
  },
  'POST /api/tasks/complete': {
    tag: 'tasks',
    summary: 'Completes a task and pays its reward.',
    access: 'member',
    idempotent: true,
    errors: ['task_unknown', 'task_claimed', 'too_many_requests'],
  },
  'POST /api/commands/cancel': {
    tag: 'app',
    summary:
      'Spends the key of a command whose outcome is unknown: `cancelled: false` if it took effect before, otherwise it never does.',
    access: 'member',
    errors: ['too_many_requests'],
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
  'GET /api/reminders': {
    tag: 'reminders',
    summary: 'Reads how the member is reminded when the 24 hours of a session end.',
    access: 'member',
    errors: [],
  },
  'POST /api/reminders/mail': {
    tag: 'reminders',
    summary: 'Switches reminders by mail on or off.',
    access: 'member',
    idempotent: true,
    errors: ['too_many_requests'],
  },
  'POST /api/reminders/push': {
    tag: 'reminders',
    summary: 'Stores the push subscription of this browser; an earlier one of it is replaced.',
    access: 'member',
    idempotent: true,
    errors: ['push_unavailable', 'subscription_refused', 'too_many_requests'],
  },
  'POST /api/reminders/push/remove': {
    tag: 'reminders',
    summary: 'Deletes one push subscription of the member; one that is gone is answered the same.',
    access: 'member',
    idempotent: true,
    errors: ['too_many_requests'],
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
  'GET /api/app': {
    tag: 'app',
    summary: 'Reads the feature flags, the minimum client version and the pages of the tasks.',
    access: 'anyone',
    errors: [],
  },
}
