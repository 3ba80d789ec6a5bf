import { afterAll, beforeAll, expect, it } from 'vitest'
import { type FreshDatabase, freshDatabase } from '#scripts/testing/db/fresh-database'
import { seedHistory } from '#scripts/testing/db/history'
import {
  findMembers,
  idOfMember,
  ledgerOf,
  memberFacts,
  memberNamed,
  sessionsOf,
} from './members.ts'

let fresh: FreshDatabase
let leader: number

beforeAll(async () => {
  fresh = await freshDatabase()
  leader = (await seedHistory(fresh.db))[0] ?? 0
  const row = { username: 'Zo%e_1', usernameKey: 'zo%e_1' }
  await fresh.db('users').where({ id: leader }).update(row)
})
afterAll(() => fresh.close())

const found = async (text: string) => (await findMembers(fresh.db, text)).map(({ id }) => id)

it('members are found by a part of their user name, e-mail address or code, in any case', async () => {
  const { email } = await memberNamed(fresh.db, `id:${leader}`)
  for (const text of ['ZO%E', '%e_', email.toUpperCase(), 'espleader']) {
    expect(await found(text)).toEqual([leader])
  }
  expect(await found('test.example')).toHaveLength(13)
  expect(await found('zo_e')).toEqual([])
})

it('the facts of a member are those of account, wallet, team and session', async () => {
  expect(await memberFacts(fresh.db, leader)).toMatchObject({
    id: leader,
    frozenAt: null,
    referralCode: 'TESPLEADER',
    teamSize: 11,
    teamLevel: 1,
    tesp: expect.stringMatching(/^\d+\.\d{8}$/),
    runningSession: null,
  })
})

it('ledger and sessions of a member are listed newest first, up to the limit', async () => {
  const ledger = await ledgerOf(fresh.db, leader, 3)
  expect(ledger).toHaveLength(3)
  expect(ledger[0]).toMatchObject({ id: `task:${leader}:join_telegram`, amount: '1.00000000' })
  const credits = (await ledgerOf(fresh.db, leader, 50)).filter(({ id }) => id.startsWith('credit'))
  expect(credits[0]?.description).toBe('Automatic mining credit')
  const sessions = await sessionsOf(fresh.db, leader, 5)
  expect(sessions.map(({ status }) => status)).toEqual(['stopped', 'stopped'])
  expect(sessions[0]?.id).toBeGreaterThan(sessions[1]?.id ?? 0)
})

it('an id names a deleted member for reading only', async () => {
  const id = await fresh.db('users').max('id as id').first()
  const name = `deleted:${id?.id}`
  await fresh.db('users').where({ id: id?.id }).update({
    username: name,
    usernameKey: name,
    email: name,
    emailKey: name,
    password: '',
    deletedAt: fresh.db.fn.now(),
  })
  expect(await idOfMember(fresh.db, `id:${id?.id}`)).toBe(id?.id)
  await expect(memberNamed(fresh.db, `id:${id?.id}`)).rejects.toThrow('no such member')
  await expect(idOfMember(fresh.db, name)).rejects.toThrow('no such member')
})
