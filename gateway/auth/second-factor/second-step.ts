import type Koa from 'koa'
import { type MemberRow, memberById } from '#db/members/members'
import { hasSecondFactor } from '#db/members/second-factor/second-factor'
import { authSession, type SignInOptions } from '#gateway/auth/auth-sessions/auth-session'
import type { SecondStep } from '#gateway/services/auth-session-store'
import type { Services } from '#gateway/services/services'
import { SECOND_STEP_MS } from '#rules/constants'
import { RuleError } from '#rules/rule-error'

/**
 * Ends the first step of a sign-in of a member with one-time codes. The session of this browser
 * remembers it for five minutes, so the password is not sent again.
 * @throws {RuleError} `second_factor_required`
 */
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

/**
 * The first step of this browser, and its member.
 * @throws {RuleError} `second_step_expired` without one of the last five minutes; also after the end
 * of all sign-ins, such as by a new password
 */
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
