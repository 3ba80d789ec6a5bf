import type Koa from 'koa'
import type { MemberRow } from '#db/members/members'
import { readDeviceCookie } from '#gateway/auth/auth-sessions/device-cookie'
import type { Services } from '#gateway/services/services'

const LIMIT = 'second-factor-member'

/**
 * Runs a try of a one-time code. It is counted before it is verified, so that parallel guesses get no
 * further answers; a right one sets the count to zero. A known browser has a count of its own: a
 * stranger with the password cannot lock the owner out of it.
 * @param onUsedUp called after the last wrong try that the limit permits
 * @throws {RuleError} `too_many_requests`, and what `work` throws
 */
export async function countedTry<T>(
  services: Services,
  ctx: Koa.Context,
  member: Pick<MemberRow, 'id' | 'authEpoch'>,
  work: () => Promise<T>,
  onUsedUp?: () => Promise<void>,
): Promise<T> {
  const { limits } = services
  const device = readDeviceCookie(services, ctx, member)
  const countedFor = device ? `known|${device}` : String(member.id)
  await limits.use(LIMIT, countedFor)
  try {
    const result = await work()
    await limits.reset(LIMIT, countedFor)
    return result
  } catch (error) {
    if (onUsedUp && (await limits.isUsedUp(LIMIT, countedFor))) await onUsedUp()
    throw error
  }
}
