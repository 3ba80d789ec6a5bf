import type { RedisClient } from './redis-client.ts'

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
