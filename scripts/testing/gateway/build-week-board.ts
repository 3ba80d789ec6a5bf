import { WeekBoardSets } from '#db/team/week-board'
import { redisForRequests } from '#runtime/redis'
import type { ServedProduct } from './product.ts'

/** Builds the boards of the week as the workers do. */
export async function buildWeekBoard({ config, db }: ServedProduct): Promise<void> {
  const redis = redisForRequests(config.redisUrl)
  try {
    await new WeekBoardSets(redis, config.redisPrefix).rebuild(db)
  } finally {
    redis.disconnect()
  }
}
