import { createHmac, randomBytes } from 'node:crypto'
import type { Db, Tx } from '#db/postgres/statements/transaction'
import { API_TEXTS } from '#rules/api-texts'
import { AUTHENTICATOR_SET_UP_MS, RECOVERY_CODES } from '#rules/constants'
import type { SignInFactors } from '#rules/members/account-snapshots'
import { RuleError } from '#rules/rule-error'
import { decrypt, encrypt } from '#runtime/secrets/encryption'
import { base32, SECRET_BYTES, stepOf } from './one-time-code.ts'

/** 50 random bits are ten characters of base32. */
const CODE_CHARACTERS = 10
const CODE_BYTES = 7

/** A code as the member sees it, such as `k3mwq-x7pda`. */
function newCode(): string {
  const text = base32(randomBytes(CODE_BYTES)).slice(0, CODE_CHARACTERS).toLowerCase()
  return `${text.slice(0, CODE_CHARACTERS / 2)}-${text.slice(CODE_CHARACTERS / 2)}`
}

/** An HMAC under the member's encrypted secret: a database copy cannot try codes; a new `DATA_KEY` keeps them. */
function recoveryHash(secret: Buffer, code: string): string {
  const typed = code.toLowerCase().replace(/[^a-z2-7]/g, '')
  return createHmac('sha256', secret).update(`recovery code:${typed}`).digest('base64url')
}

async function storeRecoveryCodes(
  tx: Tx,
  memberId: number,
  secret: Buffer,
  changes = {},
): Promise<string[]> {
  const codes = Array.from({ length: RECOVERY_CODES }, newCode)
  const recoveryHashes = codes.map((code) => recoveryHash(secret, code))
  await tx('second_factors')
    .where({ userId: memberId })
    .update({ ...changes, recoveryHashes })
  return codes
}

const PURPOSE = 'second factor'

type FactorRow = {
  sealed: Buffer
  lastStep: number
  recoveryHashes: string[]
  isOn: boolean
  /** Set up within `AUTHENTICATOR_SET_UP_MS`. */
  isNew: boolean
}
type OpenFactor = Omit<FactorRow, 'sealed'> & { secret: Buffer }

const invalidCode = () => new RuleError('second_factor_invalid', 'This code is not valid')
const factorOn = () => new RuleError('second_factor_on', 'One-time codes are on already')
const factorOff = () => new RuleError('second_factor_off', 'One-time codes are off')

/** The member's authenticator app as the member sees it; null without one. */
export async function readAuthenticator(
  db: Db,
  memberId: number,
): Promise<SignInFactors['authenticator']> {
  const row = await db('second_factors')
    .where({ userId: memberId })
    .whereNotNull('confirmedAt')
    .first('confirmedAt', 'recoveryHashes')
  if (!row) return null
  return { since: row.confirmedAt.toISOString(), recoveryCodesLeft: row.recoveryHashes.length }
}

/** Stores a new secret; codes are asked for after `confirmAuthenticator`. @throws {RuleError} `second_factor_on` */
export async function setUpAuthenticator(
  tx: Tx,
  dataKey: Buffer,
  memberId: number,
): Promise<Buffer> {
  const secret = randomBytes(SECRET_BYTES)
  const { rowCount } = await tx.raw(
    // Citus refuses a clock behind `do update`.
    `insert into second_factors ("userId", sealed, "setUpAt") values (:memberId, :sealed, now())
     on conflict ("userId") do update set sealed = excluded.sealed, "setUpAt" = excluded."setUpAt",
       "lastStep" = 0
     where second_factors."confirmedAt" is null`,
    { memberId, sealed: encrypt(dataKey, PURPOSE, secret) },
  )
  if (rowCount === 0) throw factorOn()
  return secret
}

