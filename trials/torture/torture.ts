import { setTimeout as sleep } from 'node:timers/promises'
import { migrate } from '#db/migrations/migrate'
import { type Db, inTransaction, retrying } from '#db/postgres/statements/transaction'
import { applyReferralCode, generateReferralCode } from '#db/team/referrals'
import { insertMembers } from '#scripts/testing/db/members'
import { insertTask } from '#scripts/testing/db/tasks'
import { checkAudit, checkInbox, checkSeals, SPEED, sumOf } from '#trials/kit/checks'
import { startLoad } from '#trials/kit/load'
import { CAPPED_TASK } from '#trials/kit/member'
import { Random } from '#trials/kit/random'
import { type Place, trialServers } from '#trials/kit/servers'
import { Stage } from '#trials/kit/stage'
import type { Trial } from '#trials/kit/trial'
import { endDaySoon, queueSeals, verifyReceipts, waitUntilSealed } from './seals.ts'

/** `credits`: intervals, rolled up or not; `sealsAgain`: of days whose rows were rolled up or came late. */
type Figures = Record<
  'sessions' | 'credits' | 'milestones' | 'sealedDays' | 'sealsAgain' | 'rolledUpDays',
  number
> & { usdtClaimed: string }

export async function readFigures(db: Db): Promise<Figures> {
  const { rows } = await db.raw(`
    select (select count(*) from mining_sessions) as sessions,
      (select coalesce(sum("creditedIntervals"), 0)::bigint from mining_sessions) as credits,
      (select count(*) from team_milestones where achieved) as milestones,
      (select coalesce(sum(amount), 0)::text from wallet_activity
        where id like 'claim:%' and "tokenType" = 'USDT') as "usdtClaimed",
      (select count(distinct day) from ledger_seals) as "sealedDays",
      (select count(*) from ledger_seals where reason <> 'day') as "sealsAgain",
      (select count(*) from ledger_rollups where "swappedAt" is not null) as "rolledUpDays"`)
  return rows[0]
}

type FaultCounts = Partial<Record<NodeJS.Signals, number>>

/** A slow machine that restarts few processes in the given time still gets this many faults. */
const MIN_FAULTS = 3

async function injectFaults(
  stage: Stage,
  random: Random,
  isRunning: () => boolean,
): Promise<FaultCounts> {
  const counts: FaultCounts = {}
  for (let faults = 0; ; faults++) {
    await sleep(random.between(300, 1_500))
    if (!isRunning() && faults >= MIN_FAULTS) return counts
    const target = random.pick(stage.processes)
    const signal = random.pick(['SIGKILL', 'SIGKILL', 'SIGTERM', 'SIGSTOP'] as const)
    counts[signal] = (counts[signal] ?? 0) + 1
    if (signal === 'SIGSTOP') {
      target.signal('SIGSTOP')
      await sleep(random.between(500, 4_000))
      target.signal('SIGCONT')
    } else {
      await target.stop(signal)
      await target.start()
    }
  }
}

/** Followers of each leader at the start: one below the milestones that pay USDT. */
const FOLLOWERS = [9, 24]

async function join(db: Db, code: string): Promise<void> {
  const [follower = 0] = await retrying(() => insertMembers(db, 1))
  await inTransaction(db, (tx) => applyReferralCode(tx, follower, code))
}

/** @returns the code of each leader */
async function largeTeams(db: Db, members: number[]): Promise<string[]> {
  const codes: string[] = []
  for (const [n, leader] of members.slice(0, FOLLOWERS.length).entries()) {
    const code = await inTransaction(db, (tx) => generateReferralCode(tx, leader))
    for (let followers = 0; followers < (FOLLOWERS[n] ?? 0); followers++) await join(db, code)
    codes.push(code)
  }
  return codes
}

async function grow(db: Db, codes: string[], isRunning: () => boolean, random: Random) {
  while (isRunning()) {
    await join(db, random.pick(codes))
    await sleep(random.between(500, 4_000))
  }
}

