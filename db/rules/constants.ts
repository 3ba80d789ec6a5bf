/** Milliseconds in one second, minute, hour and day. */
export const SECOND_MS = 1_000
export const MINUTE_MS = 60 * SECOND_MS
export const HOUR_MS = 60 * MINUTE_MS
export const DAY_MS = 24 * HOUR_MS

/** Longest mining session, product time (Specification §9). */
export const SESSION_MS = DAY_MS
/** Length of an interval, product time; the workers credit a session at its end (Specification §9). */
export const INTERVAL_MS = 20 * MINUTE_MS
/** Intervals of a full session: 72. */
export const INTERVALS = SESSION_MS / INTERVAL_MS
/** Seconds in one interval: a session falls due in the same one of these slots in every cycle. */
export const CREDIT_SLOTS = INTERVAL_MS / SECOND_MS
/** Cooldown after a claim, product time (rules.md: Claiming). */
export const CLAIM_COOLDOWN_MS = 20 * MINUTE_MS
/** Real time for which `rewardAdded` is true after a credit (rules.md: `rewardAdded`). */
export const REWARD_WINDOW_MS = MINUTE_MS

/** TESP per hour of a member without a team (Specification §9). */
export const BASE_RATE = '0.1'
/** Share of the base rate that each direct (F1) member adds to the rate of their referrer. */
export const BOOST_PER_MEMBER = '0.05'
/** The same as texts say it: 5. */
export const BOOST_PERCENT = Number(BOOST_PER_MEMBER) * 100

/** UTC days that the dashboard lists, today included. */
export const MINED_DAYS = 7
/** UTC days of the earnings, today included, at most. */
export const EARNINGS_DAYS = 90
/** Longest period of a statement of the ledger, UTC days. */
export const STATEMENT_DAYS = 366

/** Polling interval of the mining status without a live connection (Specification §9). */
export const STATUS_POLL_MS = 5 * SECOND_MS
export const REFERRAL_POLL_MS = MINUTE_MS

/** Shortest and longest user name, in code points after NFKC (rules.md: Members). */
export const USERNAME_MIN = 3
export const USERNAME_MAX = 30
export const PASSWORD_MIN = 8
export const PASSWORD_MAX = 128
/** Digits of a code sent by e-mail. */
export const OTP_LENGTH = 6
export const OTP_VALID_MS = 10 * MINUTE_MS
/** Time to confirm a change of the e-mail address from both mailboxes; codes are kept for a day. */
export const EMAIL_CHANGE_MS = DAY_MS
export const OTP_RESEND_MS = MINUTE_MS
export const OTP_MAX_TRIES = 5
/** Time within which a verified e-mail address can be registered. */
export const VERIFIED_EMAIL_MS = 30 * MINUTE_MS

/** Server-side lifetime of a sign-in without and with "Remember me" (rules.md: Members). */
export const SIGN_IN_MS = DAY_MS
export const REMEMBERED_SIGN_IN_MS = 30 * DAY_MS
/** Idle time-out of a sign-in without "Remember me". */
export const IDLE_SIGN_IN_MS = 12 * HOUR_MS

/** Passkeys that a member may have, and the longest name of one, in characters. */
export const PASSKEYS_MAX = 20
export const PASSKEY_NAME_MAX = 40
/** Time to answer the challenge of a passkey, and to enter the one-time code after the password. */
export const PASSKEY_CHALLENGE_MS = 5 * MINUTE_MS
export const SECOND_STEP_MS = 5 * MINUTE_MS
/** For how long the challenge of a proof of work can be answered. */
export const PROOF_CHALLENGE_MS = 5 * MINUTE_MS
/** Time between the secret of an authenticator app and its first code, which switches it on. */
export const AUTHENTICATOR_SET_UP_MS = 15 * MINUTE_MS
/** Recovery codes that a member gets at once; each works once. */
export const RECOVERY_CODES = 10

/** Longest code word of a task, in characters. */
export const TASK_CODE_MAX = 64

export const NETWORK_NAME = 'TESP Network'
export const TAGLINE = 'AI-Powered Mining'