/** The member's factor, locked until the transaction ends, so that a code cannot be used twice. */
async function lockFactor(
  tx: Tx,
  dataKey: Buffer,
  memberId: number,
): Promise<OpenFactor | undefined> {
  const row: FactorRow | undefined = await tx('second_factors')
    .where({ userId: memberId })
    .forUpdate()
    .first(
      'sealed',
      'lastStep',
      'recoveryHashes',
      tx.raw('"confirmedAt" is not null as "isOn"'),
      tx.raw(`"setUpAt" > now() - ? * interval '1 millisecond' as "isNew"`, [
        AUTHENTICATOR_SET_UP_MS,
      ]),
    )
  return row && { ...row, secret: decrypt(dataKey, PURPOSE, row.sealed) }
}

async function lockFactorInUse(tx: Tx, dataKey: Buffer, memberId: number): Promise<OpenFactor> {
  const factor = await lockFactor(tx, dataKey, memberId)
  if (!factor?.isOn) throw factorOff()
  return factor
}

function unusedStep({ secret, lastStep }: OpenFactor, code: string, now: number) {
  const step = stepOf(secret, code.replace(/\s/g, ''), now)
  return step !== undefined && step > lastStep ? step : undefined
}

/**
 * Switches the codes on by the app's first code; `now` is real time, ms. Returns the recovery codes, of which
 * only hashes are stored. @throws {RuleError} `second_factor_invalid`; `second_factor_on`; `second_factor_off`
 * without a secret of the last 15 minutes
 */
export async function confirmAuthenticator(
  tx: Tx,
  dataKey: Buffer,
  { memberId, code, now }: { memberId: number; code: string; now: number },
): Promise<string[]> {
  const factor = await lockFactor(tx, dataKey, memberId)
  if (factor?.isOn) throw factorOn()
  if (!factor?.isNew) throw new RuleError('second_factor_off', API_TEXTS.factorTookTooLong)
  const step = unusedStep(factor, code, now)
  if (step === undefined) throw invalidCode()
  const confirmed = { confirmedAt: tx.fn.now(), lastStep: step }
  return storeRecoveryCodes(tx, memberId, factor.secret, confirmed)
}

/**
 * Uses a code of the app, which also ends those before it, or a recovery code; each works once.
 * @param now real time, ms
 * @throws {RuleError} `second_factor_invalid`; `second_factor_off`
 */
export async function useFactorCode(
  tx: Tx,
  dataKey: Buffer,
  { memberId, code, now }: { memberId: number; code: string; now: number },
): Promise<'code' | 'recovery'> {
  const factor = await lockFactorInUse(tx, dataKey, memberId)
  const own = tx('second_factors').where({ userId: memberId })
  const step = unusedStep(factor, code, now)
  if (step !== undefined) {
    await own.update({ lastStep: step })
    return 'code'
  }
  const hash = recoveryHash(factor.secret, code)
  if (!factor.recoveryHashes.includes(hash)) throw invalidCode()
  const recoveryHashes = factor.recoveryHashes.filter((one) => one !== hash)
  await own.update({ recoveryHashes })
  return 'recovery'
}

/** New recovery codes; the earlier ones are void. @throws {RuleError} `second_factor_off` */
export async function renewRecoveryCodes(
  tx: Tx,
  dataKey: Buffer,
  memberId: number,
): Promise<string[]> {
  const { secret } = await lockFactorInUse(tx, dataKey, memberId)
  return storeRecoveryCodes(tx, memberId, secret)
}

/** Whether a sign-in of the member with the password needs a code as well. */
export async function hasSecondFactor(db: Db, memberId: number): Promise<boolean> {
  return (await readAuthenticator(db, memberId)) !== null
}

/** Switches the codes off and deletes secret and recovery codes. @returns false if they were off */
export async function removeAuthenticator(tx: Tx, memberId: number): Promise<boolean> {
  const removed = await tx('second_factors')
    .where({ userId: memberId })
    .delete()
    .returning('confirmedAt')
  return removed.some(({ confirmedAt }) => confirmedAt !== null)
}
