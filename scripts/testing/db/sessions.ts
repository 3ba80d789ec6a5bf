import { countMining } from '#db/ledger/network-counters'
import { type Db, inTransaction } from '#db/postgres/statements/transaction'
import { bucketOf } from '#rules/buckets'
import { INTERVAL_MS } from '#rules/constants'
import { creditSlot } from '#rules/money/mining'
import { sum } from '#rules/money/money'

/** Columns of a test session; absent ones are as `startMining` writes them. Times in ms. */
type TestSession = {
  userId: number
  startedAt: number
  hashRate?: string
  usdtRate?: string
  rateSince?: number
  tespAccrued?: string
  usdtAccrued?: string
}

/** Inserts running sessions with a history; returns their ids in the same order. */
export async function insertSessions(db: Db, sessions: TestSession[]): Promise<number[]> {
  const rows = sessions.map(({ startedAt, rateSince = startedAt, hashRate = '0.1', ...rest }) => ({
    ...rest,
    bucket: bucketOf(rest.userId),
    hashRate,
    startTime: new Date(startedAt),
    rateSince: new Date(rateSince),
    creditSlot: creditSlot(startedAt),
  }))
  const rate = sum(...rows.map(({ hashRate }) => hashRate))
  return inTransaction(db, async (tx) => {
    const ids = new Map<number, number>()
    for (let from = 0; from < rows.length; from += 500) {
      const made = await tx('mining_sessions')
        .insert(rows.slice(from, from + 500))
        .returning(['id', 'userId'])
      for (const { id, userId } of made) ids.set(userId, id)
    }
    await countMining(tx, 0, rows.length, rate)
    return sessions.map(({ userId }) => ids.get(userId) ?? 0)
  })
}

/** Start of a session whose interval number `intervals` ended `ms` before `now`. */
export function startedBefore(now: number, intervals: number, ms = 0): number {
  return now - intervals * INTERVAL_MS - ms
}
