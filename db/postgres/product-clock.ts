import type { Db } from './transaction.ts'

/** Product time of the database now, ms. Read it after taking the locks that it is used under. */
export async function productNow(db: Db): Promise<number> {
  const result = await db.raw('select product_now() as now')
  return (result.rows[0].now as Date).getTime()
}

/**
 * Makes product time run that many times as fast as real time from now on; it never jumps.
 * 1 in production; demonstrations use more.
 */
export async function setClockSpeed(db: Db, speed: number): Promise<void> {
  await db.raw(
    `update product_clock set "productAnchor" = p.now, "realAnchor" = clock_timestamp(), speed = ?
     from (select product_now() as now) as p where speed <> ?`,
    [speed, speed],
  )
}

/** How many times as fast as real time product time runs. */
export async function clockSpeed(db: Db): Promise<number> {
  const row = await db('product_clock').first('speed')
  return Number(row?.speed ?? 1)
}
