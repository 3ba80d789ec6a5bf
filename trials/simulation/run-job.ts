import type { History } from './history.ts'
import type { ModelMember } from './model/member.ts'
import { INTERVALS, SESSION } from './model/rules.ts'
import { JOBS, type Progress, sessionProgress } from './product/jobs.ts'
import type { JobRun } from './timeline.ts'
import type { World } from './world.ts'

/** What a job may have done, and what it has to have done. */
type Duties = { mayCredit: boolean; mustCredit: boolean; mayEnd: boolean; mustEnd: boolean }

function dutiesOf({ name }: JobRun, isWhole: boolean, hasClockMovedBack: boolean): Duties {
  const mayCredit = name === 'sweep-credits' || name === 'check-credits'
  const mayEnd = name === 'end-sessions'
  // Behind its last position a sweep finds nothing; the check finds intervals that began there.
  const isThorough = name === 'check-credits' || !hasClockMovedBack
  return {
    mayCredit,
    mustCredit: mayCredit && isThorough && isWhole,
    mayEnd,
    mustEnd: mayEnd && isWhole,
  }
}

/** Compares a member's session with what the job owes, and lets the model follow. */
function follow(
  world: World,
  history: History,
  member: ModelMember,
  { credited, isCompleted }: Progress,
  duties: Duties,
): void {
  const { running } = member
  if (!running) return
  const due = running.due(world.now)
  const least = duties.mustCredit ? due : running.credited
  const most = duties.mayCredit ? due : running.credited
  if (credited < least || credited > most) {
    history.fail(
      `member ${member.id} has ${credited} credited intervals instead of ${least}…${most}`,
    )
    return
  }
  world.counts.credits += credited - running.credited
  member.creditUntil(credited)
  const isOver = running.credited === INTERVALS && running.start + SESSION <= world.now
  if (isCompleted && !(duties.mayEnd && isOver)) {
    history.fail(`the session of member ${member.id} was ended too early`)
  }
  if (!isCompleted && duties.mustEnd && isOver) {
    history.fail(`the session of member ${member.id} was not ended`)
  }
  if (isCompleted) running.state = 'completed'
}

/** Runs a job, perhaps in a worker that dies, and lets the model follow each session. */
export async function runJob(world: World, run: JobRun): Promise<void> {
  const { name, isTwice, cutAfter } = run
  const { sweepLimit, pool } = world
  const { isCut } = await pool.run({ copies: isTwice ? 2 : 1, cutAfter }, (db) =>
    JOBS[name]({ db, sweepLimit }),
  )
  world.counts.jobs += 1
  if (isCut) world.counts.cuts += 1
  const duties = dutiesOf(run, !isCut, world.hasClockMovedBack)
  const sessions = await sessionProgress(world.observer)
  const progress = new Map(sessions.map((session) => [session.userId, session]))
  const twice = isTwice ? ' twice at once' : ''
  const died = isCut ? ` died after ${cutAfter} statements` : ''
  const line = `${world.time} ${name}${twice}${died}`
  for (const history of world.sound) {
    history.trace.push(line)
    for (const id of history.memberIds) {
      const done = progress.get(id)
      if (done) follow(world, history, world.economy.member(id), done, duties)
    }
  }
}
