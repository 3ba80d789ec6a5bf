import { stepOf } from '#db/members/one-time-code'
import { type Db, sqlState, type Tx } from '#db/postgres/statements/transaction'
import { RuleError } from '#rules/rule-error'
import { decrypt, encrypt } from '#runtime/secrets/encryption'
import { notFound } from './action-log.ts'

/** Sign-ins that a reviewer may try before the next must wait. */
export const REVIEWER_TRIES = 5
const WAIT = `interval '15 minutes'`
const PURPOSE = 'reviewer secret'
const UNIQUE_VIOLATION = '23505'

/** A person who may read and decide about identity documents. */
export type Reviewer = { id: number; name: string }

/** A reviewer with their secrets, as they are added. */
export type NewReviewer = { name: string; passwordHash: string; secret: Buffer }

/**
 * Adds a reviewer; the secret of their one-time codes is stored encrypted.
 * @throws {RuleError} `bad_input` for a name that is taken or not usable
 */
export async function addReviewer(
  tx: Tx,
  dataKey: Buffer,
  { name, passwordHash, secret }: NewReviewer,
): Promise<void> {
  if (!/^[a-z][a-z0-9.-]{1,29}$/.test(name)) {
    const rule = '2 to 30 letters a-z, digits, dots or hyphens, and begin with a letter'
    throw new RuleError('bad_input', `The name must have ${rule}`)
  }
  const row = { name, password: passwordHash, sealed: encrypt(dataKey, PURPOSE, secret) }
  await tx('reviewers')
    .insert(row)
    .catch((error) => {
      if (sqlState(error) !== UNIQUE_VIOLATION) throw error
      throw new RuleError('bad_input', `There is a reviewer ${name} already`)
    })
}

/**
 * Removes a reviewer, whose sign-ins end with the next request.
 * @throws {RuleError} `not_found`
 */
export async function removeReviewer(tx: Tx, name: string): Promise<void> {
  if ((await tx('reviewers').where({ name }).delete()) === 0) throw notFound('reviewer')
}

/** All reviewers by name. */
export async function listReviewers(db: Db): Promise<(Reviewer & { addedAt: Date })[]> {
  return db('reviewers').orderBy('name').select('id', 'name', 'createdAt as addedAt')
}

/** The reviewer with that id, unless removed. */
export async function reviewerById(db: Db, id: number): Promise<Reviewer | undefined> {
  return db('reviewers').where({ id }).first('id', 'name')
}

type StoredReviewer = Reviewer & { password: string; sealed: Buffer }

/**
 * Counts a try before anything is verified, so that parallel guesses are counted too.
 * @returns undefined for an unknown name, and while too many tries have to wait
 */
export async function takeTry(db: Db, name: string): Promise<StoredReviewer | undefined> {
  const { rows } = await db.raw(
    `update reviewers set "triedAt" = now(),
       tries = case when "triedAt" < now() - ${WAIT} then 1 else tries + 1 end
     where name = :name and (tries < ${REVIEWER_TRIES} or "triedAt" < now() - ${WAIT})
     returning id, name, password, sealed`,
    { name },
  )
  return rows[0]
}

/**
 * Uses a one-time code; a used one, and those before it, never work again.
 * @param now real time, ms
 * @returns whether the code was right
 */
export async function useCode(
  db: Db,
  dataKey: Buffer,
  { id, sealed }: StoredReviewer,
  code: string,
  now: number,
): Promise<boolean> {
  const step = stepOf(decrypt(dataKey, PURPOSE, sealed), code, now)
  if (step === undefined) return false
  const used = await db('reviewers')
    .where({ id })
    .where('lastStep', '<', step)
    .update({ lastStep: step, tries: 0 })
  return used === 1
}
