import { randomUUID } from 'node:crypto'
import { SECOND_MS } from '#rules/constants'
import { productVersion } from '#runtime/process/root'
import type { RedisClient } from './redis-client.ts'

type ListedProcess = { role: 'gateway' | 'workers'; version: string; at: number }

const BEAT_MS = 30 * SECOND_MS
/** An entry that was not renewed for so long is of a process that was killed or lost Redis. */
const GONE_MS = 3 * BEAT_MS

const keyOf = (prefix: string) => `${prefix}:processes`

/** Redis may be away: the next beat lists the process again. */
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

/** Removes processes that were killed from the list. */
export async function readProcesses(redis: RedisClient, prefix: string): Promise<ListedProcess[]> {
  const entries = Object.entries(await redis.hgetall(keyOf(prefix))).map(
    ([id, text]): [string, ListedProcess] => [id, JSON.parse(text)],
  )
  const gone = entries.filter(([, { at }]) => Date.now() - at > GONE_MS).map(([id]) => id)
  if (gone.length > 0) await redis.hdel(keyOf(prefix), ...gone)
  return entries.filter(([id]) => !gone.includes(id)).map(([, listed]) => listed)
}
