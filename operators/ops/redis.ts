import { once } from 'node:events'
import { Cluster, type Redis } from 'ioredis'
import { refuse } from '#operators/actions/action-log'
import { deviceListIn } from '#operators/actions/member-records'
import { createLog } from '#runtime/log'
import { type Change, ChangeChannel } from '#runtime/pubsub'
import { redisForRequests } from '#runtime/redis'
import { queuePrefix } from '#workers/queue'
import { acting, type OpsCall } from './command.ts'

type Place = Pick<OpsCall, 'config'>

const READY_MS = 10_000

/** Standard output holds only the results of commands. */
const log = createLog('ops', 'warn', { write: (line) => void process.stderr.write(line) })

/** Does nothing without REDIS_URL. */
export async function withRedis<T>(
  { config: { redisUrl } }: Place,
  work: (redis: ReturnType<typeof redisForRequests>) => Promise<T>,
): Promise<T | undefined> {
  if (!redisUrl) return undefined
  const redis = redisForRequests(redisUrl)
  try {
    return await work(redis)
  } finally {
    redis.disconnect()
  }
}

/** Without Redis, polls and the gateways' check of their sockets make up for it within 35 s. */
export async function publishChange(call: Place, change: Change): Promise<void> {
  await withRedis(call, async (redis) => {
    await new ChangeChannel(redis, call.config.redisPrefix, log).publish(change)
  })
}

/** Does what the member's own deletion does. */
export async function forgetDevices(call: Place, memberId: number): Promise<void> {
  await withRedis(call, (redis) =>
    deviceListIn(redis, call.config.redisPrefix).forget(memberId),
  ).catch((err) => log.warn({ err, memberId }, 'sign-ins not removed; they expire by themselves'))
}

/** A prefix may hold characters that a pattern of Redis interprets. */
const literal = (text: string) => text.replace(/[\\*?[\]^]/g, '\\$&')

/** A cluster knows its masters once it is ready; before that it names no node, or the ones of the setting. */
async function mastersOf(redis: ReturnType<typeof redisForRequests>): Promise<Redis[]> {
  if (!(redis instanceof Cluster)) return [redis]
  if (redis.status !== 'ready')
    await once(redis, 'ready', { signal: AbortSignal.timeout(READY_MS) })
  return redis.nodes('master')
}

async function clearRedis(call: Place): Promise<void> {
  const { redisPrefix } = call.config
  await withRedis(call, async (redis) => {
    for (const master of await mastersOf(redis)) {
      for (const start of [`${redisPrefix}:`, `${queuePrefix(redisPrefix)}:`, `{${redisPrefix}:`]) {
        for await (const keys of master.scanStream({ match: `${literal(start)}*`, count: 1000 })) {
          // One key a command: the keys of a node lie in different slots.
          await Promise.all(keys.map((key: string) => redis.del(key)))
        }
      }
    }
  })
}

/** For a restored database: Redis may name members and mails that the database does not have. */
export const redisClear = acting({
  does: 'deletes what the product keeps in Redis: sign-ins, queues, limits; for a restored database',
  of: ({ config }) => {
    if (!config.redisUrl) refuse('REDIS_URL is not set')
    return config.redisPrefix
  },
  asks: (prefix) =>
    `Delete every key of "${prefix}" in Redis? All members are signed out. Gateways and workers must be stopped.`,
  // After the commit: a logged action that could not finish is visible and can be repeated.
  run: async (_, prefix, call) => ({
    says: 'Redis holds nothing of the product any more',
    details: { prefix },
    after: () => clearRedis(call),
  }),
})
