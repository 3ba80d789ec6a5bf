import type { Logger } from 'pino'
import type { RedisClient } from './redis-client.ts'

/** What Redis does when its memory is full: `noeviction`, or a policy that deletes keys. */
export async function evictionPolicy(redis: Pick<RedisClient, 'info'>): Promise<string> {
  return /maxmemory_policy:(\S+)/.exec(await redis.info('memory'))?.[1] ?? 'unknown'
}

/** What to do about a policy that deletes keys; undefined for one that does not. */
const evictionProblem = (policy: string): string | undefined =>
  policy === 'noeviction' || policy === 'unknown'
    ? undefined
    : `Redis evicts keys (${policy}): set maxmemory-policy noeviction, or jobs and sign-ins vanish`

/** Warns once at the start of a role; without an answer the probes say what is wrong. */
export async function warnOfEviction(
  redis: Pick<RedisClient, 'info'>,
  log: Pick<Logger, 'warn'>,
): Promise<void> {
  const problem = evictionProblem(await evictionPolicy(redis).catch(() => 'unknown'))
  if (problem) log.warn(problem)
}