type TortureOptions = {
  seconds: number
  seed: number
  members: number
  log?: (line: string) => void
}

const AUDIT_INTERVAL_MS = 2_000
/** Days of the ledger are rolled up as early as the product allows: a day, 144 s, after their end. */
export const RETENTION_SETTINGS = { LEDGER_DETAIL_DAYS: '1' }

async function auditRepeatedly(db: Db, isRunning: () => boolean, problems: Set<string>) {
  let audits = 0
  for (; isRunning(); await sleep(AUDIT_INTERVAL_MS)) {
    await checkAudit(db, problems)
    audits++
  }
  return audits
}

/**
 * The audit runs every 2 s while processes are killed, and again at the end; then every day that has ended has to be
 * sealed, each fact must have its row in an inbox, and a receipt of each member is verified.
 * @returns what happened; `problems` is empty if every invariant held
 */
export async function torture(
  place: Place,
  { seconds, seed, members, log = () => {} }: TortureOptions,
) {
  const stage = await Stage.start(place, { workers: 2, speed: SPEED, env: RETENTION_SETTINGS })
  const { db } = stage.product
  try {
    await insertTask(db, CAPPED_TASK)
    const load = await startLoad(stage.product, members, seed)
    const codes = await largeTeams(
      db,
      load.visitors.map(({ user }) => user?.id ?? 0),
    )
    await endDaySoon(db)
    const seals = await queueSeals(stage.product)
    log(`${members} members are registered; faults begin`)
    const end = Date.now() + seconds * 1_000
    const isRunning = () => Date.now() < end
    const problems = new Set<string>()
    const [faults, audits] = await Promise.all([
      injectFaults(stage, new Random(seed), isRunning),
      auditRepeatedly(db, isRunning, problems),
      grow(db, codes, isRunning, new Random(seed + 1)),
    ])
    for (const problem of await load.stop()) problems.add(problem)
    for (const exit of await stage.unexpectedExits()) problems.add(exit)
    await waitUntilSealed(db, problems)
    await seals.stop()
    await checkSeals(db, problems)
    const inboxRows = await checkInbox(db, problems)
    const receipts = await verifyReceipts(load.visitors, problems)
    const figures = await readFigures(db)
    const { tally } = load
    const all = { ...figures, tally, faults, audits: audits + 1, receipts, inboxRows }
    return { ...all, problems: [...problems] }
  } finally {
    await stage.stop()
  }
}

/** A day of product time takes 2.4 minutes, and the first ends soon. */
export async function tryTorture(
  trial: Trial,
  { minutes, seed, members }: { minutes: number; seed: number; members: number },
): Promise<void> {
  const { report: table } = trial
  const place = await trialServers(trial, { durable: true })
  await migrate(place.url)
  const report = await table.step(`${members} members for ${minutes} min, seed ${seed}`, () =>
    torture(place, { seconds: minutes * 60, seed, members, log: console.error }),
  )
  const { tally, faults, problems } = report
  const claimed = sumOf(tally.claims.values())
  for (const [name, figure] of Object.entries({
    ...faults,
    ...tally.responses,
    'requests without an answer, retried': tally.lost,
    'answers 503, retried': tally.unavailable,
    sessions: report.sessions,
    credits: report.credits,
    'TESP claimed, acknowledged': claimed.tesp,
    'USDT claimed, acknowledged': claimed.usdt,
    'USDT claimed, in the ledger': report.usdtClaimed,
    'milestones paid': report.milestones,
    'days sealed': report.sealedDays,
    'days sealed again': report.sealsAgain,
    'days rolled up': report.rolledUpDays,
    'receipts verified': report.receipts,
    'rows of inboxes': report.inboxRows,
    audits: report.audits,
  })) {
    table.fact(name, figure)
  }
  table.check('violated rules', problems)
}
