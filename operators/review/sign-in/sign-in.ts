import { inTransaction } from '#db/postgres/statements/transaction'
import { passwordFits } from '#gateway/auth/passwords/passwords'
import { recordAction } from '#operators/actions/actions'
import { type Reviewer, takeTry, useCode } from '#operators/actions/reviewers/reviewers'
import type { ReviewServices } from '#operators/review/services'

/** What a reviewer types. */
export type Credentials = { name: string; password: string; code: string }

/**
 * Verifies name, password and one-time code, and logs the sign-in. A wrong part is not named, and
 * an unknown name takes as long as a wrong password.
 * @param now real time, ms
 */
export async function signInReviewer(
  { db, config, log }: Pick<ReviewServices, 'db' | 'config' | 'log'>,
  { name, password, code }: Credentials,
  now: number,
): Promise<Reviewer | undefined> {
  const found = await takeTry(db, name)
  const fits = await passwordFits(found?.password, password, config)
  if (!found || !fits || !(await useCode(db, config.dataKey, found, code, now))) {
    log.warn({ reviewer: found?.id }, 'sign-in of a reviewer failed')
    return undefined
  }
  const entry = { operator: found.name, action: 'review sign-in', details: {}, reason: 'sign-in' }
  await inTransaction(db, (tx) => recordAction(tx, { ...entry, memberId: null }))
  return { id: found.id, name: found.name }
}
