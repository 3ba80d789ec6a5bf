import { randomBytes, randomUUID } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import { engineOf } from '#db/engine/engine'
import { takeStep, takeSteps } from '#db/ledger/steps'
import { productNow } from '#db/postgres/connection/product-clock'
import { useBatchSettings, withoutTimeLimit } from '#db/postgres/statements/batch-settings'
import type { Db, Tx } from '#db/postgres/statements/transaction'
import { DAY_MS, MINUTE_MS, SECOND_MS } from '#rules/constants'
import { dayText } from '#rules/duration-text'
import type { SealReason } from '#rules/seal/seal'
import { awaitsSeal } from './audit-seals.ts'
import { assertSealed } from './check-day.ts'
import { memberLeaves, rowsOfDay } from './member-leaves.ts'
import { leafHash, memberSalt } from './merkle-tree.ts'
import { type StoredLeaf, storeLeaves } from './proof-index.ts'
import { appendSeal, rolledDay, sealedDays, sealOfDay } from './seal-chain.ts'

/** Seals the rows that a UTC day (its start in ms) has now; the leaves of an earlier seal of the day are deleted. */
export async function sealDay(tx: Tx, day: number, reason: SealReason): Promise<void> {
  const salt = randomBytes(32)
  const leavesId = randomUUID()
  let [rows, members] = [0, 0]
  async function* leaves(): AsyncGenerator<StoredLeaf> {
    for await (const { userId, count, content } of memberLeaves(tx, day)) {
      rows += count
      members += 1
      yield { userId, count, leaf: leafHash(memberSalt(salt, userId), content) }
    }
  }
  await useBatchSettings(tx)
  const root = await storeLeaves(tx, leavesId, leaves())
  const text = dayText(day)
  const earlier = tx('ledger_seals').where({ day: text }).select('leavesId')
  await tx('ledger_leaves').whereIn('leavesId', earlier).delete()
  await appendSeal(tx, { day: text, reason, rows, members, root, salt, leavesId })
}

const WORK = 'seal days'

type SealStep = 'due' | 'sealed' | 'sealed again' | 'waiting'

/** Time after a day before it is sealed: a clock that is set back by less posts no row into it. */
const MARGIN_MS = 5 * MINUTE_MS

async function firstDay(tx: Tx): Promise<string | null> {
  await withoutTimeLimit(tx)
  const { rows } = await tx.raw(
    `select min("createdAt" at time zone 'UTC')::date::text as day from wallet_activity`,
  )
  return rows[0].day
}

async function nextDay(tx: Tx): Promise<number | undefined> {
  const { rows } = await tx.raw('select (max(day) + 1)::text as day from ledger_seals')
  // Not in one statement: Postgres would plan a scan of each partition for every step.
  const text = rows[0].day ?? (await firstDay(tx))
  return text === null ? undefined : Date.parse(text)
}

/** Time before which every interval is credited and all other rows carry a later time, ms. */
async function completeUntil(tx: Tx): Promise<number> {
  const swept = await tx('credit_sweeps').min({ to: 'sweptTo' }).first()
  return Math.min(await productNow(tx), swept?.to?.getTime() ?? 0)
}

/**
 * Transactions that run now: each may have read the clock on the day to seal and post a row there. Autovacuum, which
 * may take hours, and Citus' connections and daemons post none. All roles see the lock of a virtual transaction id,
 * unlike the time at which the transaction began.
 */
const RUNNING_SQL = `
  select array_agg(l.virtualtransaction) as running
  from pg_locks l join pg_stat_activity a using (pid)
  where l.locktype = 'virtualxid' and l.granted and a.datname = current_database()
    and a.pid <> pg_backend_pid() and a.usesysid is not null
    and a.application_name !~ '^citus_internal |^Citus .* Daemon$'`

/** Whether one of these transactions still runs, or a fault has kept its rows from a server. */
async function isAnyRunning(tx: Tx, running: string[]): Promise<boolean> {
  const { rows } = await tx.raw(
    `select exists (select from pg_locks
       where locktype = 'virtualxid' and granted and virtualtransaction = any(?)) as found`,
    [running],
  )
  return rows[0].found || (await (await engineOf(tx)).isCommitInDoubt(tx))
}

async function takeNext(tx: Tx): Promise<SealStep | undefined> {
  const rolled = await rolledDay(tx)
  if (rolled !== undefined) {
    await sealDay(tx, Date.parse(rolled), 'roll-up')
    return 'sealed again'
  }
  const next = await nextDay(tx)
  const isComplete = next !== undefined && next + DAY_MS + MARGIN_MS <= (await completeUntil(tx))
  if (!isComplete) return undefined
  const day = dayText(next)
  const due = await tx('ledger_seal_due').where({ day }).first('running')
  if (!due) {
    const { rows } = await tx.raw(RUNNING_SQL)
    const running = rows[0].running ?? []
    // `dueAt` is what the release before migration 005 reads.
    await tx('ledger_seal_due').insert({ day, running, dueAt: tx.raw('clock_timestamp()') })
    return 'due'
  }
  if (await isAnyRunning(tx, due.running)) return 'waiting'
  await sealDay(tx, next, 'day')
  await tx('ledger_seal_due').delete()
  return 'sealed'
}

/**
 * Seals the days that are complete, the oldest first, and again those that were rolled up, until none is left, one
 * has to wait, or `goOn` is false; returns the number of seals.
 */
export async function sealLedger(db: Db, goOn: () => boolean = () => true): Promise<number> {
  const taken = await takeSteps(() => takeStep(db, WORK, takeNext), goOn)
  return taken.filter((step) => step !== 'due').length
}

const LATE_DAYS = 31
/** Real time until a day is looked at again while another process takes a step. */
const RETRY_MS = SECOND_MS

/**
 * Seals days of the last month again whose credits arrived after their seal, as from a session that was released from
 * quarantine; returns the number of seals.
 * @throws an error if a day differs by anything but late credits; it keeps its seal
 */
export async function sealLateRows(db: Db, goOn: () => boolean = () => true): Promise<number> {
  const days = (await sealedDays(db)).slice(0, LATE_DAYS)
  const errors: Error[] = []
  let sealed = 0
  for (const text of days) {
    if (!goOn()) break
    try {
      const look = () => takeStep(db, WORK, (tx) => sealLateDay(tx, text))
      let step = await look()
      while (step === 'waiting' && goOn()) {
        await sleep(RETRY_MS)
        step = await look()
      }
      if (step === 'sealed again') sealed += 1
    } catch (error) {
      errors.push(error as Error)
    }
  }
  if (errors.length === 0) return sealed
  throw new AggregateError(errors, errors.map(({ message }) => message).join('; '))
}

async function sealLateDay(tx: Tx, text: string): Promise<SealStep | undefined> {
  const day = Date.parse(text)
  const seal = await sealOfDay(tx, text)
  // Rolled-up rows cannot be compared with the single ones of the seal.
  if (!seal || (await awaitsSeal(tx, seal))) return undefined
  await withoutTimeLimit(tx)
  const count = await rowsOfDay(tx, day).count({ rows: '*' }).first()
  if (Number(count?.rows) === seal.rows) return undefined
  await assertSealed(tx, day)
  await sealDay(tx, day, 'late rows')
  return 'sealed again'
}
