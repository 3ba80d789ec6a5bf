import { setTimeout as sleep } from 'node:timers/promises'
import type { Db } from '#db/postgres/statements/transaction'
import type { Visitor } from '#gateway/testing/visitor'
import { memberKey } from '#rules/buckets'
import type { Receipt } from '#rules/seal/receipt'
import type { Seal } from '#rules/seal/seal'
import { verifyReceipt } from '#rules/seal/verify-receipt'

/** A roll-up replaces rows, and their new ones have no receipt until the day is sealed again. */
const TRIES = 50
const TRY_INTERVAL_MS = 200

/** A random row of the member in the sealed days; undefined if there is none. */
async function sealedRow(db: Db, memberId: number): Promise<string | undefined> {
  const row = await db('wallet_activity')
    .where(memberKey(memberId))
    .whereRaw(`("createdAt" at time zone 'UTC')::date <= (select max(day) from ledger_seals)`)
    .orderByRaw('random()')
    .first('id')
  return row?.id
}

async function receiptOf(visitor: Visitor, memberId: number): Promise<Receipt | undefined> {
  for (let tries = 0; tries < TRIES; tries++) {
    const id = await sealedRow(visitor.product.db, memberId)
    if (id === undefined) return undefined
    const { body } = await visitor.call('GET /api/ledger/receipt', { query: { id } })
    if (body.receipt) return body.receipt
    await sleep(TRY_INTERVAL_MS)
  }
  throw new Error(`member ${memberId} gets no receipt of a sealed row`)
}

async function failedChecks(receipt: Receipt, roots: Seal[]): Promise<string[]> {
  const { number } = receipt.seal
  const hash = roots.find((seal) => seal.number === number)?.hash ?? 'missing'
  const checks = Object.entries(await verifyReceipt(receipt, { hash }))
  return checks.filter(([, holds]) => holds !== true).map(([check]) => check)
}

/**
 * Downloads a receipt of a sealed row of each member and checks it as `npm run verify` does, against
 * the roots that another gateway publishes.
 * @returns the number of receipts that hold
 */
export async function verifyReceipts(visitors: Visitor[], problems: Set<string>): Promise<number> {
  let verified = 0
  for (const visitor of visitors) {
    const memberId = visitor.user?.id ?? 0
    try {
      const receipt = await receiptOf(visitor, memberId)
      if (!receipt) continue
      const other = (visitor.gateway + 1) % visitor.product.urls.length
      const { body } = await visitor.call('GET /api/ledger/roots', { gateway: other })
      const failed = await failedChecks(receipt, body.seals)
      if (failed.length === 0) verified += 1
      else problems.add(`receipt of ${receipt.row}: ${failed.join(', ')} of it does not hold`)
    } catch (error) {
      problems.add(`receipt of member ${memberId}: ${error}`)
    }
  }
  return verified
}
