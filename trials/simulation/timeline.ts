import type { Random } from '#trials/kit/random'
import type { History } from './history.ts'
import type { ModelMember } from './model/member.ts'
import { INTERVAL, INTERVALS, SESSION } from './model/rules.ts'
import { JOBS, type JobName, type Progress, sessionProgress } from './product/jobs.ts'
import type { World } from './world.ts'

const MINUTE = 60_000
const HOUR = 60 * MINUTE

/** A job may run twice at once, or in a worker that dies after so many statements. */
type JobRun = { name: JobName; isTwice?: boolean; cutAfter?: number }

/** Part of the ticks at which each job runs; between them it is late. */
const CHANCES: Record<JobName, number> = {
  'sweep-credits': 0.6,
  'check-credits': 0.2,
  'end-sessions': 0.4,
  'seal-ledger': 0.15,
  'roll-up-ledger': 0.15,
  maintenance: 0.2,
}

/** Most statements of a job before its worker dies; a roll-up takes more steps than the others. */
const LATEST_CUT: Partial<Record<JobName, number>> = { 'roll-up-ledger': 60, 'seal-ledger': 30 }

/** Steps of the clock and jobs, the same for all histories of a world. */
export class Timeline {
  constructor(private readonly random: Random) {}

  /** Product time of the first tick, ms: any moment of a day that no other history uses. */
  start(): number {
    return Date.UTC(2030, 2, 14) + this.random.between(0, SESSION - 1)
  }

  /** Many steps are whole intervals ± 1 ms, so that commands and jobs meet their ends; a few set the clock back. */
  step(): number {
    const { random } = this
    const chance = random.next()
    if (chance < 0.35) return INTERVAL * random.between(1, 4) + random.pick([-1, 0, 0, 0, 1])
    if (chance < 0.45) return random.between(0, 2)
    if (chance < 0.83) return random.between(1_000, 50 * MINUTE)
    if (chance < 0.92) return random.between(HOUR, 9 * HOUR)
    if (chance < 0.95) return SESSION + random.pick([-1, 0, 1])
    return -random.between(1, 90 * MINUTE)
  }

  /** In the order in which they run. */
  jobs(): JobRun[] {
    const { random } = this
    const runs: JobRun[] = []
    for (const name of Object.keys(JOBS) as JobName[]) {
      if (random.next() >= CHANCES[name]) continue
      const fault = random.next()
      const latest = LATEST_CUT[name] ?? 6
      const cutAfter = fault < 0.25 ? random.between(1, latest) : Number.POSITIVE_INFINITY
      runs.splice(random.between(0, runs.length), 0, { name, isTwice: fault > 0.9, cutAfter })
    }
    return runs
  }
}

function follow(
  world: World,
  history: History,
  member: ModelMember,
  { credited, isCompleted }: Progress,
  { name, isWhole }: { name: JobName; isWhole: boolean },
): void {
  const { running } = member
  if (!running) return
  const due = running.due(world.now)
  const mayCredit = name === 'sweep-credits' || name === 'check-credits'
  // Behind its last position a sweep finds nothing; the check finds intervals that began there.
  const isThorough = name === 'check-credits' || !world.hasClockMovedBack
  const least = mayCredit && isThorough && isWhole ? due : running.credited
  const most = mayCredit ? due : running.credited
  if (credited < least || credited > most) {
    history.fail(
      `member ${member.id} has ${credited} credited intervals instead of ${least}…${most}`,
    )
    return
  }
  world.counts.credits += credited - running.credited
  member.creditUntil(credited)
  const isOver = running.credited === INTERVALS && running.start + SESSION <= world.now
  const mayEnd = name === 'end-sessions' && isOver
  if (isCompleted && !mayEnd) history.fail(`the session of member ${member.id} was ended too early`)
  if (!isCompleted && mayEnd && isWhole) {
    history.fail(`the session of member ${member.id} was not ended`)
  }
  if (isCompleted) running.state = 'completed'
}

export async function runJob(
  world: World,
  { name, isTwice = false, cutAfter = Number.POSITIVE_INFINITY }: JobRun,
): Promise<void> {
  const { sweepLimit, pool } = world
  const { isCut } = await pool.run(
    { copies: isTwice ? 2 : 1, cutAfter },
    (db): Promise<unknown> => JOBS[name]({ db, sweepLimit }),
  )
  world.counts.jobs += 1
  if (isCut) world.counts.cuts += 1
  const sessions = await sessionProgress(world.observer)
  const progress = new Map(sessions.map((session) => [session.userId, session]))
  const job = { name, isWhole: !isCut }
  const twice = isTwice ? ' twice at once' : ''
  const died = isCut ? ` died after ${cutAfter} statements` : ''
  const line = `${world.time} ${name}${twice}${died}`
  for (const history of world.sound) {
    history.trace.push(line)
    for (const id of history.memberIds) {
      const done = progress.get(id)
      if (done) follow(world, history, world.economy.member(id), done, job)
    }
  }
}
