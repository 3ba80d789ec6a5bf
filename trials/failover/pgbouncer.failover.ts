import { setTimeout as sleep } from 'node:timers/promises'
import type { Client } from 'pg'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { migrate } from '#db/migrations/migrate'
import { withClient } from '#db/postgres/connection/pool'
import { type TestDatabase, testDatabase } from '#scripts/testing/db/database'
import { newMember } from '#scripts/testing/gateway/visitor'
import { SPEED } from '#trials/kit/checks'
import { runScript } from '#trials/kit/child'
import { startLoad } from '#trials/kit/load'
import { startPgBouncer } from '#trials/kit/pgbouncer'
import { Stage } from '#trials/kit/stage'

/** Fewer server connections than the pools of the processes have together. */
const POOL_SIZE = 6
const POOL_OF_A_PROCESS = '10'

describe('PgBouncer in transaction mode', () => {
  let database: TestDatabase
  let pooler: Awaited<ReturnType<typeof startPgBouncer>>

  const direct = <T>(work: (client: Client) => Promise<T>) => withClient(database.url, work)

  beforeAll(async () => {
    database = await testDatabase()
    pooler = await startPgBouncer(database.url, POOL_SIZE)
  })
  afterAll(async () => {
    await pooler?.stop()
    await database?.drop()
  })

  const advisoryLocks = async () => {
    const sql = `select count(*)::int as count from pg_locks l join pg_database d on d.oid = l.database
      where d.datname = current_database() and l.locktype = 'advisory'`
    return (await direct((client) => client.query(sql))).rows[0].count
  }

  it('ten processes that migrate at once leave no advisory lock behind', async () => {
    await Promise.all(Array.from({ length: 10 }, () => migrate(pooler.url)))
    expect(await advisoryLocks()).toBe(0)
  })

  it('two gateways and two workers share six connections under load', async () => {
    const env = { DATABASE_PREPARED: 'off', DATABASE_POOL: POOL_OF_A_PROCESS }
    const place = { ...database, url: pooler.url }
    const stage = await Stage.start(place, { workers: 2, speed: SPEED, env })
    try {
      const load = await startLoad(stage.product, 8, 5)
      const member = await newMember(stage.product)
      const socket = await member.connected(1)
      const pushed = new Promise((resolve) => socket.once('changed', resolve))
      await member.call('POST /api/mining/start', { gateway: 0 })
      expect(await pushed).toMatchObject({ mining: { active: true } })
      member.disconnect()
      await sleep(10_000)
      expect(await load.stop()).toEqual([])
      expect(load.tally.claims.size).toBeGreaterThan(0)
      expect(load.tally.unavailable).toBe(0)
      // Each reads the clock by a statement that a pool may prepare.
      const lags = Array.from({ length: 4 }, () => runScript('ops', ['lag'], stage.env))
      expect((await Promise.all(lags)).join()).toContain('oldest due credit')
      expect(await serverConnections()).toBeLessThanOrEqual(POOL_SIZE)
      expect(await advisoryLocks()).toBe(0)
      expect(await stage.unexpectedExits()).toEqual([])
    } finally {
      await stage.stop()
    }
  })

  async function serverConnections(): Promise<number> {
    const sql = `select count(*)::int as count from pg_stat_activity
      where datname = current_database() and pid <> pg_backend_pid()`
    return (await direct((client) => client.query(sql))).rows[0].count
  }
})
