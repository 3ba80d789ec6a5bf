import { expect, it } from 'vitest'
import { inTransaction } from '#db/postgres/statements/transaction'
import { listActions } from '#operators/actions/action-log'
import { invitedBy, inviteOperator, secretOf } from '#operators/actions/operators'
import { codeOf } from '#scripts/testing/gateway/factors/authenticator-app'
import { PASSWORD, useConsole } from './testing/use-console.ts'

const owner = useConsole()
let invitations = 0

/** The path of a new invitation, and the code that the invited operator's app shows. */
async function invite() {
  const { db, dataKey } = owner.fresh
  invitations += 1
  const name = `invited-${invitations}`
  const token = await inTransaction(db, (tx) =>
    inviteOperator(tx, dataKey, { name, role: 'support' }),
  )
  const invited = await invitedBy(db, token)
  if (!invited) throw new Error('no invitation')
  const code = codeOf(secretOf(dataKey, invited), Math.floor(Date.now() / 30_000))
  return { name, path: `/invitation/${token}`, code }
}

it('an invited operator sets up password and app by the link, once, and is signed in', async () => {
  const { name, path, code } = await invite()
  const page = await owner.text(path)
  expect(page).toContain('<svg')
  expect(page).toMatch(/<code>([A-Z2-7]{4} ){7}[A-Z2-7]{4}<\/code>/)
  const answer = owner.keep(await owner.post(path, { password: PASSWORD, code }))
  expect([answer.status, answer.headers.get('Location')]).toEqual([303, '/'])
  expect(await owner.text('/account')).toContain(name)
  expect(await listActions(owner.fresh.db, 1)).toMatchObject([
    { action: 'console invitation accepted', operator: name },
  ])
  expect((await owner.get(path)).status).toBe(404)
  expect((await owner.post(path, { password: PASSWORD, code })).status).toBe(404)
})

it.each([
  ['a short password', { password: 'short' }],
  ['a long password', { password: 'x'.repeat(129) }],
  ['a wrong code', { code: '000000x' }],
  ['nothing', { password: '', code: '' }],
])('an invitation with %s is refused and stays', async (_, change) => {
  const { path, code } = await invite()
  const answer = await owner.post(path, { password: PASSWORD, code, ...change })
  expect([answer.status, answer.headers.getSetCookie()]).toEqual([400, []])
  expect((await owner.post(path, { password: PASSWORD, code })).status).toBe(303)
})

it('an unknown or expired invitation is not found', async () => {
  const { name, path } = await invite()
  const { db } = owner.fresh
  await db('operators')
    .where({ name })
    .update({ invitedUntil: db.raw(`now() - interval '1 second'`) })
  for (const one of [path, '/invitation/x', `/invitation/${'A'.repeat(43)}`]) {
    expect((await owner.get(one)).status).toBe(404)
  }
})

it('a refused form of an invitation is logged without its token', async () => {
  const { path } = await invite()
  await owner.signIn()
  for (const one of [path, path.replace('invitation', 'Invitation')]) {
    expect((await owner.post(one, {}, 'https://evil.example')).status).toBe(403)
  }
  expect(await listActions(owner.fresh.db, 2)).toMatchObject([
    { action: 'console refused', details: { path: '/Invitation/…' } },
    { action: 'console refused', details: { path: '/invitation/…' } },
  ])
})

it('an owner invites in the console and sees a link to this console once', async () => {
  await owner.signIn()
  const fields = { arg0: 'grace', arg1: 'reviewer', reason: 'joins the team' }
  const page = await (await owner.act('operators invite', fields)).text()
  const [, origin, token = ''] = /(http\S+)\/invitation\/([\w-]{43})/.exec(page) ?? []
  expect(origin).toBe(owner.origin)
  expect(await invitedBy(owner.fresh.db, token)).toMatchObject({ name: 'grace' })
  expect(await owner.text('/operators')).not.toContain(token)
  expect(await owner.text('/log')).not.toContain(token)
})
