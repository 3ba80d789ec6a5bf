import type { Db } from '#db/postgres/transaction'
import { INTERVALS } from '#rules/constants'

/**
 * Seconds of product time since the oldest interval fell due that is not credited yet; 0 when
 * nothing is due. The workers' one alarm.
 */
export async function creditLagSeconds(db: Db): Promise<number> {
  const { rows } = await db.raw(
    `select coalesce(extract(epoch from c.now - min(d.due)), 0)::float8 as lag
     from (select product_now() as now) c
     left join lateral (
       select "startTime" + ("creditedIntervals" + 1) * interval '20 minutes' as due
       from mining_sessions where active and "quarantinedAt" is null and "creditedIntervals" < ${INTERVALS}
     ) d on d.due <= c.now
     group by c.now`,
  )
  return rows[0]?.lag ?? 0
}
