import { durationSql, firstIntervalSql, lastIntervalSql, sessionOfSql } from '#db/ledger/credit-sql'
import { DAY_MS } from '#rules/constants'
import { ledgerIdLike } from '#rules/money/ledger-id'

/** The part of a partition that one transaction handles: members with `userId % passes = pass`. */
export type Pass = { passes: number; pass: number }

const IS_CREDIT = `d.id like '${ledgerIdLike('credit')}'`

/**
 * The rows `d` of `table` that fulfil a condition, each with its UTC day and with the session and the
 * intervals that it pays; these are null for rows that are no automatic credit.
 */
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
 * The same rows for a statement that groups them. `offset 0` keeps the planner from parsing ids where it
 * groups, which one process does: here all that read the partition share it, and each id is parsed once.
 */
export const parsedOnceSql = (table: string) => `${passRowsSql(table)} offset 0`
