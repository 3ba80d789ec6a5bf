import { ensurePartitions } from '#db/ledger/partitions'
import { rollUpLedger } from '#db/ledger/retention/rollup-steps'
import { sealLateRows, sealLedger } from '#db/ledger/seals/seal-steps'
import { findMissedCredits } from '#db/mining/credit-lag'
import { endSessions } from '#db/mining/end-sessions'
import { type SweepRest, sweepBatch } from '#db/mining/sweep'
import { type Db, retrying } from '#db/postgres/statements/transaction'
import { ALL_BUCKETS } from '#rules/buckets'

/** Short, so that a history of days is rolled up meanwhile. */
const DETAIL_DAYS = 1

/** `sweepLimit`: the most sessions that a statement of a sweep credits. */
type JobContext = { db: Db; sweepLimit: number }

async function sweep({ db, sweepLimit }: JobContext): Promise<void> {
  let rest: SweepRest | undefined
  for (;;) {
    const from = rest
    const batch = await retrying(() => sweepBatch(db, ALL_BUCKETS, from, sweepLimit))
    if (batch.isDone) return
    rest = batch.rest
  }
}

/** The workers' jobs that touch the economy. */
export const JOBS = {
  'sweep-credits': sweep,
  'check-credits': async (context: JobContext) => {
    await findMissedCredits(context.db)
    await sweep(context)
  },
  'end-sessions': async ({ db }: JobContext) => void (await retrying(() => endSessions(db))),
  'seal-ledger': async ({ db }: JobContext) => {
    await sealLedger(db)
    await sealLateRows(db)
  },
  'roll-up-ledger': async ({ db }: JobContext) => void (await rollUpLedger(db, DETAIL_DAYS)),
  maintenance: async ({ db }: JobContext) => void (await ensurePartitions(db)),
}

export type JobName = keyof typeof JOBS

/** Ms; 0 before the first seal. */
export async function sealedUntil(db: Db): Promise<number> {
  const { rows } = await db.raw(
    `select coalesce(extract(epoch from max(day) + 1) * 1000, 0)::float8 as until from ledger_seals`,
  )
  return rows[0].until
}

export type Progress = { userId: number; credited: number; isCompleted: boolean }

export async function sessionProgress(db: Db): Promise<Progress[]> {
  const { rows } = await db.raw(
    `select distinct on ("userId") "userId", "creditedIntervals" as credited,
       status = 'completed' as "isCompleted"
     from mining_sessions order by "userId", id desc`,
  )
  return rows
}
