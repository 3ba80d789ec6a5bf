import { firstIntervalSql, lastIntervalSql } from '#db/ledger/credit-sql'
import { prepared } from '#db/postgres/statements/prepared'
import { durationSql, epochMs } from '#db/postgres/statements/times'
import type { Db } from '#db/postgres/statements/transaction'
import { memberKey } from '#rules/buckets'
import { BASE_RATE, DAY_MS, HOUR_MS, INTERVAL_MS } from '#rules/constants'
import { toUnits } from '#rules/money/money'
import type { Earnings } from '#rules/snapshots'

/** SQL twin of `earnedAt` of #rules/money/mining for a session at the base rate: units at the end of interval `n`. */
const baseUnitsSql = (n: string) =>
  `${n}::bigint * ${toUnits(BASE_RATE) * BigInt(INTERVAL_MS)} / ${HOUR_MS}`

/** TESP of a row's intervals without a team; it depends on their numbers only, so a roll-up changes no share. */
const BASE_SQL = `(${baseUnitsSql(lastIntervalSql('id'))}
    - ${baseUnitsSql(`(${firstIntervalSql('id')} - 1)`)}) * 0.00000001`

/** Each share of a day: the amount of a row that belongs to it, and the rows that have one. */
const SHARES = {
  mining: [
    `case fact when 'credit' then ${BASE_SQL} else amount end`,
    `fact in ('credit', 'claim')`,
  ],
  team: [`amount - ${BASE_SQL}`, `fact = 'credit'`],
  rewards: ['amount', `fact in ('task', 'milestone')`],
  other: ['amount', `fact not in ('credit', 'claim', 'task', 'milestone')`],
} as const

const ZERO = '0::numeric(20, 8)'

const sharesSql = Object.entries(SHARES).map(
  ([name, [amount, isIn]]) =>
    `'${name}', coalesce(sum(${amount}) filter (where "tokenType" = 'TESP' and ${isIn}), ${ZERO})::text`,
)

const DAY = durationSql(DAY_MS)
const dayOfSql = (time: string) => `date_bin(${DAY}, ${time}, to_timestamp(0))`

/**
 * A row for each day, oldest first. A run of credits is rolled up within its UTC day, so the sums are the same before
 * and after a roll-up.
 */
const EARNINGS_SQL = `
  select (
    select json_agg(day order by at) from (
      select at, json_build_object('day', to_char(at at time zone 'UTC', 'YYYY-MM-DD'), ${sharesSql.join(', ')},
        'usdt', coalesce(sum(amount) filter (where "tokenType" = 'USDT'), ${ZERO})::text) as day
      from generate_series(today - (:days::integer - 1) * ${DAY}, today, ${DAY}) at
      left join (
        select *, split_part(id, ':', 1) as fact from ledger_rows(:bucket::smallint, :userId::integer,
          today - (:days::integer - 1) * ${DAY}, today + ${DAY})
      ) earned on ${dayOfSql('"createdAt"')} = at
      group by at
    ) by_day
  ) as days, ${epochMs('statement_timestamp()')} as "asOf"
  from (select ${dayOfSql('product_now()')} as today) clock`

/** Earnings of the last UTC days (product time) as the rows add up; credits count at the end of their interval. */
export async function readEarnings(db: Db, memberId: number, days: number): Promise<Earnings> {
  const values = { ...memberKey(memberId), days }
  return (await prepared(db, 'earnings', EARNINGS_SQL, values)).rows[0]
}
