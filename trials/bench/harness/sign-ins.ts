import { createHmac } from 'node:crypto'
import { Redis } from 'ioredis'
import { cookieName } from '#gateway/auth/session-cookie'
import { AuthSessionStore, newAuthSessionId } from '#gateway/services/auth-session-store'
import { REMEMBERED_SIGN_IN_MS } from '#rules/constants'
import { readConfig } from '#runtime/config/config'

/** Sign-ins written at a time. */
const BATCH = 1_000

/**
 * Signs members in without a password, by writing what a sign-in writes to Redis: one for each id.
 * Their epoch must be that of a new member, 0.
 * @param env settings of the product
 * @returns the `Cookie` header of each member, in the order of the ids
 */
export async function signInMembers(
  env: Record<string, string>,
  memberIds: number[],
): Promise<string[]> {
  const config = readConfig(env)
  const [key = ''] = config.sessionKeys
  const name = cookieName(config)
  const now = Date.now()
  const redis = new Redis(config.redisUrl)
  const store = new AuthSessionStore(redis, config.redisPrefix)
  const signIn = async (memberId: number) => {
    const id = newAuthSessionId()
    const expiresAt = now + REMEMBERED_SIGN_IN_MS
    await store.set(id, { memberId, epoch: 0, expiresAt, remembered: true }, now)
    const signature = createHmac('sha1', key).update(`${name}=${id}`).digest('base64url')
    return `${name}=${id}; ${name}.sig=${signature}`
  }
  const cookies: string[] = []
  for (let from = 0; from < memberIds.length; from += BATCH) {
    cookies.push(...(await Promise.all(memberIds.slice(from, from + BATCH).map(signIn))))
  }
  redis.disconnect()
  return cookies
}
