import { randomUUID } from 'node:crypto'
import { SECOND_MS } from '#rules/constants'
import { productVersion } from '#runtime/process/version'
import type { RedisClient } from './redis-client.ts'

/** A gateway or workers process that runs, as operators ask for its version. */
type ListedProcess = { role: 'gateway' | 'workers'; version: string; at: number }

const BEAT_MS = 30 * SECOND_MS
/** An entry that was not renewed is of a process that was killed, or that lost Redis. */
const GONE_MS = 3 * BEAT_MS

const keyOf = (prefix: string) => `${prefix}:processes`

/** Lists this process until `stop`. Redis may be away: the next beat lists it again. */
export function listProcess(
  redis: RedisClient,
  prefix: string,
  role: ListedProcess['role'],
): { stop(): Promise<void> } {
  const id = randomUUID()
  const entry = { role, version: productVersion() }
  const beat = () =>
    redis
      .hset(keyOf(prefix), id, JSON.stringify({ ...entry, at: Date.now() }))
      .then(() => {})
      .catch(() => {})
  let last = beat()
  const timer = setInterval(() => {
    last = beat()
  }, BEAT_MS).unref()
  return {
    async stop() {
      clearInterval(timer)
      await last
      await redis.hdel(keyOf(prefix), id).catch(() => {})
    },
  }
}

/** The processes that run; forgets those that were killed. */
export async function readProcesses(redis: RedisClient, prefix: string): Promise<ListedProcess[]> {
  const entries = Object.entries(await redis.hgetall(keyOf(prefix))).map(
    ([id, text]): [string, ListedProcess] => [id, JSON.parse(text)],
  )
  const gone = entries.filter(([, { at }]) => Date.now() - at > GONE_MS).map(([id]) => id)
  if (gone.length > 0) await redis.hdel(keyOf(prefix), ...gone)
  return entries.filter(([id]) => !gone.includes(id)).map(([, listed]) => listed)
}
