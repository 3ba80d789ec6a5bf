import type { Knex } from 'knex'
import { prepared } from '#db/postgres/statements/prepared'
import type { Db, Tx } from '#db/postgres/statements/transaction'
import { isDistributed } from './layout.ts'

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
 * Runs the statement, then reads product time, ms, in one round trip. On Citus, whose nodes have clocks of
 * their own, the clock is a second statement that is sent with the first: Postgres begins it when the locks
 * are held. Undefined if the statement returns no row.
 */
export async function readLocked<Row>(
  tx: Tx,
  { name, sql, withClock }: LockStatement,
  bindings: Record<string, Knex.RawBinding>,
): Promise<{ row: Row; now: number } | undefined> {
  const isSplit = await isDistributed(tx)
  const [{ rows }, now] = await Promise.all([
    prepared(tx, name, isSplit ? sql : withClock, bindings),
    isSplit ? productNow(tx) : undefined,
  ])
  const [row] = rows
  return row && { row, now: now ?? row.now.getTime() }
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
