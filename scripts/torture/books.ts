import { setTimeout as sleep } from 'node:timers/promises'
import { audit } from '#db/audit'
import { creditLagSeconds } from '#db/lag'
import type { Db } from '#db/transaction'
import { toUnits } from '#rules/money'
import type { Tally } from '#scripts/torture/player'

/** What must be true of the books whatever happened; each adds what is not to `problems`. */

/** Product time at that speed: an interval each 2 s, a session in 2.4 minutes. */
export const SPEED = 600
const SETTLE_LIMIT_MS = 60_000

/** Every rule of the economy holds. */
export async function auditOnce(db: Db, problems: Set<string>): Promise<void> {
  for (const { rule, rows } of (await audit(db)).problems) {
    problems.add(`${rule}: ${JSON.stringify(rows[0])}`)
  }
}

/** Every claim that a member was told of stands in the ledger, and no other does. */
export async function compareClaims(db: Db, tally: Tally, problems: Set<string>): Promise<void> {
  for (const [token, told] of [
    ['TESP', tally.claimedTesp],
    ['USDT', tally.claimedUsdt],
  ] as const) {
    const row = await db('wallet_activity')
      .where('id', 'like', 'claim:%')
      .where({ tokenType: token })
      .first(db.raw('coalesce(sum(amount), 0)::text as paid'))
    if (toUnits(row.paid) !== toUnits(told)) {
      problems.add(`claims of ${token}: members were told ${told}, the ledger paid ${row.paid}`)
    }
  }
}

/** All that is due is credited, a minute after the end at the latest. */
export async function settle(db: Db, problems: Set<string>): Promise<void> {
  const end = Date.now() + SETTLE_LIMIT_MS
  while ((await creditLagSeconds(db)) > SPEED * 5) {
    if (Date.now() > end) return void problems.add('credits are still due a minute after the end')
    await sleep(200)
  }
}
