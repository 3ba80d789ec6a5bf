import type { Logger } from 'pino'
import type { RedisClient } from './redis-client.ts'

/** What Redis does when its memory is full: `noeviction`, or a policy that deletes keys. */
export async function evictionPolicy(redis: Pick<RedisClient, 'info'>): Promise<string> {
  return /maxmemory_policy:(\S+)/.exec(await redis.info('memory'))?.[1] ?? 'unknown'
}

/** Warns once at the start of a role; without an answer the probes say what is wrong. */
export async function warnOfEviction(
  redis: Pick<RedisClient, 'info'>,
  log: Pick<Logger, 'warn'>,
): Promise<void> {
  const policy = await evictionPolicy(redis).catch(() => 'unknown')
  if (policy === 'noeviction' || policy === 'unknown') return
  log.warn(
    `Redis evicts keys (${policy}): set maxmemory-policy noeviction, or jobs and sign-ins vanish`,
  )
}
