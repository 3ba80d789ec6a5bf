import { ensurePartitions } from '#db/ledger/partitions'
import { endSessions } from '#db/mining/end-sessions'
import { claimRewards, startMining, stopMining } from '#db/mining/mining'
import { rerateSession } from '#db/mining/sessions'
import { productNow } from '#db/postgres/connection/product-clock'
import { type Db, inTransaction, type Tx } from '#db/postgres/statements/transaction'
import { completeTask } from '#db/tasks'
import { advance, freeze } from '#db/testing/clock'
import { insertMembers } from '#db/testing/members'
import { insertSessions, startedBefore } from '#db/testing/sessions'
import { DAY_MS, HOUR_MS } from '#rules/constants'
import { creditRanges } from './credit-ranges.ts'

const MEMBERS = 12
/** Product time that passes after the history by default. */
const AGE_MS = 20 * DAY_MS

/** Records that every interval that ended by now is credited, as a sweep does. */
export async function recordSwept(db: Db): Promise<void> {
  await db('credit_sweeps').update({ sweptTo: db.raw('product_now()') })
}

/**
 * Fills a database with sessions of three days that ended 20 days or `ageMs` ago. Most run over midnight for 24
 * hours. The first three members do more: a task between two credits; a stop, a claim and another
 * session; two changes of the rate.
 * @returns the members and noon of the middle day, ms
 */
export async function seedOldDays(
  db: Db,
  ageMs = AGE_MS,
): Promise<{ members: number[]; noon: number }> {
  await freeze(db)
  const now = await productNow(db)
  const noon = Math.floor(now / DAY_MS) * DAY_MS + 1.5 * DAY_MS
  await advance(db, noon - now)
  const members = await insertMembers(db, MEMBERS)
  const [first = 0, second = 0, third = 0] = members
  const run = <T>(work: (tx: Tx) => Promise<T>) => inTransaction(db, work)
  await insertSessions(
    db,
    members.map((userId, i) => ({ userId, startedAt: startedBefore(noon, 45 + i, i * 61_003) })),
  )
  await creditRanges(db, noon - 6 * HOUR_MS)
  await run((tx) => completeTask(tx, first, 'join_telegram'))
  for (const [miningBoost, hour] of [
    ['0.35', 5.3],
    ['0.4', 2.1],
  ] as const) {
    const member = { id: third, miningBoost, teamLevel: 1 }
    await run((tx) => rerateSession(tx, member, noon - hour * HOUR_MS))
  }
  await creditRanges(db)
  await run((tx) => stopMining(tx, second))
  await run((tx) => claimRewards(tx, second))
  await run((tx) => startMining(tx, second))
  await advance(db, ageMs)
  await creditRanges(db)
  await endSessions(db)
  await ensurePartitions(db)
  await recordSwept(db)
  return { members, noon }
}
