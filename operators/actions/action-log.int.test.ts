import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { deleteMember } from '#db/members/deletion'
import { inTransaction } from '#db/postgres/statements/transaction'
import { isOneServer } from '#scripts/testing/db/database'
import { type FreshDatabase, freshDatabase } from '#scripts/testing/db/fresh-database'
import { insertMember } from '#scripts/testing/db/members'
import { listActions, type OperatorAction, recordAction } from './action-log.ts'

let fresh: FreshDatabase
let memberId: number

beforeAll(async () => {
  fresh = await freshDatabase()
  memberId = await insertMember(fresh.db)
  await fresh.db('users').where({ id: memberId }).update({
    username: 'Zoë.9',
    fullName: 'Zoë (Z.) Ng',
    phone: '+49 30',
    referralCode: 'TESPZZZZZ9',
  })
})
afterAll(() => fresh.close())

const record = (change: Partial<OperatorAction> = {}) => {
  const entry = { operator: 'ada', action: 'codes freeze', details: { n: 1 }, reason: 'farmed' }
  return inTransaction(fresh.db, (tx) => recordAction(tx, { ...entry, memberId, ...change }))
}
const stored = () => fresh.db('operator_actions').orderBy('id').select()

async function expectRefused(sql: string): Promise<void> {
  await record()
  const before = await stored()
  await expect(inTransaction(fresh.db, (tx) => tx.raw(sql))).rejects.toThrow(
    'operator_actions is append-only',
  )
  expect(await stored()).toEqual(before)
}

describe('the log of operators’ actions', () => {
  it('an action is listed with who, when, what and why', async () => {
    await record()
    await record({ action: 'flags on', memberId: null, reason: '  a\n trial ' })
    const line = { at: expect.any(Date), operator: 'ada', details: { n: 1 } }
    const [trial, freeze] = await listActions(fresh.db, 2)
    expect(trial).toMatchObject({ ...line, action: 'flags on', memberId: null, reason: 'a trial' })
    expect(freeze).toMatchObject({ ...line, action: 'codes freeze', memberId, reason: 'farmed' })
    expect(freeze?.databaseRole).toMatch(/\w/)
    expect(await listActions(fresh.db, 9, { memberId })).toEqual([freeze])
  })

  it.each([
    ['an update', `update operator_actions set reason = 'nothing'`],
    ['a deletion', 'delete from operator_actions'],
    ['a truncation', 'truncate operator_actions'],
    ['a truncation of its members', 'truncate users cascade'],
    [
      'a deletion by a replica',
      'set local session_replication_role = replica; delete from operator_actions',
    ],
  ])('%s is refused by the database', (_, sql) => expectRefused(sql))

  // Citus sends it to no table.
  it.runIf(isOneServer())('an update of no row is refused by the database', () =>
    expectRefused('update operator_actions set id = default where false'),
  )

  it('the log survives the deletion of the account with the id of the member', async () => {
    const id = await insertMember(fresh.db)
    await record({ memberId: id })
    await inTransaction(fresh.db, (tx) =>
      deleteMember(tx, fresh.dataKey, { memberId: id, epoch: 0 }),
    )
    expect(await listActions(fresh.db, 9, { memberId: id })).toHaveLength(1)
  })
})

describe('the reason of an action', () => {
  it.each([
    ['the user name', 'zoë.9 asked for it'],
    ['the name', 'a call from ZOË (Z.) NG'],
    ['the phone number', 'called +49 30'],
    ['the referral code', 'TESPZZZZZ9 is farmed'],
  ])('a reason with %s of the member is rejected', async (what, reason) => {
    await expect(record({ reason })).rejects.toThrow(`must not contain ${what} of the member`)
  })

  it.each(['', ' ', 'x'.repeat(301), 'mail from zoe@test.example'])(
    'the reason %j is rejected',
    async (reason) => {
      await expect(record({ reason })).rejects.toMatchObject({ code: 'bad_input' })
    },
  )

  it('a reason may contain a word that contains the user name', async () => {
    await record({ reason: 'zoë.99 and xzoë.9x are others' })
  })
})
