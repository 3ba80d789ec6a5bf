import { ledgerIdSql } from '#rules/money/ledger-id'

/** SQL that finds runs of credits in rows of `parsedRowsSql`; `isUsable` holds for credits that may be rolled up. */

/** Neither a session whose rate is not known nor a member with a correction (`:corrected`). */
export const usableSql = (unknown: string) =>
  `session ${unknown} and "userId" <> all(:corrected::integer[])`

const RUN = `session, day, min(first) as first, max(last) as last, sum(amount) as amount,
    max("createdAt") as "createdAt", max("balanceAfter") as "balanceAfter", max(seq) as seq`

/**
 * Whether the credits of a session and day are one run: all intervals between the first and the last one,
 * and nothing else was posted to the wallet meanwhile, because the balance rose by their sum. Most are.
 */
const IS_ONE_RUN = `count(*) > 1 and sum(last - first + 1) = max(last) - min(first) + 1
    and max("balanceAfter") - min("balanceAfter" - amount) = sum(amount)`

/** The sessions whose credits of a day are one run; `bucket` is the column itself. */
export const wholeSql = (isUsable: string) => `
  select bucket, "userId", "walletId", "tokenType", ${RUN}
  from source where session is not null and ${isUsable}
  group by 1, 2, 3, 4, 5, 6
  having ${IS_ONE_RUN}`

/** All sessions and days of credits, and whether they are one run. */
export const sessionDaysSql = (isUsable: string) => `
  select "userId", "walletId", "tokenType", ${RUN}, ${isUsable} and ${IS_ONE_RUN} as "isWhole"
  from source where session is not null group by 1, 2, 3, 4, 5`

const WALLET = `window wallet as (partition by "userId", "tokenType" order by seq)`

/**
 * True for a credit that continues the row before it in its wallet: the next interval of the same
 * session on the same day, and nothing was posted in between.
 */
const continuesSql = (isUsable: string) => `coalesce(
    session = "previousSession" and first = "previousLast" + 1 and day = "previousDay"
    and "balanceAfter" - amount = "previousBalance", false) and ${isUsable}`

/** Common table expressions from `source` to `rolled`: ends of runs where `not "isContinued"`. */
export const runSteps = (isUsable: string, condition = '') => `rest as (
    select * from source s${condition}
  ), linked as (
    select *, lag(session) over wallet as "previousSession", lag(last) over wallet as "previousLast",
      lag("balanceAfter") over wallet as "previousBalance", lag(day) over wallet as "previousDay"
    from rest ${WALLET}
  ), runs as (
    select *, ${continuesSql(isUsable)} as continues from linked
  ), ends as (
    select *, lead(continues, 1, false) over wallet as "isContinued" from runs ${WALLET}
  ), rolled as (
    select *, lag("balanceAfter" - amount) over wallet as "balanceBefore",
      lag(first) over wallet as "firstOfRun"
    from ends where not (continues and "isContinued") ${WALLET}
  )`

/** Id of the row that stands for the intervals from `first` to the last one. */
export const rangeIdSql = (first: string) =>
  ledgerIdSql('creditRange', { sessionId: 'session', from: first, to: 'last' })

/** Columns of a ledger row that is inserted. */
export const ROW_COLUMNS = `(bucket, id, "userId", "walletId", type, amount, "tokenType", description, "createdAt",
      "balanceAfter", seq)`
