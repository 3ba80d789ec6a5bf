import { engineOf } from '#db/engine/engine'
import { firstIntervalSql, lastIntervalSql } from '#db/ledger/credit-sql'
import { takeStep, takeSteps } from '#db/ledger/steps'
import { productNow } from '#db/postgres/connection/product-clock'
import { durationSql } from '#db/postgres/statements/times'
import type { Db, Tx } from '#db/postgres/statements/transaction'
import { BUCKETS } from '#rules/buckets'
import { DAY_MS, SESSION_MS } from '#rules/constants'
import { dayText } from '#rules/duration-text'
import { ledgerIdSql } from '#rules/money/ledger-id'

const IN_BUCKET = 'where bucket = :bucket::smallint and id = any(:ids::bigint[])'

const ADD_TOTALS_SQL = `
  insert into folded_sessions as f (bucket, "userId", "lastId", sessions, "creditedIntervals", reward,
      "usdtReward", "firstStart", "lastEnd")
  select bucket, "userId", max(id), count(*), sum("creditedIntervals"), sum(reward),
    sum("usdtReward"), min("startTime"), max("endTime")
  from (select * from mining_sessions ${IN_BUCKET}) gone group by bucket, "userId"
  on conflict (bucket, "userId") do update set
    "lastId" = greatest(f."lastId", excluded."lastId"),
    sessions = f.sessions + excluded.sessions,
    "creditedIntervals" = f."creditedIntervals" + excluded."creditedIntervals",
    reward = f.reward + excluded.reward,
    "usdtReward" = f."usdtReward" + excluded."usdtReward",
    "firstStart" = least(f."firstStart", excluded."firstStart"),
    "lastEnd" = greatest(f."lastEnd", excluded."lastEnd")`

const FACT = ledgerIdSql('credit', { sessionId: 's.id', n: "''" })

const DIFFERING_SQL = `
  select s.id from mining_sessions s
  left join lateral (
    select sum(${lastIntervalSql('a.id')} - ${firstIntervalSql('a.id')} + 1) as intervals,
      sum(a.amount) as amount
    from wallet_activity a
    where a.bucket = s.bucket and a."userId" = s."userId" and starts_with(a.id, ${FACT})
      and a."createdAt" > s."startTime"
      and a."createdAt" <= s."startTime" + ${durationSql(SESSION_MS)}
  ) c on true
  where s.bucket = :bucket and s.id = any(:ids)
    and (coalesce(c.intervals, 0) <> s."creditedIntervals" or coalesce(c.amount, 0) > s.reward
      or (s.status = 'completed' and coalesce(c.amount, 0) <> s.reward))
  limit 1`

/**
 * Throws unless the ledger holds every credit that the sessions count, and of a completed one the whole reward;
 * what a stopped one earned in its last interval was claimed together with other sessions.
 */
async function assertPaid(tx: Tx, bucket: number, ids: number[]): Promise<void> {
  const { rows } = await tx.raw(DIFFERING_SQL, { bucket, ids })
  if (rows.length > 0) {
    throw new Error(`the credits of session ${rows[0].id} differ from the ledger; its row stays`)
  }
}

/** Moves sessions into their members' totals. Nothing else changes a session that has ended and is paid out. */
async function archiveBatch(tx: Tx, bucket: number, ids: number[]): Promise<void> {
  if (ids.length === 0) return
  await assertPaid(tx, bucket, ids)
  await tx.raw(ADD_TOTALS_SQL, { bucket, ids })
  const deleted = await tx.raw(`delete from mining_sessions ${IN_BUCKET}`, { bucket, ids })
  if (deleted.rowCount !== ids.length) throw new Error('sessions to archive were changed meanwhile')
  await tx('mining_rates').whereIn('sessionId', ids).delete()
}

/** Sessions that one transaction looks at: about a day of a bucket at a million members. */
const BATCH = 2_000

/** Ended, paid out and not the newest of its member, which the status shows. */
const MAY_BE_ARCHIVED = `
  not s.active and s."rewardClaimed" and s."quarantinedAt" is null and s."endTime" < :before
  and exists (select from mining_sessions n
    where n.bucket = s.bucket and n."userId" = s."userId" and n.id > s.id)`

/**
 * The next old sessions of a bucket. Ids rise with the start, so the first newer session ends the bucket: then
 * `afterId`, the last session that was looked at, is null.
 */
async function sessionsToArchive(
  tx: Tx,
  { bucket, afterId }: { bucket: number; afterId: number },
  before: Date,
): Promise<{ ids: number[]; afterId: number | null }> {
  const { rows } = await tx.raw(
    `select coalesce(json_agg(id order by id) filter (where "mayBeArchived"), '[]') as ids,
       case when count(*) = ${BATCH} and bool_and("isOld") then max(id) end as "afterId"
     from (
       select s.id, s."startTime" < :before as "isOld", ${MAY_BE_ARCHIVED} as "mayBeArchived"
       from mining_sessions s where s.bucket = :bucket and s.id > :afterId order by s.id limit ${BATCH}
     ) next`,
    { bucket, afterId, before },
  )
  return rows[0]
}

/** `archived`: looked at a batch; `complete`: the day's pass has ended; `waiting`: to be repeated later. */
type ArchiveStep = 'archived' | 'complete' | 'waiting'

type Position = { day: string; bucket: number; afterId: number }

/** Where the day's pass continues; undefined once it has seen every bucket. */
async function readPosition(tx: Tx, now: number): Promise<Position | undefined> {
  const { rows } = await tx.raw(
    'select day::text as day, bucket, "afterId" from session_fold_position for update',
  )
  const stored: Position = rows[0]
  const today = dayText(now)
  const position = stored.day === today ? stored : { day: today, bucket: 0, afterId: 0 }
  if (position.bucket >= BUCKETS) return undefined
  const bucket = await (await engineOf(tx)).nextBucketToArchive(tx, position)
  return bucket === position.bucket ? position : { day: today, bucket, afterId: 0 }
}

/**
 * Archives the next old sessions in their members' totals (decision 41), in one transaction with the position.
 * @param detailDays age of the end from which a session is archived, days of product time
 * @returns undefined once every bucket was looked at on this day
 * @throws an error if the credits of a session differ from the ledger; its row stays
 */
export function archiveStep(db: Db, detailDays: number): Promise<ArchiveStep | undefined> {
  return takeStep(db, 'archive sessions', async (tx) => {
    const now = await productNow(tx)
    const position = await readPosition(tx, now)
    if (!position) return undefined
    if (position.bucket >= BUCKETS) {
      await tx('session_fold_position').update(position)
      return 'complete'
    }
    const before = new Date(now - detailDays * DAY_MS)
    const { ids, afterId } = await sessionsToArchive(tx, position, before)
    await archiveBatch(tx, position.bucket, ids)
    const next = afterId === null ? { bucket: position.bucket + 1, afterId: 0 } : { afterId }
    await tx('session_fold_position').update({ ...position, ...next })
    return 'archived'
  })
}

/** Takes steps until the day's pass is complete, one has to wait, or `goOn` is false. */
export async function archiveSessions(
  db: Db,
  detailDays: number,
  goOn: () => boolean = () => true,
): Promise<void> {
  await takeSteps(() => archiveStep(db, detailDays), goOn)
}
