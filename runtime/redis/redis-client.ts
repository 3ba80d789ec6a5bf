import type { Cluster, Redis } from 'ioredis'

/**
 * A connection to whatever `REDIS_URL` names. The keys of one command must hash to one slot of a
 * cluster (`readValues` reads keys of any slots).
 */
export type RedisClient = Redis | Cluster
