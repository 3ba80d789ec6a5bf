import { setTimeout as sleep } from 'node:timers/promises'
import { audit } from '#db/ledger/audit'
import { auditSeals } from '#db/ledger/seals/audit-seals'
import { creditLagSeconds, findMissedCredits } from '#db/mining/credit-lag'
import type { Db } from '#db/postgres/statements/transaction'
import { type Money, sum, toUnits } from '#rules/money/money'
import type { Claimed } from './member.ts'

/** Invariants that hold after any fault; each check adds its violations to `problems`. */

/** Speed of product time under load: an interval every 2 s, a session in 2.4 minutes. */
export const SPEED = 600
const SETTLE_LIMIT_MS = 60_000

/** Every rule of the economy holds. */
export async function checkAudit(db: Db, problems: Set<string>): Promise<void> {
  for (const { rule, rows } of (await audit(db)).problems) {
    problems.add(`${rule}: ${JSON.stringify(rows[0])}`)
  }
}

/** Every sealed day has the rows that were sealed, and the chain of seals is whole. */
export async function checkSeals(db: Db, problems: Set<string>): Promise<void> {
  for (const [rule, [row]] of Object.entries(await auditSeals(db))) {
    if (row) problems.add(`${rule}: ${JSON.stringify(row)}`)
  }
}

/**
 * Every acknowledged claim took effect with the acknowledged amounts, and the ledger paid exactly
 * the stored answers. A claim may take effect without an acknowledgement: a frozen gateway can
 * execute it after another gateway has refused the same command.
 */
export async function checkClaims(
  db: Db,
  claims: ReadonlyMap<string, Claimed>,
  problems: Set<string>,
): Promise<void> {
  const stored: { key: string; answer: Claimed }[] = await db('idempotency_keys')
    .where({ route: 'POST /api/mining/claim' })
    .whereNotNull('answer')
    .select('key', 'answer')
  const answers = new Map(stored.map(({ key, answer }) => [key, answer]))
  for (const [key, { claimedTesp, claimedUsdt }] of claims) {
    const answer = answers.get(key)
    if (answer?.claimedTesp !== claimedTesp || answer.claimedUsdt !== claimedUsdt) {
      problems.add(`claim ${key}: acknowledged ${claimedTesp}, stored ${answer?.claimedTesp}`)
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
      problems.add(`claims of ${tokenType}: answers say ${answered}, the ledger paid ${row.paid}`)
    }
  }
}

/** Totals of some claims in TESP and USDT. */
export function sumOf(claims: Iterable<Claimed>): { tesp: Money; usdt: Money } {
  let tesp: Money = '0'
  let usdt: Money = '0'
  for (const { claimedTesp, claimedUsdt } of claims) {
    tesp = sum(tesp, claimedTesp)
    usdt = sum(usdt, claimedUsdt)
  }
  return { tesp, usdt }
}

/**
 * Waits until everything due is credited, at most one minute.
 * @param lagS longest lag of credits, seconds of product time; 0 while it stands still
 */
export async function waitUntilCredited(
  db: Db,
  problems: Set<string>,
  lagS = SPEED * 5,
): Promise<void> {
  const end = Date.now() + SETTLE_LIMIT_MS
  // The lag covers what is due since the last sweep, so anything older is returned to the sweeps.
  await findMissedCredits(db)
  while ((await creditLagSeconds(db)) > lagS) {
    if (Date.now() > end) return void problems.add('credits are still due after one minute')
    await sleep(200)
  }
}
