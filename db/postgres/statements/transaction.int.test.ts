import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type FreshDatabase, freshDatabase } from '#scripts/testing/db/fresh-database'
import { insertMembers } from '#scripts/testing/db/members'
import { prepared } from './prepared.ts'
import { inTransaction, type Tx } from './transaction.ts'

let fresh: FreshDatabase

beforeAll(async () => {
  fresh = await freshDatabase()
})
afterAll(() => fresh.close())

const fail = (tx: Tx, sqlstate: string) =>
  tx.raw(`do $$ begin raise exception 'no' using errcode = '${sqlstate}'; end $$`)
const rename = (tx: Tx, id: number, fullName: string) =>
  tx('users').where({ id }).update({ fullName })

it.each(['40001', '40P01'])(
  'inTransaction repeats the whole work after SQLSTATE %s',
  async (sqlstate) => {
    let tries = 0
    const answer = await inTransaction(fresh.db, async (tx) => {
      tries += 1
      if (tries < 3) await fail(tx, sqlstate)
      return 'done'
    })
    expect([answer, tries]).toEqual(['done', 3])
  },
)

it('inTransaction rejects after five tries', async () => {
  let tries = 0
  const work = inTransaction(fresh.db, async (tx) => {
    tries += 1
    await fail(tx, '40001')
  })
  await expect(work).rejects.toMatchObject({ code: '40001' })
  expect(tries).toBe(5)
})

it('inTransaction does not retry other errors', async () => {
  let tries = 0
  const work = inTransaction(fresh.db, async (tx) => {
    tries += 1
    await fail(tx, '23505')
  })
  await expect(work).rejects.toMatchObject({ code: '23505' })
  expect(tries).toBe(1)
})

it('two transactions in a deadlock both commit', async () => {
  const [one = 0, two = 0] = await insertMembers(fresh.db, 2)
  const cross = (first: number, second: number) =>
    inTransaction(fresh.db, async (tx) => {
      await rename(tx, first, `${first} first`)
      await new Promise((resolve) => setTimeout(resolve, 100))
      await rename(tx, second, `${first} first`)
    })
  await Promise.all([cross(one, two), cross(two, one)])
  const names = await fresh.db('users').whereIn('id', [one, two]).pluck('fullName')
  expect(new Set(names).size).toBe(1)
})

describe('after the end of a transaction', () => {
  const ended = 'the transaction has ended'

  it('a query builder of it is refused', async () => {
    const late = await inTransaction(fresh.db, async (tx) => ({ query: tx('users').limit(1) }))
    await expect(late.query).rejects.toThrow(ended)
  })

  it('a prepared statement of it is refused', async () => {
    const wrapped = await inTransaction(fresh.db, async (tx) => ({ tx }))
    await expect(prepared(wrapped.tx, 'late', 'select 1', {})).rejects.toThrow(ended)
  })

  it('a prepared statement of a transaction of Knex is refused', async () => {
    const wrapped = await fresh.db.transaction(async (tx) => ({ tx }))
    await expect(prepared(wrapped.tx, 'late', 'select 1', {})).rejects.toThrow(ended)
  })
})

it('the locks of a transaction that failed are free when inTransaction rejects', async () => {
  const work = inTransaction(fresh.db, async (tx) => {
    await tx.raw('select pg_advisory_xact_lock(1)')
    throw new Error('no')
  })
  await expect(work).rejects.toThrow('no')
  const { rows } = await fresh.db.raw('select pg_try_advisory_lock(1) as "isFree"')
  expect(rows[0].isFree).toBe(true)
})

it('a savepoint that fails keeps what the transaction did before it', async () => {
  const [id = 0] = await insertMembers(fresh.db, 1)
  await inTransaction(fresh.db, async (tx) => {
    await rename(tx, id, 'before')
    const inner = tx.transaction(async (nested) => {
      await rename(nested, id, 'inside')
      await fail(nested, '23505')
    })
    await expect(inner).rejects.toMatchObject({ code: '23505' })
  })
  const row = await fresh.db('users').where({ id }).first('fullName')
  expect(row.fullName).toBe('before')
})
