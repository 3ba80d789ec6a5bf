import type { RedisProcess } from './redis-process.ts'

/** Redis servers of one test file, whose masters may be killed and frozen. */
export type RedisServers = {
  /** For `REDIS_URL`. */
  url: string
  /** The process that is the master of this key now. */
  masterOf(key: string): Promise<RedisProcess>
  /** Resolves when every replica follows its master again. */
  settled(): Promise<void>
  stop(): Promise<void>
}
