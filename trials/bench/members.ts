import { createHmac } from 'node:crypto'
import { Redis } from 'ioredis'
import { creditSlotSql } from '#db/mining/sweep'
import type { Db } from '#db/postgres/statements/transaction'
import { cookieName } from '#gateway/auth/session-cookie'
import { AuthSessionStore, newAuthSessionId } from '#gateway/services/auth-session-store'
import { bucketSql } from '#rules/buckets'
import { INTERVAL_MS, REMEMBERED_SIGN_IN_MS } from '#rules/constants'
import { readConfig } from '#runtime/config/config'
import { checkAudit } from '#trials/kit/checks'
import { mapConcurrently } from '#trials/kit/until'

/**
 * Inserts members with a wallet, stats and a running session each; the audit holds on them. Starts are spread over
 * `spreadMs` of product time, and rows are in their order, as `startMining` inserts them.
 * @param behind intervals of each session that have ended without a credit
 */
export async function populate(
  db: Db,
  members: number,
  { behind = 0, spreadMs = INTERVAL_MS } = {},
): Promise<number[]> {
  await db.raw(
    `insert into users (username, "usernameKey", email, "emailKey", password)
     select m, m, m || '@x', m || '@x', '-' from generate_series(1, ?) n, lateral (select 'm' || n as m) k`,
    [members],
  )
  await db.raw(`insert into wallets (bucket, "userId") select ${bucketSql('id')}, id from users`)
  await db.raw(
    `insert into mining_stats (bucket, "userId") select ${bucketSql('id')}, id from users`,
  )
  await db.raw(
    `insert into mining_sessions
       (bucket, "userId", "startTime", "rateSince", "hashRate", "creditSlot")
     select ${bucketSql('u.id')}, u.id, s.start, s.start, 0.1, ${creditSlotSql('s.start')}
     from (select product_now() - :ms * interval '1 millisecond' as latest) c,
       users u cross join lateral (
       select date_trunc('milliseconds',
         c.latest - mod(u.id::bigint * 7919, :spreadMs) * interval '1 millisecond') as start) s
     order by s.start`,
    { ms: behind * INTERVAL_MS, spreadMs },
  )
  await db('network_counters')
    .where({ bucket: 0, lane: 1 })
    .update({ activeSessions: members, activeRate: members / 10 })
  await db.raw('vacuum analyze')
  return db('users').orderBy('id').pluck('id')
}

/** Parts that write money call it at the end, so that no speed is bought with wrong balances. */
export async function assertCleanAudit(db: Db): Promise<void> {
  const problems = new Set<string>()
  await checkAudit(db, problems)
  if (problems.size > 0) throw new Error([...problems].join('\n'))
}

const AT_ONCE = 1_000

/** Writes what sign-ins of new members (epoch 0) write to Redis. @returns the `Cookie` header of each member */
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
  return mapConcurrently(memberIds, AT_ONCE, signIn).finally(() => redis.disconnect())
}
