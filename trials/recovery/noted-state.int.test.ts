import { afterAll, beforeAll, expect, it } from 'vitest'
import { type FreshDatabase, freshDatabase } from '#scripts/testing/db/fresh-database'
import { insertMember } from '#scripts/testing/db/members'
import { differences, noteState, readState } from './noted-state.ts'

let fresh: FreshDatabase
let userId: number

beforeAll(async () => {
  fresh = await freshDatabase()
  userId = await insertMember(fresh.db)
})
afterAll(() => fresh.close())

const pay = (db: FreshDatabase['db']) => db('wallets').where({ userId }).increment('usdtBalance', 1)

it('a state waits for transactions that have written a wallet and precedes later ones', async () => {
  const { db } = fresh
  const open = await db.transaction()
  await pay(open)
  const noting = noteState(db)
  await expect
    .poll(async () => {
      const { rows } = await db.raw(`select 1 from pg_locks where not granted and mode = 'ShareLock'
        and database = (select oid from pg_database where datname = current_database())`)
      return rows.length
    })
    .toBe(1)
  await open.commit()
  const noted = await noting
  await pay(db)
  const { rows } = await db.raw('select clock_timestamp() > ?::timestamptz as "isLater"', [
    noted.at,
  ])
  expect(rows[0].isLater).toBe(true)
  expect(noted.wallets.get(`${userId}`)).toContain('"usdtBalance":1.0')
  expect(differences(noted, noted)).toEqual([])
  expect(differences(noted, await readState(db))).toEqual([
    expect.stringMatching(new RegExp(`^wallets ${userId}: noted .*, restored .*`)),
  ])
})
