import { describe, expect, it } from 'vitest'
import { enqueueMail, MAIL_TRIES, markFailed } from '#db/mails'
import { refuseAddress } from '#db/members/refused-addresses'
import { inTransaction } from '#db/postgres/statements/transaction'
import { listActions } from '#operators/actions/action-log'
import { ROLES, type Role } from '#operators/actions/operators'
import { OPS, type OpsName } from '#operators/ops/program'
import { insertMember } from '#scripts/testing/db/members'
import { insertSessions } from '#scripts/testing/db/sessions'
import { ACTIONS, type ActionName, isAction, PAGES, type PageName } from './roles.ts'
import { actionsOf, type ConsoleBrowser, hidden, useConsole } from './testing/use-console.ts'

const operator = useConsole()
const db = () => operator.fresh.db
const NAMES = Object.keys(ACTIONS) as ActionName[]
const pathOf = (name: string) => `/actions/${name.split(' ').join('/')}`
const reason = 'a test'

const names = (text: string) => text.split(/,\s+/)
const BY_SUPPORT = names(`members freeze, members unfreeze, members reset-factor,
  members change-email, members confirm-email, sign-ins end, sessions end, ledger correct,
  ledger approve, ledger refuse, codes freeze, codes unfreeze, teams dismiss, mail allow, mail retry`)
const BY_REVIEWERS = names('kyc accept, kyc reject')
const NOTES = names('notes add, notes delete')
const BY_OWNERS =
  names(`members set-email, members delete, quarantine release, operators invite, operators reset,
  operators role, operators sign-out, operators remove, mail test, tasks add, tasks edit,
  tasks publish, tasks end, announcements add, announcements edit, announcements end, flags on,
  flags off, flags for, flags require, versions set, versions lift`)
const FOR_ALL = names(`overview, members, member, member ledger, teams, team, tasks, task,
  announcements, releases, queues, account, log`)
const IDENTITY = names('identity, document, document content')

/** What each role may do, written apart from the tables of the product. */
const MAY: Record<Role, { act: string[]; open: string[] }> = {
  reader: { act: [], open: FOR_ALL },
  support: { act: [...BY_SUPPORT, ...NOTES], open: [...FOR_ALL, 'corrections'] },
  reviewer: { act: [...BY_REVIEWERS, ...NOTES], open: [...FOR_ALL, ...IDENTITY] },
  owner: {
    act: [...BY_SUPPORT, ...BY_REVIEWERS, ...NOTES, ...BY_OWNERS],
    open: [...FOR_ALL, ...IDENTITY, 'corrections', 'operators'],
  },
}

/** An operator of each role who has signed in, for the tests that only press. */
const signedIn: Partial<Record<Role, ConsoleBrowser>> = {}
async function as(role: Role): Promise<ConsoleBrowser> {
  signedIn[role] ??= await (await operator.another(role)).signIn()
  return signedIn[role]
}

/** What the log says about the last refused request of an operator. */
const lastRefusal = async ({ name }: ConsoleBrowser) =>
  (await listActions(db(), 1, { operator: name, action: 'console refused' }))[0]

