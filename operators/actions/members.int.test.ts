import { afterAll, beforeAll, expect, it } from 'vitest'
import { isOneServer } from '#scripts/testing/db/database'
import { type FreshDatabase, freshDatabase } from '#scripts/testing/db/fresh-database'
import { seedHistory } from '#scripts/testing/db/history'
import { insertMembers } from '#scripts/testing/db/members'
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

const found = async (text: string) =>
  (await findMembers(fresh.db, text)).members.map(({ id }) => id)

it('members are found by id, code, or the beginning of their name or address, in any case', async () => {
  const { email } = await memberNamed(fresh.db, `id:${leader}`)
  const texts = ['ZO%E', 'zo%', email.toUpperCase(), 'tesp leader', String(leader), `id:${leader}`]
  for (const text of texts) expect([text, ...(await found(text))]).toEqual([text, leader])
  expect(await found('zo_e')).toEqual([])
  expect(await found('o%e')).toEqual([])
  expect(await found(' ')).toEqual([])
})

it('pages of found members together hold each of them once, by name before address', async () => {
  const ids = await insertMembers(fresh.db, 180)
  // 60 by name, 120 by address; of these 60 by both.
  await fresh
    .db('users')
    .whereIn('id', ids.slice(0, 60))
    .update({
      usernameKey: fresh.db.raw(`'page-' || id`),
      username: fresh.db.raw(`'page-' || id`),
    })
  await fresh
    .db('users')
    .whereIn('id', ids.slice(0, 120))
    .update({
      emailKey: fresh.db.raw(`'page-' || id || '@x.example'`),
      email: fresh.db.raw(`'Page-' || id || '@x.example'`),
    })
  const pages: number[][] = []
  let next: string | undefined
  do {
    const page = await findMembers(fresh.db, 'PAGE-', next)
    pages.push(page.members.map(({ id }) => id))
    next = page.next
  } while (next !== undefined)
  expect(pages.map(({ length }) => length)).toEqual([50, 50, 20])
  expect(new Set(pages.flat())).toEqual(new Set(ids.slice(0, 120)))
  expect(new Set(pages.flat().slice(0, 60))).toEqual(new Set(ids.slice(0, 60)))
})

it.runIf(isOneServer())(
  'the search reads its indexes only, however many members begin so',
  async () => {
    const ids = await insertMembers(fresh.db, 5_000)
    const emailKey = fresh.db.raw(`'mail.' || id || '@x.example'`)
    await fresh.db('users').whereIn('id', ids).update({ email: emailKey, emailKey })
    await fresh.db.raw('vacuum analyze users')
    const plans: string[] = []
    const sent: { sql: string; bindings: string[] }[] = []
    fresh.db.on('query', (query) => sent.push(query))
    await findMembers(fresh.db, 'member')
    await findMembers(fresh.db, 'mail.', 'email:mail.')
    fresh.db.removeAllListeners('query')
    for (const { sql, bindings } of sent) {
      const { rows } = await fresh.db.raw(`explain ${sql.replaceAll(/\$\d+/g, '?')}`, bindings)
      plans.push(rows.map((row: Record<string, string>) => row['QUERY PLAN']).join('\n'))
    }
    expect(plans).toHaveLength(3)
    const [exact, byName, byEmail] = plans
    expect(exact).toMatch(/Index Scan on users_pkey[\s\S]*Index Scan on "users_referralCode_key"/)
    expect(byName).toMatch(/Index Scan using users_name_prefix/)
    expect(byEmail).toMatch(/Index Scan using users_email_prefix/)
    expect(byName + (byEmail ?? '')).not.toMatch(/Seq Scan|Sort/)
  },
)

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
