import type { Services } from '#gateway/services/services'
import { RuleError } from '#rules/rule-error'
import { passwordFits } from './passwords.ts'

/**
 * Makes sure that it is the member who asks, and not somebody at their open browser. One guess of a
 * member is verified at a time, so guesses that come together are counted one by one.
 * @throws {RuleError} `wrong_password` (the member stays signed in), `too_many_requests`,
 * `not_signed_in`
 */
export async function confirmPassword(
  { db, limits, memberMutex }: Services,
  memberId: number,
  password: string,
): Promise<void> {
  const key = String(memberId)
  await memberMutex.run(memberId, async () => {
    await limits.check('password-member', key)
    const member = await db('users').where({ id: memberId, deletedAt: null }).first('password')
    if (!member) throw new RuleError('not_signed_in', 'Please sign in')
    if (await passwordFits(member.password, password)) return
    await limits.use('password-member', key)
    throw new RuleError('wrong_password', 'Password is not correct')
  })
}
