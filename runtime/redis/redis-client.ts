import type { Cluster, Redis } from 'ioredis'

/**
 * A connection to whatever `REDIS_URL` names. The keys of one command must hash to one slot of a
 * cluster (`readValues` reads keys of any slots).
 */
export type RedisClient = Redis | Cluster

/**
 * The values of these keys, null for a missing one: one MGET, or in a cluster one GET for each key,
 * because the keys of one command must hash to one slot.
 */
export async function readValues(
  redis: RedisClient,
  keys: readonly string[],
): Promise<(string | null)[]> {
  if (keys.length === 0) return []
  return redis.isCluster ? Promise.all(keys.map((key) => redis.get(key))) : redis.mget([...keys])
}
