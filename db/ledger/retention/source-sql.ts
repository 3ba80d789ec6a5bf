import {
  firstIntervalSql,
  lastIntervalSql,
  sessionOfSql,
} from '#db/ledger/credits/credit-range-sql'
import { ledgerIdLike } from '#rules/money/ledger-id'

const IS_CREDIT = `d.id like '${ledgerIdLike('credit')}'`

/**
 * The rows `d` of `table` that fulfil a condition, each with the session and the intervals that it pays;
 * these are null for rows that are no automatic credit.
 */
export const parsedRowsSql = (table: string, condition: string) => `
  select d.*,
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