describe('the matrix of roles', () => {
  it('every action of npm run ops is a row of the matrix', () => {
    const acting = (Object.keys(OPS) as OpsName[]).filter((name) => 'act' in OPS[name])
    expect(NAMES.sort()).toEqual(acting.sort())
    expect(acting.every(isAction)).toBe(true)
  })

  it.each(ROLES.flatMap((role) => NAMES.map((name) => ({ role, name }))))(
    'the role $role presses $name as the matrix says',
    async ({ role, name }) => {
      const browser = await as(role)
      const answers = [await browser.get(pathOf(name)), await browser.ask(name, { reason })]
      if (MAY[role].act.includes(name)) {
        for (const { status } of answers) expect([200, 400, 404, 409]).toContain(status)
        return
      }
      expect(answers.map(({ status }) => status)).toEqual([403, 403])
      expect(await lastRefusal(browser)).toMatchObject({
        details: { path: pathOf(name), action: name },
        reason: `the role ${role} may not`,
      })
    },
  )

  it.each(
    ROLES.flatMap((role) => (Object.keys(PAGES) as PageName[]).map((page) => ({ role, page }))),
  )('the role $role opens the page $page as the matrix says', async ({ role, page }) => {
    const browser = await as(role)
    const path = PAGES[page].path.replace(':id', '999999')
    const { status } = await browser.get(path)
    if (MAY[role].open.includes(page)) return expect([200, 404]).toContain(status)
    expect(status).toBe(403)
    expect(await lastRefusal(browser)).toMatchObject({ details: { path, page } })
  })

  it('a page shows no link to an action that the role may not carry out', async () => {
    const id = await insertMember(db())
    expect(await (await as('support')).text(`/members/${id}`)).toContain('/actions/members/freeze')
    expect(await (await as('reader')).text(`/members/${id}`)).not.toContain('/actions/')
  })

  it('a page links each remedy for what it shows, for the roles that may carry it out', async () => {
    const memberId = await insertMember(db())
    const { email } = await db()('users').where({ id: memberId }).first('email')
    const mail = { to: email, subject: 'verified', text: 'x' }
    const mailId = await inTransaction(db(), async (tx) => {
      await refuseAddress(tx, { email, reason: '550 5.1.1 no such user', fact: 1 })
      return enqueueMail(tx, operator.fresh.dataKey, mail)
    })
    for (let n = 0; n < MAIL_TRIES; n++) await markFailed(db(), mailId, 'mailbox full')
    const [session] = await insertSessions(db(), [{ userId: memberId, startedAt: Date.now() }])
    const shown = async (role: Role, path: string) => (await as(role)).text(path)
    const member = `/members/${memberId}`
    expect(await shown('support', member)).toContain('/actions/sessions/end?')
    await db()('mining_sessions')
      .where({ id: session })
      .update({ quarantinedAt: new Date(), quarantineReason: '23514: test' })
    expect(await shown('reader', member)).toContain('Mail refused: 550 5.1.1 no such user')
    const links: [string, string, boolean][] = [
      [member, `/actions/mail/retry?arg0=${mailId}&`, true],
      [member, `/actions/mail/allow?arg0=${encodeURIComponent(email)}&`, true],
      [member, `/actions/quarantine/release?arg0=${session}&`, false],
      ['/overview', '/actions/mail/retry?arg0=%40all&', true],
      ['/queues', '/actions/mail/test?', false],
    ]
    for (const [path, link, isForSupport] of links) {
      for (const role of ROLES) {
        const may = role === 'owner' || (role === 'support' && isForSupport)
        expect([role, link, (await shown(role, path)).includes(link)]).toEqual([role, link, may])
      }
    }
    expect(await shown('owner', member)).not.toContain('/actions/sessions/end?')
  })

  it('all members are signed out by an owner only', async () => {
    const memberId = await insertMember(db())
    const epoch = async () =>
      (await db()('users').where({ id: memberId }).first('authEpoch')).authEpoch
    const fields = { arg0: '@everybody', reason }
    const support = await as('support')
    const refused = await support.act('sign-ins end', fields)
    expect(refused.status).toBe(403)
    expect(await refused.text()).toContain('Only an owner may end the sign-ins of all members')
    expect(await epoch()).toBe(0)
    expect(await lastRefusal(support)).toMatchObject({
      details: { action: 'sign-ins end' },
      reason: 'the role support may not',
    })
    expect((await support.act('sign-ins end', { ...fields, arg0: `id:${memberId}` })).status).toBe(
      200,
    )
    expect(await epoch()).toBe(1)
    expect((await (await as('owner')).act('sign-ins end', fields)).status).toBe(200)
    expect(await epoch()).toBe(2)
  })
})

