import type { Knex } from 'knex'
import { bucketBindings, inBucket, inList } from '#db/ledger/citus/buckets-sql'
import { logChange } from '#db/ledger/log-change'
import { memberCounter, sweepCounter } from '#db/ledger/network-counters'
import { oneOfSessionsSql, type SessionKey, sessionKeys } from '#db/ledger/session-keys'
import { FULLY_CREDITED, splitEndSql } from '#db/mining/end-sql'
import { productNow } from '#db/postgres/connection/product-clock'
import type { Db } from '#db/postgres/statements/transaction'
import { type EndedSession, queueReminders } from '#db/reminders/queue-sql'
import { type BucketRange, bucketOf } from '#rules/buckets'
import { SESSION_MS } from '#rules/constants'

/** The clock is on the coordinator. */
const OVER = 's."startTime" <= :startedBy::timestamptz'
const END_RANGE_SQL = splitEndSql(OVER, inList)
const END_MANY_SQL = splitEndSql(oneOfSessionsSql('s.shard', 's.id'), inList)
const END_ONE_SQL = splitEndSql('s.id = :sessionId', inBucket)
const FINISHED_SQL = `
  select s.id as "sessionId", s."userId" from mining_sessions s
  where ${FULLY_CREDITED} and ${OVER} and ${inList('s.shard')}`

const rangeValues = (range: BucketRange) => ({ ...bucketBindings(range), ...sweepCounter(range) })
const startedBy = async (db: Db) => new Date((await productNow(db)) - SESSION_MS)

/** Ends sessions, then queues their reminders and logs the change, which are on the coordinator. */
async function end(db: Db, sql: string, values: Record<string, Knex.RawBinding>) {
  return db.transaction(async (tx) => {
    const { rows: ended }: { rows: EndedSession[] } = await tx.raw(sql, values)
    const memberIds = ended.map(({ userId }) => userId)
    await queueReminders(tx, ended)
    await logChange(tx, ...memberIds)
    return memberIds
  })
}

/** The functions of `end-sessions.ts` on Citus: each statement names the buckets of one node. */
export const splitEnd = {
  one: (db: Db, { id, userId }: { id: number; userId: number }) =>
    end(db, END_ONE_SQL, { shard: bucketOf(userId), sessionId: id, ...memberCounter(userId) }),

  range: async (db: Db, range: BucketRange) =>
    end(db, END_RANGE_SQL, { ...rangeValues(range), startedBy: await startedBy(db) }),

  these: (db: Db, sessions: SessionKey[], range: BucketRange) =>
    end(db, END_MANY_SQL, { ...sessionKeys(sessions), ...rangeValues(range) }),

  finished: async (db: Db, range: BucketRange): Promise<SessionKey[]> => {
    const values = { ...bucketBindings(range), startedBy: await startedBy(db) }
    return (await db.raw(FINISHED_SQL, values)).rows
  },
}
