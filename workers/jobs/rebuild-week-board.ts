import { WeekBoardSets } from '#db/team/week-board'
import type { Handler } from '#workers/job'

/** Reads from the ledger what members mined this week; one run restores a wiped Redis. */
export const rebuildWeekBoard: Handler<'rebuild-week-board'> = async (context) => {
  const { db, redis, config, stopping } = context
  const sets = new WeekBoardSets(redis, config.redisPrefix)
  if (!(await sets.isFresh(db))) await sets.rebuild(db, () => stopping.aborted)
}
