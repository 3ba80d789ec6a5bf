import { prepared } from '#db/postgres/statements/prepared'
import type { Db } from '#db/postgres/statements/transaction'

/**
 * Current product time of the database, ms. Read it after taking the locks that protect its use.
 */
export async function productNow(db: Db): Promise<number> {
  const { rows } = await prepared(db, 'product-now', 'select product_now() as now', {})
  return (rows[0].now as Date).getTime()
}

/** A statement that takes locks, and the same one that also returns product time as `now` after that. */
export type LockStatement = { name: string; sql: string; withClock: string }

/** A query that locks rows. The subquery keeps the locks below the clock, which is read once they are held. */
export const lockStatement = (name: string, query: string): LockStatement => ({
  name,
  sql: query,
  withClock: `select locked.*, product_now() as now from (${query}) locked`,
})

/**
 * Sets the speed of product time as a multiple of real time, without a jump: 1 in production, more
 * in demonstrations.
 */
export async function setClockSpeed(db: Db, speed: number): Promise<void> {
  await db.raw(
    `update product_clock set "productAnchor" = p.now, "realAnchor" = clock_timestamp(), speed = ?
     from (select product_now() as now) as p where speed <> ?`,
    [speed, speed],
  )
}

/** Speed of product time as a multiple of real time. */
export async function readClockSpeed(db: Db): Promise<number> {
  const row = await db('product_clock').first('speed')
  return Number(row?.speed ?? 1)
}
