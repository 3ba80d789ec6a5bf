/** HTTP status of each rule's error; no other place translates them. */
export const STATUS = {
  bad_input: 400,
  not_signed_in: 401,
  wrong_credentials: 401,
  // Not 401: the member stays signed in.
  wrong_password: 403,
  account_frozen: 403,
  cross_site: 403,
  not_found: 404,
  too_many_requests: 429,
  command_cancelled: 409,
  username_taken: 409,
  email_taken: 409,
  email_not_verified: 400,
  email_refused: 409,
  otp_required: 401,
  otp_invalid: 400,
  otp_used_up: 400,
  otp_too_soon: 429,
  proof_required: 428,
  mining_active: 409,
  mining_inactive: 409,
  session_quarantined: 409,
  nothing_to_claim: 400,
  claim_cooldown: 429,
  task_unknown: 404,
  task_claimed: 409,
  task_ended: 409,
  task_full: 409,
  task_code_wrong: 400,
  telegram_not_linked: 409,
  telegram_not_member: 409,
  telegram_account_used: 409,
  // Not 503: clients would repeat the claim by themselves.
  telegram_unavailable: 409,
  referral_refused: 400,
  referral_unknown: 400,
  reminder_refused: 409,
  reminder_repeated: 409,
  member_mining: 409,
  board_unavailable: 503,
  already_posted: 409,
  insufficient_balance: 409,
  kyc_not_open: 409,
  document_refused: 400,
  push_unavailable: 409,
  subscription_refused: 400,
  second_factor_required: 401,
  // Not 401: the password was right, or the member is signed in.
  second_factor_invalid: 400,
  second_factor_on: 409,
  second_factor_off: 409,
  second_step_expired: 400,
  passkey_refused: 400,
  passkeys_full: 409,
}

/** Codes of all rule violations. */
export type RuleCode = keyof typeof STATUS

/** The values in the message of an error, from which clients make it in another language. */
export type ErrorParams = Readonly<Record<string, string | number>>

/** A violated rule. Members see its message (architecture.md: Failure). */
export class RuleError extends Error {
  constructor(
    readonly code: RuleCode,
    message: string,
    /** Milliseconds of real time after which the same request may succeed. */
    readonly retryAfterMs?: number,
    readonly params?: ErrorParams,
  ) {
    super(message)
    this.name = 'RuleError'
  }
}