describe('an action', () => {
  const balance = async (userId: number) =>
    (await db()('wallets').where({ userId }).first('balance')).balance

  async function correction() {
    const memberId = await insertMember(db())
    await operator.signIn()
    return { memberId, fields: { arg0: `id:${memberId}`, arg1: 'TESP', arg2: '1', reason } }
  }

  it('an action asks, acts once it is confirmed, and is logged with the account', async () => {
    const { memberId, fields } = await correction()
    const question = await (await operator.ask('ledger correct', fields)).text()
    expect(question).toContain(`Post 1 TESP for member ${memberId} (`)
    expect(await balance(memberId)).toBe('0.00000000')
    const done = await operator.act('ledger correct', fields)
    expect(await done.text()).toContain(`1 TESP posted for member ${memberId}`)
    expect(await balance(memberId)).toBe('1.00000000')
    expect(await listActions(db(), 9, { memberId })).toMatchObject([
      {
        action: 'ledger correct',
        operator: operator.name,
        operatorId: await operator.id(),
        reason,
      },
    ])
  })

  it('a confirmed form that is sent 10 times in parallel acts once', async () => {
    const { memberId, fields } = await correction()
    const key = hidden(await (await operator.ask('ledger correct', fields)).text(), 'key')
    const answers = await Promise.all(
      Array.from({ length: 10 }, () => operator.ask('ledger correct', { ...fields, key })),
    )
    // A browser shows the answer to the last of several clicks.
    const texts = await Promise.all(answers.map((answer) => answer.text()))
    expect(texts.filter((text) => text.includes('1 TESP posted'))).toHaveLength(10)
    expect(await balance(memberId)).toBe('1.00000000')
    expect(await actionsOf(operator.fresh, memberId)).toHaveLength(1)
  })

  it.each([
    ['another amount', { arg2: '1000' }],
    ['another member', { arg0: 'id:1' }],
    ['another reason', { reason: 'a bribe' }],
    ['a self-made key', { key: 'a.b.c' }],
  ])('a confirmed form with %s is refused and logged', async (_, change) => {
    const { memberId, fields } = await correction()
    const key = hidden(await (await operator.ask('ledger correct', fields)).text(), 'key')
    const answer = await operator.ask('ledger correct', { ...fields, key, ...change })
    expect(answer.status).toBe(403)
    expect(await balance(memberId)).toBe('0.00000000')
    expect(await lastRefusal(operator)).toMatchObject({
      reason: 'a forged form',
      details: { action: 'ledger correct' },
    })
  })

  it('a form that another operator was asked is refused', async () => {
    const { memberId, fields } = await correction()
    const key = hidden(await (await operator.ask('ledger correct', fields)).text(), 'key')
    const colleague = await as('support')
    expect((await colleague.ask('ledger correct', { ...fields, key })).status).toBe(403)
    expect(await balance(memberId)).toBe('0.00000000')
    expect(await lastRefusal(colleague)).toMatchObject({ reason: 'a forged form' })
  })

  it('a question that has changed meanwhile is asked again', async () => {
    const { memberId, fields } = await correction()
    const key = hidden(await (await operator.ask('ledger correct', fields)).text(), 'key')
    await db()('users').where({ id: memberId }).update({ username: 'zoe', usernameKey: 'zoe' })
    const answer = await (await operator.ask('ledger correct', { ...fields, key })).text()
    expect(answer).toContain('This has changed meanwhile')
    expect(answer).toContain(`(zoe)`)
    expect(await balance(memberId)).toBe('0.00000000')
  })

  it('a demoted operator loses an action with the next request', async () => {
    const { memberId, fields } = await correction()
    const key = hidden(await (await operator.ask('ledger correct', fields)).text(), 'key')
    await db()('operators').where({ name: operator.name }).update({ role: 'reader' })
    expect((await operator.ask('ledger correct', { ...fields, key })).status).toBe(403)
    expect(await balance(memberId)).toBe('0.00000000')
    expect(await lastRefusal(operator)).toMatchObject({ reason: 'the role reader may not' })
  })

  it('wrong input is explained in the form, which keeps what was typed', async () => {
    const { fields } = await correction()
    const answer = await operator.ask('ledger correct', { ...fields, arg2: 'much' })
    expect(answer.status).toBe(400)
    const page = await answer.text()
    expect(page).toContain('The amount must be a decimal')
    expect(page).toContain('value="much"')
  })

  it('an unknown action is not found', async () => {
    await operator.signIn()
    for (const name of ['members explode', 'constructor name', 'members find']) {
      expect((await operator.ask(name, { reason })).status).toBe(404)
    }
  })
})
