import type { Services } from '#gateway/services/services'
import { RuleError } from '#rules/rule-error'
import { passwordFits } from './passwords.ts'

/**
 * Asks a signed-in member for the password again, in case another person uses their open browser.
 * The member's mutex verifies one guess at a time, so parallel guesses are counted one by one.
 * @throws {RuleError} `wrong_password` (the member stays signed in), `too_many_requests`,
 * `not_signed_in`
 */
export async function confirmPassword(
  { db, limits, memberMutex }: Services,
  memberId: number,
  password: string,
): Promise<void> {
  const countedFor = String(memberId)
  await memberMutex.run(memberId, async () => {
    await limits.check('password-member', countedFor)
    const member = await db('users').where({ id: memberId, deletedAt: null }).first('password')
    if (!member) throw new RuleError('not_signed_in', 'Please sign in')
    if (await passwordFits(member.password, password)) return
    await limits.use('password-member', countedFor)
    throw new RuleError('wrong_password', 'Password is not correct')
  })
}
