import { Client } from 'pg'
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest'
import { type FreshDatabase, freshDatabase } from '#scripts/testing/db/fresh-database'
import { waitingForRows } from '#scripts/testing/db/statements/waiting-for-rows'
import { Backends, CuttablePool } from './cuttable-pool.ts'
import { SimulatedConnection } from './simulated-connection.ts'

const LOST = 'Connection terminated unexpectedly'
const INSERT = 'insert into facts values ($1)'

let fresh: FreshDatabase
beforeAll(async () => {
  fresh = await freshDatabase()
  await fresh.db.raw('create table facts (name text primary key)')
})
beforeEach(() => fresh.db('facts').delete())
afterAll(() => fresh.close())

const facts = (): Promise<string[]> => fresh.db('facts').pluck('name')

async function open(): Promise<Client> {
  const client = new Client({ connectionString: fresh.url })
  // Cuts end some of them.
  client.on('error', () => {})
  await client.connect()
  return client
}

async function pidOf(connection: SimulatedConnection): Promise<number> {
  const { rows } = await connection.query('select pg_backend_pid() as pid')
  return rows[0].pid
}

it('a cut connection fails its statement at once, and the cut lasts until Postgres has answered', async () => {
  const connection = new SimulatedConnection(await open())
  let answers = 0
  connection.onAnswer = () => {
    answers += 1
  }
  const holder = await fresh.db.transaction()
  await holder('facts').insert({ name: 'under way' })
  const insert = connection.query({ text: INSERT, values: ['under way'] })
  await expect.poll(() => waitingForRows(fresh.db)).toBe(1)
  let isOver = false
  const cut = connection.cut().then(() => {
    isOver = true
  })
  await expect(insert).rejects.toThrow(LOST)
  await expect(connection.query('select 1')).rejects.toThrow(LOST)
  expect(isOver).toBe(false)
  await holder.rollback()
  await cut
  expect(await facts()).toEqual(['under way'])
  expect(answers).toBe(0)
  await connection.backend.end()
})

it('each cut undoes its transaction, and only the twentieth ends the backend', async () => {
  const backends = new Backends(open, fresh.db)
  const pids = new Set<number>()
  for (let cuts = 1; cuts <= 20; cuts++) {
    const connection = new SimulatedConnection(await backends.take())
    pids.add(await pidOf(connection))
    await connection.query('begin')
    await connection.query({ text: INSERT, values: ['undone'] })
    await backends.cut(connection)
    await fresh.db.transaction((tx) => tx.raw('lock table facts in exclusive mode nowait'))
  }
  expect(await facts()).toEqual([])
  expect(pids.size).toBe(1)
  expect(await fresh.db('pg_stat_activity').whereIn('pid', [...pids])).toEqual([])
  const next = new SimulatedConnection(await backends.take())
  expect(pids).not.toContain(await pidOf(next))
  backends.giveBack(next)
  await backends.close()
})

it('a backend prepares a text once for all connections that use it', async () => {
  const backends = new Backends(open, fresh.db)
  for (const name of ['first', 'second', 'third']) {
    const connection = new SimulatedConnection(await backends.take())
    await connection.query({ text: INSERT, values: [name] })
    await backends.cut(connection)
  }
  const connection = new SimulatedConnection(await backends.take())
  const { rows } = await connection.query({
    text: `select (generic_plans + custom_plans)::integer as runs from pg_prepared_statements
      where statement = $1`,
    values: [INSERT],
  })
  expect(rows).toEqual([{ runs: 3 }])
  backends.giveBack(connection)
  await backends.close()
})

it('a copy that outlives its dead process runs nothing in the next one', async () => {
  const pool = new CuttablePool(fresh.url, fresh.db)
  const copies: Promise<unknown>[] = []
  const insert = (name: string) => pool.db.raw('insert into facts values (?)', [name])
  const ending = await pool.run({ copies: 2, cutAfter: 1 }, () => {
    const [first] = copies
    const copy = first
      ? first.catch(() => fresh.db.raw('select 1')).then(() => insert('outlived'))
      : insert('answered').then(() => insert('not sent'))
    copies.push(copy)
    return copy
  })
  await Promise.allSettled(copies)
  expect(ending).toEqual({ isCut: true, values: [] })
  expect(await facts()).toEqual(['answered'])
  await pool.run({}, () => insert('next process'))
  expect(await facts()).toEqual(['answered', 'next process'])
  await pool.close()
})
