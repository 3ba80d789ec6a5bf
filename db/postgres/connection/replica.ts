import { setTimeout as sleep } from 'node:timers/promises'
import type { Logger } from 'pino'
import type { Db } from '#db/postgres/statements/transaction'
import { RuleError } from '#rules/rule-error'

/** Longest wait of a request for a replica to catch up, and the pause between two looks; ms. */
const CATCH_UP_MS = 2_000
const PAUSE_MS = 50

/** A promoted replica has a write position instead of a replayed one. */
const HAS_POSITION_SQL = `
  select (case when pg_is_in_recovery() then pg_last_wal_replay_lsn() else pg_current_wal_lsn() end)
    >= ?::pg_lsn as "hasPosition"`

/** Whether the replica has within `limitMs` all that the primary has committed. @throws if one is unreachable */
export async function catchesUp(db: Db, replica: Db, limitMs: number): Promise<boolean> {
  const end = performance.now() + limitMs
  const { rows } = await db.raw('select pg_current_wal_lsn()::text as position')
  for (;;) {
    const found = await replica.raw(HAS_POSITION_SQL, [rows[0].position])
    if (found.rows[0].hasPosition) return true
    if (performance.now() > end) return false
    await sleep(PAUSE_MS)
  }
}

/**
 * Runs a long read on the replica, if there is one. What it reads is never older than this call: a replica that is
 * over 2 s behind, unreachable, or cancels the read is replaced by the primary. `read` may run twice: no effects.
 */
export async function readFromReplica<T>(
  { db, replica, log }: { db: Db; replica: Db | undefined; log: Pick<Logger, 'warn'> },
  read: (reader: Db) => Promise<T>,
): Promise<T> {
  if (!replica) return read(db)
  try {
    if (await catchesUp(db, replica, CATCH_UP_MS)) return await read(replica)
    log.warn('replica is more than 2 s behind; reading from the primary')
  } catch (err) {
    if (err instanceof RuleError) throw err
    log.warn({ err }, 'read from the replica failed; reading from the primary')
  }
  return read(db)
}

/** Seconds by which a replica is behind at most; undefined for a server that is no replica. */
export async function replicaLagSeconds(db: Db): Promise<number | undefined> {
  const { rows } = await db.raw(`
    select case
      when not pg_is_in_recovery() then null
      when pg_last_wal_receive_lsn() = pg_last_wal_replay_lsn() then 0
      else extract(epoch from clock_timestamp() - pg_last_xact_replay_timestamp())
    end::float8 as lag`)
  return rows[0].lag ?? undefined
}
