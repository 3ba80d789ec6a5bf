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

export type QueueJobs = { queue: string; state: string; jobs: number }

const STATES = ['waiting', 'active', 'delayed', 'failed'] as const

/** BullMQ counts waiting jobs with a priority apart. */
export async function countQueueJobs(
  queues: Pick<Queue, 'name' | 'getJobCounts'>[],
): Promise<QueueJobs[]> {
  const counted = await Promise.all(
    queues.map(async (queue) => {
      const { prioritized = 0, ...counts } = await queue.getJobCounts(...STATES, 'prioritized')
      return STATES.map((state) => {
        const jobs = (counts[state] ?? 0) + (state === 'waiting' ? prioritized : 0)
        return { queue: queue.name, state, jobs }
      })
    }),
  )
  return counted.flat()
}
