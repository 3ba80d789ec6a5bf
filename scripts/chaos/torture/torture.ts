import { setTimeout as sleep } from 'node:timers/promises'
import type { Db } from '#db/postgres/transaction'
import type { Secrets } from '#db/process/config'
import type { TestDatabase } from '#db/testing/database'
import { startLoad } from '#scripts/chaos/load'
import { Stage } from '#scripts/chaos/stage'
import { checkAudit, SPEED } from './checks.ts'
import { type FaultCounts, injectFaults } from './inject-faults.ts'
import type { Tally } from './player.ts'
import { Random } from './random.ts'

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
export type TortureReport = {
  tally: Tally
  faults: FaultCounts
  audits: number
  credits: number
  sessions: number
  problems: string[]
}

const AUDIT_INTERVAL_MS = 2_000

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
 * are killed, terminated and frozen. The audit runs every 2 s and again at the end.
 */
export async function torture(
  place: Omit<TestDatabase, 'drop'>,
  { seconds, seed, members, secrets, log = () => {} }: TortureOptions,
): Promise<TortureReport> {
  const stage = await Stage.start(place, { workers: 2, speed: SPEED, ...(secrets && { secrets }) })
  const { db } = stage.product
  try {
    const load = await startLoad(stage.product, members, seed)
    log(`${members} members are registered; faults begin`)
    const end = Date.now() + seconds * 1_000
    const isRunning = () => Date.now() < end
    const problems = new Set<string>()
    const [faults, audits] = await Promise.all([
      injectFaults(stage, new Random(seed), isRunning),
      auditRepeatedly(db, isRunning, problems),
    ])
    for (const problem of await load.stop()) problems.add(problem)
    for (const exit of await stage.unexpectedExits()) problems.add(exit)
    const { rows } = await db.raw(
      `select (select count(*) from wallet_activity where id like 'credit:%') as credits,
         (select count(*) from mining_sessions) as sessions`,
    )
    const { credits, sessions } = rows[0]
    const { tally } = load
    return { tally, faults, audits: audits + 1, credits, sessions, problems: [...problems] }
  } finally {
    await stage.stop()
  }
}
