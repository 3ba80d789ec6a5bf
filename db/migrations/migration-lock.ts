import { setTimeout as sleep } from 'node:timers/promises'
import type { Client } from 'pg'
import type { Report } from '#db/engine/engine'
import { withClient } from '#db/postgres/connection/pool'

/** Key of the advisory lock that serialises migrations across processes. */
const MIGRATION_LOCK = 7_300_101
const LOCK_PAUSE_MS = 100
/** Waits that are shorter, as for a process that started at the same time, are not reported. */
const REPORTED_WAIT_MS = 3_000

/**
 * Takes the lock until the transaction of `client` ends. A lock of the session would outlive this process behind a
 * pooler in transaction mode. A failed try ends its transaction, which would occupy a connection of the pooler that
 * the holder of the lock needs. False, without the lock, once `isNeedless`, asked after each failed try, says so.
 */
export async function takeMigrationLock(
  client: Client,
  report: Report,
  idleMs: number,
  isNeedless = async () => false,
): Promise<boolean> {
  const begin = performance.now()
  let isReported = false
  for (;;) {
    await client.query('begin')
    await client.query(`set local idle_in_transaction_session_timeout = ${idleMs}`)
    // Without a bound value: a bound statement keeps its snapshot, for which indexes would wait.
    const { rows } = await client.query(
      `select pg_try_advisory_xact_lock(${MIGRATION_LOCK}) as "isLocked"`,
    )
    if (rows[0].isLocked) return true
    await client.query('rollback')
    if (await isNeedless()) return false
    if (!isReported && performance.now() - begin > REPORTED_WAIT_MS) {
      report('waiting for another process that migrates')
      isReported = true
    }
    await sleep(LOCK_PAUSE_MS)
  }
}

/**
 * Runs `work` under the lock. If the lock is lost, this rejects at once; the caller then closes the pool of
 * `work`, which waits for the transaction in progress.
 * @param options.isNeedless whether `work` may be left to the process that has the lock
 * @param options.idleMs after which Postgres takes the lock from a process that has died or is frozen
 */
export async function withMigrationLock(
  databaseUrl: string,
  report: Report,
  work: () => Promise<void>,
  options: { isNeedless?: () => Promise<boolean>; idleMs?: number } = {},
): Promise<void> {
  const { isNeedless, idleMs = 30_000 } = options
  await withClient(databaseUrl, async (lock) => {
    const lost = new Promise<never>((_, reject) => lock.on('error', reject))
    lost.catch(() => {})
    let alive: NodeJS.Timeout | undefined
    try {
      if (!(await takeMigrationLock(lock, report, idleMs, isNeedless))) return
      alive = setInterval(() => void lock.query('select 1').catch(() => {}), idleMs / 6).unref()
      await Promise.race([work(), lost])
      await lock.query('commit')
    } finally {
      clearInterval(alive)
    }
  })
}
