import type { SessionRef } from '#db/ledger/bucket-range-sql'
import type { Credit } from '#db/ledger/credit-sql'
import { type CreditScope, creditAllDue } from '#db/ledger/ledger'
import { rangesToSweep } from '#db/mining/sweep'
import type { Db } from '#db/postgres/statements/transaction'
import { type BucketRange, isInRange } from '#rules/buckets'

/** Scope of all running sessions of a range of buckets. */
export async function wholeRange(db: Db, range: BucketRange): Promise<CreditScope> {
  const found: SessionRef[] = await db('mining_sessions')
    .whereBetween('bucket', [range.first, range.last])
    .where({ active: true })
    .select({ sessionId: 'id', userId: 'userId' })
  return { sessions: found.filter(({ userId }) => isInRange(range, userId)), range }
}

/**
 * Credits every interval that is due in the ranges with the statement of the workers.
 * @param now product time in ms; the database's own when absent
 */
export async function creditRanges(
  db: Db,
  now?: number,
  ranges?: BucketRange[],
): Promise<Credit[]> {
  const credits: Credit[] = []
  for (const range of ranges ?? (await rangesToSweep(db))) {
    credits.push(...(await creditAllDue(db, await wholeRange(db, range), now)))
  }
  return credits
}
