import type { Redis } from 'ioredis'
import { isMigrated } from '#db/postgres/migrate'
import type { Db } from '#db/postgres/transaction'

/** Whether a process can do its work: database, schema and Redis answer. */
export async function isReady(db: Db, redis: Redis): Promise<boolean> {
  try {
    const [migrated, pong] = await Promise.all([isMigrated(db), redis.ping()])
    return migrated && pong === 'PONG'
  } catch {
    return false
  }
}
