import type { Db } from '#db/postgres/statements/transaction'

/**
 * Current product time of the database, ms. Read it after taking the locks that protect its use.
 */
export async function productNow(db: Db): Promise<number> {
  const result = await db.raw('select product_now() as now')
  return (result.rows[0].now as Date).getTime()
}

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
