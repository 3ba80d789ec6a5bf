import { prepared } from '#db/postgres/statements/prepared'
import { epochMs } from '#db/postgres/statements/times'
import type { Db } from '#db/postgres/statements/transaction'
import type { Moment } from '#rules/money/mining-status'

/** Current product time of the database, ms. Read it after taking the locks that protect its use. */
export async function productNow(db: Db): Promise<number> {
  const { rows } = await prepared(db, 'product-now', 'select product_now() as now', {})
  return (rows[0].now as Date).getTime()
}

/** A row with the clocks that were read after its locks were taken. */
export type ClockRow = { now: Date; speed: number; asOf: number }

export const momentOf = ({ now, speed, asOf }: ClockRow): Moment => ({
  now: now.getTime(),
  speed,
  asOf,
})

/** A statement's moment. Above a subquery that locks rows, the clocks are read once the locks are held. */
export const CLOCKS = `product_now() as now, (select speed from product_clock) as speed,
  ${epochMs('clock_timestamp()')} as "asOf"`

/** The moment of a statement that takes no locks: all clocks are those of its snapshot. */
export const SNAPSHOT_CLOCKS = `
  (select date_trunc('milliseconds', "productAnchor" + (clock_timestamp() - "realAnchor") * speed)
    from product_clock) as now,
  (select speed from product_clock) as speed,
  ${epochMs('statement_timestamp()')} as "asOf"`

/** `withClocks` also returns columns of the member's user and the clocks after the locks; `clocks` only these. */
export type LockStatement = { name: string; sql: string; withClocks: string; clocks: string }

/** A query that locks rows of a member; with `user`, columns of `users u`, it has to return "userId". */
export function lockStatement(name: string, query: string, user?: string): LockStatement {
  const columns = user ? `${user}, ${CLOCKS}` : CLOCKS
  const join = user ? 'join users u on u.id = locked."userId"' : ''
  return {
    name,
    sql: query,
    withClocks: `select locked.*, ${columns} from (${query}) locked ${join}`,
    clocks: `select ${columns} ${user ? 'from users u where u.id = :userId' : ''}`,
  }
}

/** Sets the speed of product time, without a jump: 1 in production, more in demonstrations. */
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
