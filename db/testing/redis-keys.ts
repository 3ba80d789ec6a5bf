import { Redis } from 'ioredis'

/** Removes every key that begins with `prefix` or with `{prefix`, the form of a hash tag. */
export async function removeKeys(redisUrl: string, prefix: string) {
  const redis = new Redis(redisUrl)
  try {
    for (const match of [`${prefix}*`, `{${prefix}*`]) {
      for await (const keys of redis.scanStream({ match, count: 1000 })) {
        if (keys.length > 0) await redis.unlink(...keys)
      }
    }
  } finally {
    redis.disconnect()
  }
}
