import type Koa from 'koa'
import { lockSignedIn } from '#db/members/execute-once'
import { type MemberRow, memberById } from '#db/members/members'
import { hasSecondFactor, useFactorCode } from '#db/members/second-factor'
import { inTransaction } from '#db/postgres/statements/transaction'
import type { SecondStep } from '#gateway/services/auth-session-store'
import type { LimitName } from '#gateway/services/rate-limits'
import type { Services } from '#gateway/services/services'
import { SECOND_STEP_MS } from '#rules/constants'
import { type RuleCode, RuleError } from '#rules/rule-error'
import { authSession, type SignInOptions } from './auth-session.ts'
import { knownDevice } from './device-cookie.ts'
import { enqueueFactorNotice } from './security-notices.ts'

function limitsOfTry(
  services: Services,
  ctx: Koa.Context,
  member: MemberRow,
): [limit: LimitName, countedFor: string][] {
  const memberId = String(member.id)
  const device = knownDevice(services, ctx, member)
  if (!device) return [['second-factor-member', memberId]]
  return [
    ['second-factor-member', device],
    ['second-factor-known-member', memberId],
  ]
}

/** Mails the member that somebody guesses the codes, at most once an hour. */
async function warnOwner(
  services: Services,
  ctx: Koa.Context,
  { member, now }: { member: MemberRow; now: number },
): Promise<void> {
  const { db, limits } = services
  if (!(await hasSecondFactor(db, member.id))) return
  // Parallel guesses may all be the last one.
  if (!(await limits.tryUse('second-factor-notices-member', String(member.id)))) return
  await inTransaction(db, async (tx) => {
    await lockSignedIn(tx, { memberId: member.id, epoch: member.authEpoch })
    await enqueueFactorNotice(tx, services, ctx, { member, now, change: 'codeGuessed' })
  })
}

/** Refusals before a code is compared: they are no tries. */
const COMPARED_NOTHING: RuleCode[] = ['second_factor_on', 'second_factor_off']

/**
 * Counts a try of a one-time code before it is verified, so that parallel guesses get no further answers; a
 * right one resets the count. Known browsers are counted apart, so that a stranger with the password cannot
 * lock the owner out, and all together, because each sign-in without a code makes one more known.
 * @throws {RuleError} `too_many_requests`, and what `work` throws
 */
export async function countedTry<T>(
  services: Services,
  ctx: Koa.Context,
  owner: { member: MemberRow; now: number },
  work: () => Promise<T>,
): Promise<T> {
  const { limits } = services
  const counts = limitsOfTry(services, ctx, owner.member)
  for (const count of counts) await limits.use(...count)
  try {
    const result = await work()
    for (const count of counts) await limits.reset(...count)
    return result
  } catch (error) {
    if (error instanceof RuleError && COMPARED_NOTHING.includes(error.code)) {
      for (const count of counts) await limits.giveBack(...count)
      throw error
    }
    const usedUp = await Promise.all(counts.map((count) => limits.isUsedUp(...count)))
    if (usedUp.includes(true)) await warnOwner(services, ctx, owner)
    throw error
  }
}

/** Throws `second_factor_invalid`, `second_factor_off`, `too_many_requests`, `not_signed_in` (epoch was raised). */
export async function useCode(
  services: Services,
  ctx: Koa.Context,
  { member, code, now }: { member: MemberRow; code: string; now: number },
): Promise<void> {
  const { db, config } = services
  const { id: memberId, authEpoch: epoch } = member
  const verifyCode = () =>
    inTransaction(db, async (tx) => {
      await lockSignedIn(tx, { memberId, epoch })
      const used = await useFactorCode(tx, config.dataKey, { memberId, code, now })
      if (used === 'code') return
      await enqueueFactorNotice(tx, services, ctx, { member, now, change: 'recoveryUsed' })
    })
  await countedTry(services, ctx, { member, now }, verifyCode)
}

/** Throws `second_factor_required` if the member uses codes; the session keeps the first step for 5 minutes. */
export async function awaitSecondStep(
  { db }: Services,
  ctx: Koa.Context,
  { id: memberId, authEpoch: epoch }: MemberRow,
  { remember, now }: SignInOptions,
): Promise<void> {
  if (!(await hasSecondFactor(db, memberId))) return
  authSession(ctx).secondStep = { memberId, epoch, remember, until: now + SECOND_STEP_MS }
  throw new RuleError('second_factor_required', 'Enter the code from your authenticator app')
}

/** Throws `second_step_expired` without a first step of the last 5 minutes, or if the epoch was raised. */
export async function readSecondStep(
  { db }: Services,
  ctx: Koa.Context,
  now: number,
): Promise<SecondStep & { member: MemberRow }> {
  const { secondStep } = authSession(ctx)
  const member = secondStep && (await memberById(db, secondStep.memberId))
  if (!member || secondStep.until <= now || member.authEpoch !== secondStep.epoch) {
    throw new RuleError('second_step_expired', 'Please log in again with your password')
  }
  return { ...secondStep, member }
}
