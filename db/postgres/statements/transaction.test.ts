import { afterAll, beforeAll, expect, it } from 'vitest'
import { type FreshDatabase, freshDatabase } from '#db/testing/fresh-database'
import { insertMembers } from '#db/testing/members'
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
