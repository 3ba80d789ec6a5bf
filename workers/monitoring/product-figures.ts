import type { Queue } from 'bullmq'
import { runningSessions } from '#db/ledger/network-counters'
import { strayLedgerRows } from '#db/ledger/partitions'
import { mailFigures } from '#db/mails'
import { countQuarantined } from '#db/mining/quarantine'
import type { Db } from '#db/postgres/statements/transaction'
import { countWaitingReminders } from '#db/reminders/outbox'

/** Reads counters and small indexes only, one statement after another on one connection. */
export async function productFigures(db: Db) {
  const { sessions, tespPerHour } = await runningSessions(db)
  const sessionsQuarantined = await countQuarantined(db)
  const strayRows = await strayLedgerRows(db)
  const mails = await mailFigures(db)
  const remindersWaiting = await countWaitingReminders(db)
  return {
    sessionsActive: sessions,
    tespPerSecond: tespPerHour / 3_600,
    sessionsQuarantined,
    strayRows,
    mailsWaiting: mails.waiting,
    mailsFailed: mails.failed,
    remindersWaiting,
  }
}

export type ProductFigures = Awaited<ReturnType<typeof productFigures>>

export type JobCounter = Pick<Queue, 'name' | 'getJobCounts'>

/** BullMQ counts waiting jobs with a priority apart. */
export async function countJobs(queue: JobCounter) {
  const counts = await queue.getJobCounts('waiting', 'active', 'delayed', 'failed', 'prioritized')
  const { waiting = 0, prioritized = 0, active = 0, delayed = 0, failed = 0 } = counts
  return { waiting: waiting + prioritized, active, delayed, failed }
}
