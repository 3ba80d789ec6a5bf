/**
 * Stands for `cron-parser` in the bundles. BullMQ imports it for schedules with a cron pattern, which
 * this product does not have; its time zone library would stay in memory.
 */
export const CronExpressionParser = {
  parse(pattern: string): never {
    throw new Error(`The bundle has no cron parser for the pattern ${pattern}`)
  },
}
