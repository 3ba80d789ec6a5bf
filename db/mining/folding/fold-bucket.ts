import { durationSql, firstIntervalSql, lastIntervalSql } from '#db/ledger/credit-sql'
import type { Tx } from '#db/postgres/statements/transaction'
import { SESSION_MS } from '#rules/constants'
import { ledgerIdSql } from '#rules/money/ledger-id'
import { addTotalsSql } from './totals-sql.ts'

const FACT = ledgerIdSql('credit', { sessionId: 's.id', n: "''" })

/** Sessions whose credits in the ledger are not those that the session counts. */
const DIFFERING_SQL = `
  select s.id from mining_sessions s
  left join lateral (
    select sum(${lastIntervalSql('a.id')} - ${firstIntervalSql('a.id')} + 1) as intervals,
      sum(a.amount) as amount
    from wallet_activity a
    where a.bucket = s.bucket and a."userId" = s."userId" and starts_with(a.id, ${FACT})
      and a."createdAt" > s."startTime"
      and a."createdAt" <= s."startTime" + ${durationSql(SESSION_MS)}
  ) c on true
  where s.bucket = :bucket and s.id = any(:ids)
    and (coalesce(c.intervals, 0) <> s."creditedIntervals" or coalesce(c.amount, 0) > s.reward
      or (s.status = 'completed' and coalesce(c.amount, 0) <> s.reward))
  limit 1`

/**
 * Proves that the ledger holds every credit that the sessions count, and of a completed one the whole
 * reward; what a stopped one earned in its last interval was claimed together with other sessions.
 * @throws an error if it does not; the sessions stay, and an operator has to look
 */
async function assertPaid(tx: Tx, bucket: number, ids: number[]): Promise<void> {
  const { rows } = await tx.raw(DIFFERING_SQL, { bucket, ids })
  if (rows.length > 0) {
    throw new Error(`the credits of session ${rows[0].id} differ from the ledger; its row stays`)
  }
}

const IN_BUCKET = 'where bucket = :bucket::smallint and id = any(:ids::bigint[])'

/**
 * Adds sessions of a bucket to the totals of their members and deletes them and their earlier rates, in
 * the caller's transaction. Nothing else changes a session that has ended and is paid out.
 */
export async function foldSessionsOf(tx: Tx, bucket: number, ids: number[]): Promise<void> {
  if (ids.length === 0) return
  await assertPaid(tx, bucket, ids)
  await tx.raw(addTotalsSql(`(select * from mining_sessions ${IN_BUCKET}) gone`), { bucket, ids })
  const deleted = await tx.raw(`delete from mining_sessions ${IN_BUCKET}`, { bucket, ids })
  if (deleted.rowCount !== ids.length) throw new Error('sessions to fold were changed meanwhile')
  await tx('mining_rates').whereIn('sessionId', ids).delete()
}
