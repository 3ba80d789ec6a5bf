import { descriptionSql } from '#db/ledger/credits/credit-sql'
import type { Db } from '#db/postgres/statements/transaction'
import { memberKey } from '#rules/buckets'
import type { Money } from '#rules/money/money'

/** A ledger row as operators see it. */
export type LedgerLine = {
  id: string
  at: Date
  type: string
  amount: Money
  token: string
  balanceAfter: Money
  description: string
}

/** The newest ledger rows of a member, newest first. */
export async function ledgerOf(db: Db, memberId: number, limit: number): Promise<LedgerLine[]> {
  return db('wallet_activity')
    .where(memberKey(memberId))
    .orderBy([
      { column: 'createdAt', order: 'desc' },
      { column: 'seq', order: 'desc' },
    ])
    .limit(limit)
    .select('id', 'createdAt as at', 'type', 'amount', 'tokenType as token', 'balanceAfter')
    .select({ description: db.raw(descriptionSql('wallet_activity')) })
}

/** A mining session as operators see it. */
export type SessionLine = {
  id: number
  startedAt: Date
  endedAt: Date | null
  status: string
  rate: Money
  creditedIntervals: number
  reward: Money
  usdtReward: Money
  quarantineReason: string | null
}

/** The newest sessions of a member, newest first. */
export async function sessionsOf(db: Db, memberId: number, limit: number): Promise<SessionLine[]> {
  return db('mining_sessions')
    .where(memberKey(memberId))
    .orderBy('id', 'desc')
    .limit(limit)
    .select('id', 'startTime as startedAt', 'endTime as endedAt', 'status', 'hashRate as rate')
    .select('creditedIntervals', 'reward', 'usdtReward', 'quarantineReason')
}
