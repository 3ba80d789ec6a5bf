import type { Cluster, Redis } from 'ioredis'

/** The keys of one command must hash to one slot of a cluster; `readValues` reads keys of any slots. */
export type RedisClient = Redis | Cluster

/** Null for a missing key. In a cluster one GET for each key, which may be in different slots. */
export async function readValues(
  redis: RedisClient,
  keys: readonly string[],
): Promise<(string | null)[]> {
  if (keys.length === 0) return []
  return redis.isCluster ? Promise.all(keys.map((key) => redis.get(key))) : redis.mget([...keys])
}
