import { setTimeout as sleep } from 'node:timers/promises'
import type { Db } from '#db/postgres/statements/transaction'
import { memberKey } from '#rules/buckets'
import { DAY_MS } from '#rules/constants'
import type { Receipt } from '#rules/seal/receipt'
import { type Trusted, verifyReceipt } from '#rules/seal/verify-receipt'
import { redisForRequests } from '#runtime/redis'
import { advance } from '#scripts/testing/db/clock'
import type { ServedProduct } from '#scripts/testing/gateway/product'
import type { Visitor } from '#scripts/testing/gateway/visitor'
import { SPEED } from '#trials/kit/checks'
import { repeating, until } from '#trials/kit/until'
import { JOB_RETENTION, jobQueue } from '#workers/queue'

/** Real time between two jobs of each kind: the schedules' minute would be ten hours of product time. */
const JOB_INTERVAL_MS = 2_000
/** Real time from the start of the faults to the end of the first day. */
const FIRST_DAY_MS = 8_000
/** Product time after a day's end until its seal is expected; the product waits for five minutes. */
const GRACE_MS = DAY_MS / 144
/** A job that died with its worker is repeated after half a minute. */
const SEALED_WITHIN_MS = 120_000

export async function endDaySoon(db: Db): Promise<void> {
  const { rows } = await db.raw('select product_now() as now')
  const left = DAY_MS - (rows[0].now.getTime() % DAY_MS)
  await advance(db, Math.max(0, left - FIRST_DAY_MS * SPEED))
}

/** Queues the jobs as often as product time goes: the workers that run them are killed meanwhile. */
export async function queueSeals({ config }: ServedProduct): Promise<{ stop(): Promise<void> }> {
  const redis = redisForRequests(config.redisUrl)
  const names = ['seal-ledger', 'roll-up-ledger'] as const
  const queues = await Promise.all(names.map((name) => jobQueue(name, redis, config.redisPrefix)))
  const add = () => Promise.all(queues.map((one) => one.add(one.name, {}, JOB_RETENTION)))
  const stop = repeating(add, JOB_INTERVAL_MS)
  return {
    async stop() {
      await stop()
      await Promise.all(queues.map((queue) => queue.close()))
      redis.disconnect()
    },
  }
}

/** Waits until each day that has ended by now has a signed seal. */
export async function waitUntilSealed(db: Db, problems: Set<string>): Promise<void> {
  const last = await lastEndedDay(db)
  if (last === null) return
  const limits = { limitMs: SEALED_WITHIN_MS }
  await until(`${last} is sealed and signed`, () => isSealed(db, last), limits).catch(
    ({ message }) => problems.add(message),
  )
}

/** Null if the last ended day is before the ledger. */
async function lastEndedDay(db: Db): Promise<string | null> {
  const { rows } = await db.raw(
    `with last as (
       select (product_now() at time zone 'UTC' - ? * interval '1 millisecond')::date - 1 as day
     )
     select case when day >= (
       select min("createdAt" at time zone 'UTC')::date from wallet_activity
     ) then day::text end as day from last`,
    [GRACE_MS],
  )
  return rows[0].day
}

async function isSealed(db: Db, day: string): Promise<boolean> {
  const { rows } = await db.raw(
    `select coalesce(max(day) >= ?::date and bool_and(signature is not null), false) as sealed
     from ledger_seals`,
    [day],
  )
  return rows[0].sealed
}

/** A roll-up replaces rows, and their new ones have no receipt until the day is sealed again. */
const TRIES = 50
const TRY_INTERVAL_MS = 200

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

async function failedChecks(receipt: Receipt, trusted: Trusted): Promise<string[]> {
  const { entered: _, ...checks } = await verifyReceipt(receipt, trusted)
  return Object.entries(checks)
    .filter(([, holds]) => holds !== true)
    .map(([check]) => check)
}

/** Checks receipts as `/verify` does, with keys and roots of another gateway. @returns the number that hold */
export async function verifyReceipts(visitors: Visitor[], problems: Set<string>): Promise<number> {
  let verified = 0
  for (const visitor of visitors) {
    const memberId = visitor.user?.id ?? 0
    try {
      const receipt = await receiptOf(visitor, memberId)
      if (!receipt) continue
      const other = (visitor.gateway + 1) % visitor.product.urls.length
      const roots = await visitor.call('GET /api/ledger/roots', { gateway: other })
      const keys = await visitor.call('GET /api/ledger/keys', { gateway: other })
      const failed = await failedChecks(receipt, { ...roots.body, ...keys.body })
      if (failed.length === 0) verified += 1
      else problems.add(`receipt of ${receipt.row}: ${failed.join(', ')} of it does not hold`)
    } catch (error) {
      problems.add(`receipt of member ${memberId}: ${error}`)
    }
  }
  return verified
}
