import { setTimeout as sleep } from 'node:timers/promises'
import { audit } from '#db/ledger/audit'
import { creditLagSeconds } from '#db/mining/credit-lag'
import type { Db } from '#db/postgres/transaction'
import { type Money, sum, toUnits } from '#rules/money'
import type { Claimed, Tally } from './player.ts'

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

/**
 * Every claim that a member was told of took effect as it was told, and the ledger paid what claims
 * answered, no more. A claim may take effect without being told: one that a silent gateway still
 * held when another gateway refused the same press.
 */
export async function compareClaims(db: Db, tally: Tally, problems: Set<string>): Promise<void> {
  const kept: { key: string; answer: Claimed }[] = await db('idempotency_keys')
    .where({ route: 'POST /api/mining/claim' })
    .whereNotNull('answer')
    .select('key', 'answer')
  const answers = new Map(kept.map(({ key, answer }) => [key, answer]))
  for (const [key, { claimedTesp, claimedUsdt }] of tally.claims) {
    const answer = answers.get(key)
    if (answer?.claimedTesp !== claimedTesp || answer.claimedUsdt !== claimedUsdt) {
      problems.add(`the claim ${key} was told ${claimedTesp}, and is ${answer?.claimedTesp}`)
    }
  }
  const { tesp, usdt } = sumOf(answers.values())
  for (const [tokenType, answered] of [
    ['TESP', tesp],
    ['USDT', usdt],
  ] as const) {
    const row = await db('wallet_activity')
      .where('id', 'like', 'claim:%')
      .where({ tokenType })
      .first(db.raw('coalesce(sum(amount), 0)::text as paid'))
    if (toUnits(row.paid) !== toUnits(answered)) {
      problems.add(`claims of ${tokenType} answered ${answered}, the ledger paid ${row.paid}`)
    }
  }
}

/** TESP and USDT of some claims together. */
export function sumOf(claims: Iterable<Claimed>): { tesp: Money; usdt: Money } {
  let tesp: Money = '0'
  let usdt: Money = '0'
  for (const { claimedTesp, claimedUsdt } of claims) {
    tesp = sum(tesp, claimedTesp)
    usdt = sum(usdt, claimedUsdt)
  }
  return { tesp, usdt }
}

/** All that is due is credited, a minute after the end at the latest. */
export async function settle(db: Db, problems: Set<string>): Promise<void> {
  const end = Date.now() + SETTLE_LIMIT_MS
  while ((await creditLagSeconds(db)) > SPEED * 5) {
    if (Date.now() > end) return void problems.add('credits are still due a minute after the end')
    await sleep(200)
  }
}
