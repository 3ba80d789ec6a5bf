import type { Db } from '#db/postgres/statements/transaction'

/** Moves product time forward, or back for a negative `ms`. */
export async function advance(db: Db, ms: number): Promise<void> {
  await db.raw(
    `update product_clock set "productAnchor" = "productAnchor" + ? * interval '1 millisecond'`,
    [ms],
  )
}

/** Stops product time, so that repeated reads are equal; `advance` moves it. */
export async function freeze(db: Db): Promise<void> {
  await db.raw(
    `update product_clock set "productAnchor" = date_trunc('seconds', p.now),
       "realAnchor" = clock_timestamp(), speed = 1e-12
     from (select product_now() as now) as p`,
  )
}
