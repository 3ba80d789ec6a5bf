import { randomInt } from 'node:crypto'
import type { Db, Tx } from '#db/postgres/transaction'
import { keyedHash } from '#db/process/encryption'
import { emailHash } from '#db/team/used-referral-emails'
import {
  OTP_LENGTH,
  OTP_MAX_TRIES,
  OTP_RESEND_MS,
  OTP_VALID_MS,
  VERIFIED_EMAIL_MS,
} from '#rules/constants'
import { emailKey } from '#rules/identity'
import { RuleError } from '#rules/rule-error'

/** What a code was sent for; a code of one purpose is worth nothing for another. */
export type CodePurpose = 'register' | 'reset'

/** Whom a code belongs to: an address, a purpose and the browser session that asked. */
export type CodeOwner = { email: string; purpose: CodePurpose; browserId: string }

type CodeRow = { id: number; codeHash: string; tries: number }

const hashOf = (dataKey: Buffer, owner: CodeOwner, code: string) =>
  keyedHash(dataKey, 'code', `${owner.purpose}:${emailKey(owner.email)}:${code}`)

/** Lets one transaction at a time deal with the codes of an address, named by its key. */
export async function lockCodesOf(tx: Tx, address: string): Promise<void> {
  await tx.raw('select pg_advisory_xact_lock(hashtextextended(?, 0))', [`code:${address}`])
}

/**
 * Makes a new six-digit code for an address; this browser's one before it is void from now on.
 * `counted` says whose codes count against the limits: all of the address, or this browser's alone.
 * @throws {RuleError} `otp_too_soon` within 60 s of the last one, or above `perHour` an hour
 */
export async function createCode(
  tx: Tx,
  dataKey: Buffer,
  owner: CodeOwner,
  perHour: number,
  counted: 'address' | 'browser' = 'address',
): Promise<string> {
  const address = emailKey(owner.email)
  await lockCodesOf(tx, address)
  const { rows } = await tx.raw(
    `select count(*) as sent,
       coalesce(extract(epoch from now() - max("createdAt")) * 1000, 1e9)::float8 as "sinceMs",
       (extract(epoch from min("createdAt") + interval '1 hour' - now()) * 1000)::float8 as "freeInMs"
     from email_codes where "emailKey" = :address and (:all or "browserId" = :browserId)
       and "createdAt" > now() - interval '1 hour'
       -- What seems to come was written before the clock went back: nobody waits for that hour.
       and "createdAt" < now() + interval '1 minute'`,
    { address, all: counted === 'address', browserId: owner.browserId },
  )
  const { sent, sinceMs, freeInMs } = rows[0]
  if (sinceMs < OTP_RESEND_MS) {
    const wait = OTP_RESEND_MS - sinceMs
    const seconds = Math.ceil(wait / 1000)
    throw new RuleError('otp_too_soon', `Please wait ${seconds}s before asking again`, wait)
  }
  if (sent >= perHour) {
    throw new RuleError('otp_too_soon', 'Too many codes for this e-mail address', freeInMs)
  }
  const code = String(randomInt(10 ** OTP_LENGTH)).padStart(OTP_LENGTH, '0')
  await tx('email_codes').insert({
    purpose: owner.purpose,
    emailKey: address,
    addressHash: emailHash(dataKey, address),
    browserId: owner.browserId,
    codeHash: hashOf(dataKey, owner, code),
    expiresAt: tx.raw(`now() + ? * interval '1 millisecond'`, [OTP_VALID_MS]),
  })
  return code
}

async function newestOpenCode(tx: Tx, owner: CodeOwner): Promise<CodeRow | undefined> {
  const row = await tx('email_codes')
    .where({
      emailKey: emailKey(owner.email),
      purpose: owner.purpose,
      // Another browser's guesses and requests must not spoil this one's code.
      browserId: owner.browserId,
    })
    .orderBy('id', 'desc')
    .forUpdate()
    .first('*', tx.raw('"expiresAt" > now() as valid'))
  const usable = row?.valid && row.tries < OTP_MAX_TRIES && !row.verifiedAt && !row.usedAt
  return usable ? row : undefined
}

/**
 * Tries a code of this browser session. A wrong one counts against it, from whatever address: five
 * kill it. The count must be committed, so a wrong code is an answer here, not an error.
 * @returns whether the code was right; from then on it is used up
 */
export async function tryCode(
  tx: Tx,
  dataKey: Buffer,
  owner: CodeOwner,
  code: string,
): Promise<boolean> {
  const row = await newestOpenCode(tx, owner)
  if (!row) return false
  const right = row.codeHash === hashOf(dataKey, owner, code)
  await tx('email_codes')
    .where({ id: row.id })
    .update(right ? { verifiedAt: tx.fn.now() } : { tries: row.tries + 1 })
  return right
}

/**
 * Uses up the proof that this browser session verified the address within the last 30 minutes.
 * @returns the keyed hash of the address
 * @throws {RuleError} `email_not_verified`
 */
export async function redeemVerifiedEmail(tx: Tx, owner: CodeOwner): Promise<string | null> {
  const [used] = await tx('email_codes')
    .where({
      emailKey: emailKey(owner.email),
      purpose: owner.purpose,
      browserId: owner.browserId,
      usedAt: null,
    })
    .whereRaw(`"verifiedAt" > now() - ? * interval '1 millisecond'`, [VERIFIED_EMAIL_MS])
    .update({ usedAt: tx.fn.now() })
    .returning('addressHash')
  if (!used) {
    throw new RuleError('email_not_verified', 'Please verify your email before registering')
  }
  return used.addressHash
}

/** Forgets every code of an address, by its key. */
export async function deleteCodesOf(tx: Tx, address: string): Promise<void> {
  await tx('email_codes').where({ emailKey: address }).delete()
}

/** Codes older than a day are of no more use. */
export async function deleteOldCodes(db: Db): Promise<number> {
  return db('email_codes').whereRaw(`"createdAt" < now() - interval '1 day'`).delete()
}
