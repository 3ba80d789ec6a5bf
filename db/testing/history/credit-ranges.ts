import { type Credit, type CreditScope, creditAllDue } from '#db/ledger/ledger'
import { sweepCounter } from '#db/ledger/network-counters'
import type { Db } from '#db/postgres/statements/transaction'
import { type BucketRange, SWEEP_RANGES } from '#rules/buckets'

/** Scope of all running sessions of a range of buckets. */
export async function wholeRange(db: Db, { first, last }: BucketRange): Promise<CreditScope> {
  const sessions = await db('mining_sessions')
    .whereBetween('shard', [first, last])
    .where({ active: true })
    .select({ sessionId: 'id', userId: 'userId' })
  return { sessions, counter: sweepCounter({ first, last }) }
}

/**
 * Credits every interval that is due in the ranges with the statement of the workers.
 * @param now product time in ms; the database's own when absent
 */
export async function creditRanges(
  db: Db,
  now?: number,
  ranges: BucketRange[] = SWEEP_RANGES,
): Promise<Credit[]> {
  const credits: Credit[] = []
  for (const range of ranges) {
    credits.push(...(await creditAllDue(db, await wholeRange(db, range), now)))
  }
  return credits
}
