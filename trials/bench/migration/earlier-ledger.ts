import { partitionName } from '#db/postgres/schema/partitions'
import type { Db } from '#db/postgres/statements/transaction'
import { addEarlierMembers } from '#db/testing/releases/earlier-release'
import { DAY_MS, INTERVALS } from '#rules/constants'

const AMOUNT = '0.03333333'

/** The credits of one day of all members, by their day before today. */
const DAY_SQL = `
  with mined as (
    insert into mining_sessions ("userId", "startTime", "rateSince", "endTime", active, status,
      "hashRate", "creditSlot", "creditedIntervals", reward, "rewardClaimed")
    select id, :from::timestamptz, :from, :from::timestamptz + interval '24 hours', false, 'completed',
      0.1, 0, ${INTERVALS}, ${INTERVALS} * ${AMOUNT}, true from users
    returning id, "userId"
  )
  insert into wallet_activity (id, "userId", "walletId", type, amount, "tokenType", description,
    "createdAt", "balanceAfter")
  select 'credit:' || s.id || ':' || n, s."userId", w.id, 'mining_reward', ${AMOUNT}, 'TESP', '',
    :from::timestamptz + n * interval '20 minutes', (:day * ${INTERVALS} + n) * ${AMOUNT}
  from generate_series(1, ${INTERVALS}) n, mined s join wallets w on w."userId" = s."userId"
  order by n`

/**
 * Fills a database of the release before buckets with members who mined on each of the last days.
 * @returns the number of ledger rows
 */
export async function earlierLedger(db: Db, members: number, days: number): Promise<number> {
  await addEarlierMembers(db, members)
  const today = Math.floor(Date.now() / DAY_MS) * DAY_MS
  // The last credit of a day has the time of the next midnight.
  for (let ago = days; ago >= 0; ago--) {
    const [from, to] = [today - ago * DAY_MS, today - (ago - 1) * DAY_MS]
    const bounds = [from, to].map((at) => `'${new Date(at).toISOString()}'`)
    await db.raw(
      `create table if not exists ?? partition of wallet_activity
       for values from (${bounds[0]}) to (${bounds[1]})`,
      [partitionName(from)],
    )
  }
  for (let day = 0; day < days; day++) {
    await db.raw(DAY_SQL, { day, from: new Date(today - (days - day) * DAY_MS) })
  }
  const rows = members * days * INTERVALS
  await db.raw(`update wallets set balance = ${AMOUNT} * ?`, [days * INTERVALS])
  await db.raw('update network_counters set "ledgerRows" = ? where bucket = 0', [rows])
  await db.raw('vacuum analyze')
  return rows
}
