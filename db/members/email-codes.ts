import { randomInt } from 'node:crypto'
import type { Db, Tx } from '#db/postgres/statements/transaction'
import { emailHashToStore } from '#db/team/used-referral-emails'
import { API_TEXTS } from '#rules/api-texts'
import {
  EMAIL_CHANGE_MS,
  OTP_LENGTH,
  OTP_MAX_TRIES,
  OTP_RESEND_MS,
  OTP_VALID_MS,
  VERIFIED_EMAIL_MS,
} from '#rules/constants'
import { emailKey } from '#rules/members/usernames-and-emails'
import { RuleError } from '#rules/rule-error'
import { keyedHashes } from '#runtime/secrets/encryption'

type CodePurpose = 'register' | 'reset' | 'sign-in' | 'change'

/** The scope of a code: e-mail address, purpose and the browser session that requested it. */
export type CodeOwner = { email: string; purpose: CodePurpose; browserId: string }

type CodeRow = { id: number; codeHash: string; tries: number; open: boolean }

/** Result of a try: `used_up` after five wrong tries, when only a new code helps. */
export type CodeTry = 'right' | 'wrong' | 'used_up'

/** In place of `browserId`: the change of a member's e-mail address to that one (its folded form). */
export const changeScope = (memberId: number, emailKey: string) => `change:${memberId}:${emailKey}`

/** The first is stored; a code from before a key rotation has one of the others. */
const hashesOf = (dataKey: Buffer, owner: CodeOwner, code: string) =>
  keyedHashes(dataKey, 'code', `${owner.purpose}:${emailKey(owner.email)}:${code}`)

/** Locks the codes of an e-mail address (its folded form) until the transaction ends. */
export async function lockCodesOf(tx: Tx, emailKey: string): Promise<void> {
  await tx.raw('select pg_advisory_xact_lock(hashtextextended(?, 0))', [`code:${emailKey}`])
}

/** Creates a code in place of an earlier one of its scope, unlimited: callers limit sign-ins, operators changes. */
export async function replaceCode(tx: Tx, dataKey: Buffer, owner: CodeOwner): Promise<string> {
  const email = emailKey(owner.email)
  await lockCodesOf(tx, email)
  const code = String(randomInt(10 ** OTP_LENGTH)).padStart(OTP_LENGTH, '0')
  await tx('email_codes').insert({
    purpose: owner.purpose,
    emailKey: email,
    addressHash: await emailHashToStore(tx, dataKey, email),
    browserId: owner.browserId,
    codeHash: hashesOf(dataKey, owner, code)[0],
    expiresAt: tx.raw(`now() + ? * interval '1 millisecond'`, [
      owner.purpose === 'change' ? EMAIL_CHANGE_MS : OTP_VALID_MS,
    ]),
  })
  return code
}

/**
 * Checks the limits of codes for registration or reset; `counted`: all of the address, or those of this browser.
 * Each purpose has its own: codes to reset a password, which cost no work, must not keep their address from registering.
 * @throws {RuleError} `otp_too_soon` within 60 s of the last code for this purpose, or above `perHour`
 */
export async function assertMayAskAgain(
  db: Db,
  owner: CodeOwner & { purpose: 'register' | 'reset' },
  perHour: number,
  counted: 'email' | 'browser' = 'email',
): Promise<void> {
  const { rows } = await db.raw(
    `select count(*) as sent,
       coalesce(extract(epoch from now() - max("createdAt")) * 1000, 1e9)::float8 as "sinceMs",
       (extract(epoch from min("createdAt") + interval '1 hour' - now()) * 1000)::float8 as "freeInMs"
     from email_codes where "emailKey" = :email and purpose = :purpose and (:all or "browserId" = :browserId)
       and "createdAt" > now() - interval '1 hour'
       -- Rows in the future were written before the clock moved back; they must not block.
       and "createdAt" < now() + interval '1 minute'`,
    {
      email: emailKey(owner.email),
      purpose: owner.purpose,
      all: counted === 'email',
      browserId: owner.browserId,
    },
  )
  const { sent, sinceMs, freeInMs } = rows[0]
  if (sinceMs < OTP_RESEND_MS) {
    const wait = OTP_RESEND_MS - sinceMs
    const seconds = Math.ceil(wait / 1000)
    const text = `Please wait ${seconds}s before asking again`
    throw new RuleError('otp_too_soon', text, wait, { seconds })
  }
  if (sent >= perHour) throw new RuleError('otp_too_soon', API_TEXTS.otpTooMany, freeInMs)
}

