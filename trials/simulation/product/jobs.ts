import { ensurePartitions } from '#db/ledger/partitions'
import { rollUpLedger } from '#db/ledger/retention/rollup-steps'
import { sealLateRows, sealLedger } from '#db/ledger/seals/seal-steps'
import { findMissedCredits } from '#db/mining/credit-lag'
import { endSessions } from '#db/mining/end-sessions'
import { type Db, retrying } from '#db/postgres/statements/transaction'
import { ALL_BUCKETS } from '#rules/buckets'
import { sweepRange } from '#trials/bench/credits/sweep'

/** Short, so that a history of days is rolled up meanwhile. */
const DETAIL_DAYS = 1

/** `sweepLimit`: the most sessions that a statement of a sweep credits. */
type JobContext = { db: Db; sweepLimit: number }

const sweep = ({ db, sweepLimit }: JobContext) => sweepRange(db, ALL_BUCKETS, sweepLimit)

/** The workers' jobs that touch the economy. */
export const JOBS = {
  'sweep-credits': sweep,
  'check-credits': async (context: JobContext) => {
    await findMissedCredits(context.db)
    await sweep(context)
  },
  'end-sessions': ({ db }: JobContext) => retrying(() => endSessions(db)),
  'seal-ledger': async ({ db }: JobContext) => {
    await sealLedger(db)
    await sealLateRows(db)
  },
  'roll-up-ledger': ({ db }: JobContext) => rollUpLedger(db, DETAIL_DAYS),
  maintenance: ({ db }: JobContext) => ensurePartitions(db),
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
