import { afterAll, beforeAll, expect, it } from 'vitest'
import { connect } from '#db/engine/connect'
import { type FreshDatabase, freshDatabase } from '#scripts/testing/db/fresh-database'
import { insertMember } from '#scripts/testing/db/members'
import { readSnapshot } from '#scripts/testing/db/read-snapshot'
import type { Db } from './transaction.ts'

let fresh: FreshDatabase
let memberId: number
beforeAll(async () => {
  fresh = await freshDatabase()
  memberId = await insertMember(fresh.db)
})
afterAll(() => fresh.close())

async function statementsAfter(reads: number, preparedStatements: boolean) {
  const db: Db = connect(fresh.url, { max: 1, preparedStatements })
  try {
    for (let i = 0; i < reads; i++) await readSnapshot(db, memberId)
    const { rows } = await db.raw(
      'select name, generic_plans as generic, custom_plans as custom from pg_prepared_statements',
    )
    return rows
  } finally {
    await db.destroy()
  }
}

it('a hot statement is prepared once per connection and gets a generic plan', async () => {
  const [statement, ...others] = await statementsAfter(20, true)
  expect(others).toEqual([])
  expect(statement.name).toBe('member-snapshot')
  expect(statement.generic).toBeGreaterThan(10)
})

it('no statement is prepared by name if the pool is opened without', async () => {
  expect(await statementsAfter(2, false)).toEqual([])
})
