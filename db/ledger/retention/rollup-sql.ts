import { firstIntervalSql, lastIntervalSql, sessionOfSql } from '#db/ledger/credit-sql'
import { durationSql } from '#db/postgres/statements/times'
import { DAY_MS } from '#rules/constants'
import { ledgerIdLike, ledgerIdSql } from '#rules/money/ledger-id'

/** The part of a partition that one transaction handles: members with `userId % passes = pass`. */
export type Pass = { passes: number; pass: number }

const IS_CREDIT = `d.id like '${ledgerIdLike('credit')}'`

/** Rows `d` of `table` with their UTC day and, null for all but automatic credits, session and intervals. */
export const parsedRowsSql = (table: string, condition: string) => `
  select d.*, date_bin(${durationSql(DAY_MS)}, d."createdAt", to_timestamp(0)) as day,
    case when ${IS_CREDIT} then ${sessionOfSql('d.id')} end as session,
    case when ${IS_CREDIT} then ${firstIntervalSql('d.id')} end as first,
    case when ${IS_CREDIT} then ${lastIntervalSql('d.id')} end as last
  from "${table}" d
  where ${condition}`

/** The parsed rows of the members of one pass that did not arrive late. */
export const passRowsSql = (table: string) =>
  parsedRowsSql(
    table,
    `d."userId" % :passes = :pass and not exists (
    select from ledger_late_rows l where l.id = d.id and l."createdAt" = d."createdAt")`,
  )

/**
 * The same for a statement that groups. `offset 0` keeps the planner from parsing ids in the one process that groups:
 * the processes that read share it, and each id is parsed once.
 */
export const parsedOnceSql = (table: string) => `${passRowsSql(table)} offset 0`

/** Credits of members with a correction (`:corrected`) stay single. */
const IS_USABLE = '"userId" <> all(:corrected::integer[])'

const RUN = `session, day, min(first) as first, max(last) as last, sum(amount) as amount,
    max("createdAt") as "createdAt", max("balanceAfter") as "balanceAfter", max(seq) as seq`

/** A session's credits of a day are one run: no gap, and no other posting, as the balance rose by their sum. */
const IS_ONE_RUN = `count(*) > 1 and sum(last - first + 1) = max(last) - min(first) + 1
    and max("balanceAfter") - min("balanceAfter" - amount) = sum(amount)`

/** The sessions whose credits of a day are one run; `bucket` is the column itself. */
export const WHOLE_SQL = `
  select bucket, "userId", "walletId", "tokenType", ${RUN}
  from source where session is not null and ${IS_USABLE}
  group by 1, 2, 3, 4, 5, 6
  having ${IS_ONE_RUN}`

/** All sessions and days of credits, and whether they are one run. */
export const SESSION_DAYS_SQL = `
  select "userId", "walletId", "tokenType", ${RUN}, ${IS_USABLE} and ${IS_ONE_RUN} as "isWhole"
  from source where session is not null group by 1, 2, 3, 4, 5`

const WALLET = `window wallet as (partition by "userId", "tokenType" order by seq)`

/** A credit continues the row before it in its wallet: next interval of that session and day, no posting between. */
const CONTINUES = `coalesce(
    session = "previousSession" and first = "previousLast" + 1 and day = "previousDay"
    and "balanceAfter" - amount = "previousBalance", false) and ${IS_USABLE}`

/** Common table expressions from `source` to `rolled`: ends of runs where `not "isContinued"`. */
export const runSteps = (condition = '') => `rest as (
    select * from source s${condition}
  ), linked as (
    select *, lag(session) over wallet as "previousSession", lag(last) over wallet as "previousLast",
      lag("balanceAfter") over wallet as "previousBalance", lag(day) over wallet as "previousDay"
    from rest ${WALLET}
  ), runs as (
    select *, ${CONTINUES} as continues from linked
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
