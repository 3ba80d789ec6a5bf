import { INBOX_DAYS } from '#rules/inbox'
import { REFUSAL_DAYS } from './members/refused-addresses.ts'
import type { Db } from './postgres/statements/transaction.ts'

/** How long rows are kept: for each table the condition of those that are deleted, whoever they belong to. */
const OLD = {
  email_codes: `"createdAt" < now() - interval '1 day'`,
  /** Refusals that do not count any more. */
  refused_addresses: `"refusedAt" <= now() - interval '${REFUSAL_DAYS} days'`,
  idempotency_keys: `"createdAt" < now() - interval '2 days'`,
  /** Readers ask each second; a slower transaction is not the product's. */
  member_changes: `at < clock_timestamp() - interval '2 minutes'`,
  /** Then an e-mail address may be counted in a team again. */
  counted_addresses: `"createdAt" < now() - interval '1 year'`,
  reminders: `"settledAt" < now() - interval '7 days'`,
  /** No inbox shows them any more. */
  announcements: `greatest(at, until) < now() - interval '${INBOX_DAYS} days'`,
}

/** Deletes the old rows of a table; returns their number. */
export async function deleteOld(db: Db, table: keyof typeof OLD): Promise<number> {
  return db(table).whereRaw(OLD[table]).delete()
}

/** Deletes the old rows of each table that has a fixed retention. */
export async function deleteOldRows(db: Db): Promise<void> {
  for (const table of Object.keys(OLD)) await deleteOld(db, table as keyof typeof OLD)
}
