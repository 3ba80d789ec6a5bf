import type { ActCommand } from '#operators/ops/command'
import { clearRedis } from '#operators/ops/redis'
import { RuleError } from '#rules/rule-error'

/** For a restored database: Redis may name members and mails that the database does not have. */
export const redisClear: ActCommand = {
  does: 'deletes what the product keeps in Redis: sign-ins, queues, limits; for a restored database',
  act: async (call) => {
    const { redisUrl, config } = call
    if (!redisUrl) throw new RuleError('bad_input', 'REDIS_URL is not set')
    const { redisPrefix } = config
    return {
      asks: `Delete every key of "${redisPrefix}" in Redis? All members are signed out. Gateways and workers must be stopped.`,
      // After the commit: a logged action that could not finish is visible and can be repeated.
      run: async () => ({
        says: 'Redis holds nothing of the product any more',
        details: { prefix: redisPrefix },
        after: () => clearRedis(call),
      }),
    }
  },
}
