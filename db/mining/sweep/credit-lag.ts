import { dueSql } from '#db/ledger/credits/credit-sql'
import { nextIntervalEndSql } from '#db/ledger/credits/interval-sql'
import { splitCreditLag } from '#db/mining/citus/credit-lag'
import { isDistributed } from '#db/postgres/connection/layout'
import type { Db } from '#db/postgres/statements/transaction'
import { CREDIT_SLOTS } from '#rules/constants'
import { allSlotsSql, creditSlotSql } from './sweep-range.ts'

const LAST_SLOT = CREDIT_SLOTS - 1

/**
 * Reads only the slots that passed since each range of buckets was swept: few rows while sweeps run,
 * because they record how far they got. The slots are two ranges if the cycle ended in between.
 */
const LAG_SQL = `
  select coalesce(extract(epoch from max(c.now - d.due)), 0)::float8 as lag
  from (select *, ${allSlotsSql} as "isAll" from credit_sweeps,
    (select product_now() as now) clock) c
  cross join lateral (select ${creditSlotSql('c."sweptTo"')} as "from",
    ${creditSlotSql('c.now')} as "to") s
  cross join lateral (values
    (case when c."isAll" then 0 else s."from" end,
     case when c."isAll" or s."from" > s."to" then ${LAST_SLOT} else s."to" end),
    (0, case when c."isAll" or s."from" <= s."to" then -1 else s."to" end)) r(first, last)
  cross join lateral (
    select min(${nextIntervalEndSql('s')}) as due from mining_sessions s
    where ${dueSql('c.now')} and s."creditSlot" between r.first and r.last
      and s.shard between c."firstBucket" and c."lastBucket"
  ) d`

/**
 * Seconds of product time since the oldest uncredited interval fell due; 0 when nothing is due.
 * Value of the metric `credit_lag_seconds`, on which operators alert. It rises while no sweep runs.
 */
export async function creditLagSeconds(db: Db): Promise<number> {
  if (await isDistributed(db)) return splitCreditLag(db)
  const { rows } = await db.raw(LAG_SQL)
  return rows[0].lag
}
