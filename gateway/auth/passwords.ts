import { setTimeout as sleep } from 'node:timers/promises'
import type Koa from 'koa'
import { Semaphore } from '#gateway/services/mutex'
import type { Services } from '#gateway/services/services'
import { RuleError } from '#rules/rule-error'
import type { Config } from '#runtime/config/config'
import { requestSignInName } from './auth-session.ts'

/** Without it a hash costs what production needs. */
type Cost = Pick<Config, 'fastPasswords'>

/** argon2id with the parameters that OWASP recommends: 19 MiB, two passes. */
const STRONG = { memoryCost: 19_456, timeCost: 2, parallelism: 1 }
/** A fraction of a millisecond: tests hash thousands of passwords. Production cannot choose it. */
const FAST = { memoryCost: 64, timeCost: 1, parallelism: 1 }

const costOf = (cost?: Cost) => (cost?.fastPasswords ? FAST : STRONG)

/** The native addon is loaded with the first password. */
const argon2 = () => import('@node-rs/argon2')

/** Half of libuv's four threads, which files, compression and DNS need too. */
const hashing = new Semaphore(2, 200)

export async function hashPassword(password: string, cost?: Cost): Promise<string> {
  const { hash } = await argon2()
  return hashing.run(() => hash(password, costOf(cost)))
}

const dummyHashes: { strong?: Promise<string>; fast?: Promise<string> } = {}

function dummyHash(cost?: Cost): Promise<string> {
  const kind = cost?.fastPasswords ? 'fast' : 'strong'
  // Computed once per process, so it bypasses the semaphore.
  dummyHashes[kind] ??= argon2().then(({ hash }) => hash('nobody has this password', costOf(cost)))
  return dummyHashes[kind]
}

/** An unknown account (no hash) takes the same time, which would otherwise reveal which accounts exist. */
export async function passwordFits(
  stored: string | undefined,
  password: string,
  cost?: Cost,
): Promise<boolean> {
  const { verify } = await argon2()
  // The parameters are part of the stored hash.
  const hash = stored ?? (await dummyHash(cost))
  const fits = await hashing.run(() => verify(hash, password))
  return fits && stored !== undefined
}

/**
 * Asks a signed-in member for the password again, in case another person uses their open browser. The mutex
 * counts parallel guesses one by one. Each sign-in is counted separately, so that a stolen one cannot keep the
 * owner from ending it; right passwords are counted for the member.
 * @throws {RuleError} `wrong_password` (the member stays signed in), `too_many_requests`, `not_signed_in`
 */
export async function confirmPassword(
  { db, limits, memberMutex }: Services,
  ctx: Koa.Context,
  memberId: number,
  password: string,
): Promise<void> {
  const countedFor = `${memberId}|${requestSignInName(ctx)}`
  await memberMutex.run(memberId, async () => {
    await limits.check('password-sign-in', countedFor)
    await limits.check('password-member', String(memberId))
    const member = await db('users').where({ id: memberId, deletedAt: null }).first('password')
    if (!member) throw new RuleError('not_signed_in', 'Please sign in')
    if (await passwordFits(member.password, password)) {
      await limits.use('password-member', String(memberId))
      return
    }
    await limits.use('password-sign-in', countedFor)
    throw new RuleError('wrong_password', 'Password is not correct')
  })
}

/** Minimum response time of answers that must not reveal by timing what was done, ms. */
const ANSWER_MS = 250

export async function hideDuration<T>(work: Promise<T>): Promise<T> {
  const [result] = await Promise.allSettled([work, sleep(ANSWER_MS)])
  if (result.status === 'rejected') throw result.reason
  return result.value
}
