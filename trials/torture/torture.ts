import { setTimeout as sleep } from 'node:timers/promises'
import type { Db } from '#db/postgres/statements/transaction'
import type { TestDatabase } from '#db/testing/database'
import type { Secrets } from '#runtime/config/config'
import { startLoad } from '#trials/chaos/load'
import { Stage } from '#trials/chaos/stage'
import { checkAudit, checkSeals, SPEED } from './checks.ts'
import { type FaultCounts, injectFaults } from './inject-faults.ts'
import type { Tally } from './player.ts'
import { Random } from './random.ts'
import { verifyReceipts } from './receipts.ts'
import { endDaySoon, queueSeals, waitUntilSealed } from './seals.ts'
import { type Figures, readFigures } from './summary.ts'
import { largeTeams } from './teams.ts'

export type TortureOptions = {
  seconds: number
  /** Seed of the commands and the faults. */
  seed: number
  members: number
  /** Default: the secrets of the test run. */
  secrets?: Secrets
  log?: (line: string) => void
}

/** What happened; `problems` is empty if every invariant held. */
export type TortureReport = Figures & {
  tally: Tally
  faults: FaultCounts
  audits: number
  /** Receipts of sealed rows that `npm run verify` would accept. */
  receipts: number
  problems: string[]
}

const AUDIT_INTERVAL_MS = 2_000
/** Days of the ledger are rolled up as early as the product allows: a day, 144 s, after their end. */
export const RETENTION_SETTINGS = { LEDGER_DETAIL_DAYS: '1' }

/** Audits until the end of the run; returns the number of audits. */
async function auditRepeatedly(db: Db, isRunning: () => boolean, problems: Set<string>) {
  let audits = 0
  for (; isRunning(); await sleep(AUDIT_INTERVAL_MS)) {
    await checkAudit(db, problems)
    audits++
  }
  return audits
}

/**
 * Members start, stop, claim, complete tasks and apply codes in parallel while gateways and workers
 * are killed, terminated and frozen. Teams grow past milestones, and days of the ledger are sealed and
 * rolled up meanwhile. The audit runs every 2 s and again at the end; then every day that has ended has to
 * be sealed, and a receipt of each member is verified.
 */
export async function torture(
  place: Omit<TestDatabase, 'drop'>,
  { seconds, seed, members, secrets, log = () => {} }: TortureOptions,
): Promise<TortureReport> {
  const stage = await Stage.start(place, {
    workers: 2,
    speed: SPEED,
    env: RETENTION_SETTINGS,
    ...(secrets && { secrets }),
  })
  const { db } = stage.product
  try {
    const load = await startLoad(stage.product, members, seed)
    const teams = await largeTeams(
      db,
      load.visitors.map(({ user }) => user?.id ?? 0),
    )
    await endDaySoon(db)
    const seals = queueSeals(stage.product)
    log(`${members} members are registered; faults begin`)
    const end = Date.now() + seconds * 1_000
    const isRunning = () => Date.now() < end
    const problems = new Set<string>()
    const [faults, audits] = await Promise.all([
      injectFaults(stage, new Random(seed), isRunning),
      auditRepeatedly(db, isRunning, problems),
      teams.grow(isRunning, new Random(seed + 1)),
    ])
    for (const problem of await load.stop()) problems.add(problem)
    for (const exit of await stage.unexpectedExits()) problems.add(exit)
    await waitUntilSealed(db, problems)
    await seals.stop()
    await checkSeals(db, problems)
    const receipts = await verifyReceipts(load.visitors, problems)
    const figures = await readFigures(db)
    const { tally } = load
    return { ...figures, tally, faults, audits: audits + 1, receipts, problems: [...problems] }
  } finally {
    await stage.stop()
  }
}
