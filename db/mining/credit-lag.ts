import { nextIntervalEndSql } from '#db/ledger/interval-sql'
import type { Db } from '#db/postgres/transaction'
import { INTERVALS } from '#rules/constants'

/**
 * Seconds of product time since the oldest uncredited interval fell due; 0 when nothing is due.
 * Value of the metric `credit_lag_seconds`, on which operators alert.
 */
export async function creditLagSeconds(db: Db): Promise<number> {
  const { rows } = await db.raw(
    `select coalesce(extract(epoch from c.now - min(d.due)), 0)::float8 as lag
     from (select product_now() as now) c
     left join lateral (
       select ${nextIntervalEndSql('s')} as due from mining_sessions s
       where active and "quarantinedAt" is null and "creditedIntervals" < ${INTERVALS}
     ) d on d.due <= c.now
     group by c.now`,
  )
  return rows[0]?.lag ?? 0
}
