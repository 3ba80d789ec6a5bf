import { epochMs } from '#db/postgres/statements/times'
import type { Db } from '#db/postgres/statements/transaction'
import { memberKey } from '#rules/buckets'
import { INTERVALS } from '#rules/constants'
import { paidIntervals, type SessionRate } from '#rules/money/credit-detail'
import { ledgerId, parseLedgerId } from '#rules/money/ledger-id'
import { intervalEnd } from '#rules/money/mining'
import { type Money, minus, sum, toUnits } from '#rules/money/money'
import type { Activity } from '#rules/snapshots'

/** An automatic credit stores no description. */
const DESCRIPTION = 'Automatic mining credit'

function rangeOf(id: string): { sessionId: number; from: number; to: number } | undefined {
  const fact = parseLedgerId(id)
  if (fact?.kind !== 'creditRange') return undefined
  const { fields } = fact
  const [sessionId, from, to] = [Number(fields.sessionId), Number(fields.from), Number(fields.to)]
  const isUsable = Number.isSafeInteger(sessionId) && from >= 1 && from < to && to <= INTERVALS
  return isUsable ? { sessionId, from, to } : undefined
}

/** Recomputed credits of a rolled-up row, newest first; empty for other ids, or if they do not add up (a repair). */
export async function creditsOfRow(db: Db, memberId: number, id: string): Promise<Activity[]> {
  const range = rangeOf(id)
  if (!range) return []
  const session = await db('mining_sessions')
    .where({ ...memberKey(memberId), id: range.sessionId })
    .first('id', 'startTime', 'rateSince', 'hashRate')
  if (!session) return []
  const startedAt: number = session.startTime.getTime()
  const createdAt = new Date(intervalEnd(startedAt, range.to))
  const row = await db('wallet_activity')
    .where({ ...memberKey(memberId), id, createdAt })
    .first('amount', 'balanceAfter')
  if (!row) return []
  const earlier: SessionRate[] = await db('mining_rates')
    .where({ sessionId: session.id })
    .orderBy('since')
    .select({ since: db.raw(epochMs('since')), rate: 'hashRate' })
  const rates = [...earlier, { since: session.rateSince.getTime(), rate: session.hashRate }]
  const paid = paidIntervals(startedAt, rates, range)
  if (toUnits(sum(...paid.map(({ amount }) => amount))) !== toUnits(row.amount)) return []
  let balanceAfter: Money = row.balanceAfter
  return paid.toReversed().map(({ n, at, amount }) => {
    const credit: Activity = {
      id: ledgerId('credit', { sessionId: range.sessionId, n }),
      type: 'mining_reward',
      amount,
      tokenType: 'TESP',
      description: DESCRIPTION,
      timestamp: new Date(at).toISOString(),
      balanceAfter,
    }
    // Nothing else was posted to the wallet between the credits of a row.
    balanceAfter = minus(balanceAfter, amount)
    return credit
  })
}
