/** Codes of all rule violations: domain facts, not HTTP statuses. */
export type RuleCode =
  | 'bad_input'
  | 'not_signed_in'
  | 'wrong_credentials'
  | 'wrong_password'
  | 'account_frozen'
  | 'cross_site'
  | 'not_found'
  | 'too_many_requests'
  | 'command_cancelled'
  | 'username_taken'
  | 'email_taken'
  | 'email_not_verified'
  | 'email_refused'
  | 'otp_required'
  | 'otp_invalid'
  | 'otp_used_up'
  | 'otp_too_soon'
  | 'proof_required'
  | 'mining_active'
  | 'mining_inactive'
  | 'session_quarantined'
  | 'nothing_to_claim'
  | 'claim_cooldown'
  | 'task_unknown'
  | 'task_claimed'
  | 'task_ended'
  | 'task_full'
  | 'task_code_wrong'
  | 'telegram_not_linked'
  | 'telegram_not_member'
  | 'telegram_account_used'
  | 'telegram_unavailable'
  | 'referral_refused'
  | 'referral_unknown'
  | 'reminder_refused'
  | 'reminder_repeated'
  | 'member_mining'
  | 'board_unavailable'
  | 'already_posted'
  | 'insufficient_balance'
  | 'kyc_not_open'
  | 'document_refused'
  | 'push_unavailable'
  | 'subscription_refused'
  | 'second_factor_required'
  | 'second_factor_invalid'
  | 'second_factor_on'
  | 'second_factor_off'
  | 'second_step_expired'
  | 'passkey_refused'
  | 'passkeys_full'

/** The values in the message of an error, from which clients make it in another language. */
export type ErrorParams = Readonly<Record<string, string | number>>

/** A violated rule. Members see its message; one table maps the code to HTTP (architecture.md: Failure). */
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