/** Creates a code within the limits of `assertMayAskAgain`. @throws {RuleError} `otp_too_soon` */
export async function createCode(
  tx: Tx,
  dataKey: Buffer,
  owner: CodeOwner & { purpose: 'register' | 'reset' },
  ...limits: [perHour: number, counted?: 'email' | 'browser']
): Promise<string> {
  await lockCodesOf(tx, emailKey(owner.email))
  await assertMayAskAgain(tx, owner, ...limits)
  return replaceCode(tx, dataKey, owner)
}

/** The codes of a scope: requests and guesses of another browser must not invalidate those of this one. */
const codesOf = (tx: Tx, { email, purpose, browserId }: CodeOwner) =>
  tx('email_codes').where({ emailKey: emailKey(email), purpose, browserId })

/**
 * Checks a code of this browser session; a right one works once, five wrong tries from any IP address use it up.
 * The count must be committed, so a wrong code is a return value and not an error.
 */
export async function tryCode(
  tx: Tx,
  dataKey: Buffer,
  owner: CodeOwner,
  code: string,
): Promise<CodeTry> {
  const row: CodeRow | undefined = await codesOf(tx, owner)
    .orderBy('id', 'desc')
    .forUpdate()
    .first(
      'id',
      'codeHash',
      'tries',
      tx.raw('"expiresAt" > now() and "verifiedAt" is null and "usedAt" is null as open'),
    )
  if (!row?.open) return 'wrong'
  if (row.tries >= OTP_MAX_TRIES) return 'used_up'
  const right = hashesOf(dataKey, owner, code).includes(row.codeHash)
  const tries = row.tries + 1
  await tx('email_codes')
    .where({ id: row.id })
    .update(right ? { verifiedAt: tx.fn.now() } : { tries })
  if (right) return 'right'
  return tries < OTP_MAX_TRIES ? 'wrong' : 'used_up'
}

/** Whether a right code of this scope was given, in its time of validity. */
export async function isConfirmed(tx: Tx, owner: CodeOwner): Promise<boolean> {
  const newest = await codesOf(tx, owner)
    .orderBy('id', 'desc')
    .first(tx.raw('"verifiedAt" is not null and "expiresAt" > now() as confirmed'))
  return newest?.confirmed ?? false
}

/** The error for a try that was not right; thrown after the count is committed. */
export function codeError(result: Exclude<CodeTry, 'right'>): RuleError {
  return result === 'used_up'
    ? new RuleError('otp_used_up', 'This code is used up. Request a new one.')
    : new RuleError('otp_invalid', 'Invalid OTP code')
}

/**
 * Consumes the proof that this browser session verified the e-mail address within the last 30 minutes.
 * @returns the keyed hash of the address
 * @throws {RuleError} `email_not_verified`
 */
export async function redeemVerifiedEmail(tx: Tx, owner: CodeOwner): Promise<string | null> {
  const [used] = await codesOf(tx, owner)
    .where({ usedAt: null })
    .whereRaw(`"verifiedAt" > now() - ? * interval '1 millisecond'`, [VERIFIED_EMAIL_MS])
    .update({ usedAt: tx.fn.now() })
    .returning('addressHash')
  if (!used) {
    throw new RuleError('email_not_verified', 'Please verify your email before registering')
  }
  return used.addressHash
}

/** Deletes every code of an e-mail address (its folded form). */
export async function deleteCodesOf(tx: Tx, emailKey: string): Promise<void> {
  await tx('email_codes').where({ emailKey }).delete()
}

/** Deletes every code of changes of a member's e-mail address, which other mailboxes got as well. */
export async function deleteChangeCodes(db: Db, memberId: number): Promise<void> {
  await db('email_codes')
    .where({ purpose: 'change' })
    .whereLike('browserId', changeScope(memberId, '%'))
    .delete()
}
