import { bucketBindings, inList } from '#db/ledger/citus/buckets-sql'
import { type OnShard, runOnShard, type ShardStatement } from '#db/ledger/citus/on-shard'
import { logChange } from '#db/ledger/log-change'
import { memberCounter, sweepCounter } from '#db/ledger/network-counters'
import { oneOfSessionsSql, type SessionKey, sessionKeys } from '#db/ledger/session-keys'
import { sweepRanges } from '#db/ledger/sweep-ranges'
import { endOnShard, FULLY_CREDITED } from '#db/mining/end-sql'
import { productNow } from '#db/postgres/connection/product-clock'
import type { Db } from '#db/postgres/statements/transaction'
import { type EndedSession, queueReminders } from '#db/reminders/queue-sql'
import { type BucketRange, bucketOf } from '#rules/buckets'
import { SESSION_MS } from '#rules/constants'

/** Times of JSON are text. */
type EndedRow = Omit<EndedSession, 'endTime'> & { endTime: string }

/** The clock is on the coordinator. */
const OVER = 's."startTime" <= :startedBy::timestamptz'
const END_RANGE = endOnShard(OVER)
const END_MANY = endOnShard(oneOfSessionsSql('s.shard', 's.id'))
const END_ONE = endOnShard('s.shard = :shard::smallint and s.id = :sessionId::bigint')
const FINISHED_SQL = `
  select s.id as "sessionId", s."userId" from mining_sessions s
  where ${FULLY_CREDITED} and ${OVER} and ${inList('s.shard')}`

const startedBy = async (db: Db) => new Date((await productNow(db)) - SESSION_MS)

/** Ends sessions, then queues their reminders and logs the change, which are on the coordinator. */
async function end(
  db: Db,
  place: OnShard,
  statement: ShardStatement,
  values: Record<string, unknown>,
) {
  return db.transaction(async (tx) => {
    const ended = await runOnShard<EndedRow>(tx, place, statement, values)
    const memberIds = ended.map(({ userId }) => userId)
    await queueReminders(
      tx,
      ended.map((session) => ({ ...session, endTime: new Date(session.endTime) })),
    )
    await logChange(tx, ...memberIds)
    return memberIds
  })
}

/** The functions of `end-sessions.ts` on Citus. The sessions of a range are of one shard. */
export const splitEnd = {
  one: (db: Db, { id: sessionId, userId }: { id: number; userId: number }) => {
    const shard = bucketOf(userId)
    return end(db, shard, END_ONE, { shard, sessionId, ...memberCounter(userId) })
  },

  range: async (db: Db, range: BucketRange): Promise<number[]> => {
    const before = { startedBy: await startedBy(db) }
    const ended: number[] = []
    for (const one of range.list ? [range] : await sweepRanges(db)) {
      const values = { ...sweepCounter(one), ...before }
      ended.push(...(await end(db, one, END_RANGE, values)))
    }
    return ended
  },

  these: (db: Db, sessions: SessionKey[], range: BucketRange) =>
    end(db, range, END_MANY, { ...sessionKeys(sessions), ...sweepCounter(range) }),

  finished: async (db: Db, range: BucketRange): Promise<SessionKey[]> => {
    const values = { ...bucketBindings(range), startedBy: await startedBy(db) }
    return (await db.raw(FINISHED_SQL, values)).rows
  },
}
