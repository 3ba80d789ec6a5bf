import { afterAll, beforeAll, expect, it } from 'vitest'
import { connect } from '#db/engine/connect'
import { withoutTimeLimit } from '#db/postgres/statements/batch-settings'
import { type Db, inTransaction } from '#db/postgres/statements/transaction'
import { databaseAt } from '#scripts/embedded/create-database'
import { type FreshDatabase, freshDatabase } from '#scripts/testing/db/fresh-database'
import { ChaosProxy } from '#scripts/testing/gateway/wire/chaos-proxy'
import { withClient } from './pool.ts'

/** A whole failover: `npm run trial patroni`. */
let fresh: FreshDatabase
const pools: Db[] = []

beforeAll(async () => {
  fresh = await freshDatabase()
})
afterAll(async () => {
  await Promise.all(pools.map((pool) => pool.destroy()))
  await fresh.close()
})

function pool(options: Parameters<typeof connect>[1] = {}, url = fresh.url): Db {
  const made = connect(url, { max: 1, name: 'guarded', ...options })
  pools.push(made)
  return made
}

const backend = async (db: Db): Promise<number> => {
  const { rows } = await db.raw('select pg_backend_pid() as pid')
  return rows[0].pid
}

/** Sets what new connections to the database begin with. */
async function setForDatabase(setting: string): Promise<void> {
  const name = new URL(fresh.url).pathname.slice(1)
  const sql = `alter database ${name} ${setting}`
  await withClient(databaseAt(fresh.url, 'postgres'), (client) => client.query(sql))
}

/** New connections to the database are read-only, as those to a replica. */
const setReadOnly = (isReadOnly: boolean) =>
  setForDatabase(`set default_transaction_read_only = ${isReadOnly}`)

it('a connection to a server without writes is refused until it has a primary', async () => {
  const db = pool()
  const replica = pool({ mayBeReplica: true })
  await setReadOnly(true)
  try {
    await expect(backend(db)).rejects.toMatchObject({ code: '25006' })
    expect(await backend(replica)).toBeGreaterThan(0)
  } finally {
    await setReadOnly(false)
  }
  expect(await backend(db)).toBeGreaterThan(0)
})

it('a connection to a demoted primary is replaced after its first refused write', async () => {
  const db = pool()
  const before = await backend(db)
  await db.raw('set default_transaction_read_only = on')
  const write = () => db('users').where({ id: 0 }).update({ fullName: null })
  await expect(write()).rejects.toMatchObject({ code: '25006' })
  expect(await backend(db)).not.toBe(before)
  expect(await write()).toBe(0)
})

it('a connection to a demoted primary is replaced after a transaction', async () => {
  const db = pool()
  const before = await backend(db)
  await db.raw('set default_transaction_read_only = on')
  const transaction = db.transaction((tx) => tx('users').where({ id: 0 }).delete())
  await expect(transaction).rejects.toMatchObject({ code: '25006' })
  expect(await backend(db)).not.toBe(before)
})

it('a pool without a time limit has none in a database that sets one, as behind PgBouncer', async () => {
  await setForDatabase(`set statement_timeout = '100ms'`)
  try {
    await pool({ statementTimeoutMs: 0 }).raw('select pg_sleep(0.3)')
  } finally {
    await setForDatabase('reset statement_timeout')
  }
})

it('a statement of a transaction without a time limit may take longer than a silent server is waited for', async () => {
  const db = pool({ statementTimeoutMs: 500 })
  const before = await backend(db)
  await inTransaction(db, async (tx) => {
    await withoutTimeLimit(tx)
    await tx.raw('select pg_sleep(6)')
  })
  expect(await backend(db)).toBe(before)
  await expect(db.raw('select pg_sleep(1)')).rejects.toMatchObject({ code: '57014' })
})

it('a statement of a server that is cut off without a sign fails, and the connection is replaced', async () => {
  const { port } = new URL(fresh.url)
  const proxy = await ChaosProxy.start([Number(port)])
  const url = new URL(fresh.url)
  url.port = `${proxy.port}`
  const db = pool({ statementTimeoutMs: 500 }, url.href)
  try {
    // The limit is back after a transaction that has lifted it.
    await inTransaction(db, withoutTimeLimit)
    proxy.set({ silent: true })
    await expect(backend(db)).rejects.toMatchObject({ code: 'ETIMEDOUT' })
    proxy.set({})
    expect(await backend(db)).toBeGreaterThan(0)
  } finally {
    await proxy.close()
  }
})
