import type { Logger } from 'pino'
import type { RedisClient } from './redis-client.ts'

/** `noeviction`, or a policy that deletes keys. */
export async function evictionPolicy(redis: Pick<RedisClient, 'info'>): Promise<string> {
  return /maxmemory_policy:(\S+)/.exec(await redis.info('memory'))?.[1] ?? 'unknown'
}

/** 0 if Redis has no limit. */
export async function memoryShare(redis: Pick<RedisClient, 'info'>): Promise<number> {
  const info = await redis.info('memory')
  const figure = (name: string) => Number(new RegExp(`\\b${name}:(\\d+)`).exec(info)?.[1] ?? 0)
  const limit = figure('maxmemory')
  return limit && figure('used_memory') / limit
}

/** Without an answer the probes say what is wrong. */
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
