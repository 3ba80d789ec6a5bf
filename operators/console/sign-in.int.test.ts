import { describe, expect, it } from 'vitest'
import { inTransaction } from '#db/postgres/statements/transaction'
import { listActions } from '#operators/actions/action-log'
import {
  inviteOperator,
  operatorNamed,
  removeOperator,
  secretOf,
} from '#operators/actions/operators'
import { codeOf } from '#scripts/testing/gateway/factors/authenticator-app'
import { TRIES } from './sign-in-tries.ts'
import { useConsole } from './testing/use-console.ts'

const operator = useConsole('reader')
const db = () => operator.fresh.db
const leadsToSignIn = async () =>
  (await operator.get('/members')).headers.get('Location') === '/sign-in'

describe('a sign-in', () => {
  it('name, password and one-time code sign an operator in, which is logged', async () => {
    const answer = await operator.sendSignIn()
    expect([answer.status, answer.headers.get('Location')]).toEqual([303, '/'])
    expect(answer.headers.getSetCookie()[0]).toMatch(
      /^console=[\w-]{43}; path=\/; samesite=strict; httponly$/i,
    )
    const [line] = await listActions(db(), 1)
    expect(line).toMatchObject({
      action: 'console sign-in',
      operator: operator.name,
      operatorId: await operator.id(),
      details: { network: '203.0.x.x' },
    })
  })

  it.each<Record<string, string>>([
    { password: 'another password' },
    { code: '000000x' },
    { code: '' },
    { name: 'nobody' },
    { name: '' },
    { name: '\0' },
    { password: '\0' },
  ])('a sign-in with %j is refused', async (typed) => {
    const answer = await operator.sendSignIn(typed)
    expect([answer.status, answer.headers.getSetCookie()]).toEqual([401, []])
    expect(await answer.text()).toContain('Name, password or code is not right.')
  })

  it('failures are logged, without what was typed into the field of the name', async () => {
    await operator.sendSignIn({ password: 'another password' })
    await operator.sendSignIn({ code: '1' })
    await operator.sendSignIn({ name: 'a password in the wrong field' })
    const lines = (await listActions(db(), 3)).map((line) => [
      line.operator,
      line.action,
      line.reason,
    ])
    expect(lines).toEqual([
      ['unknown', 'console sign-in failed', 'wrong name or password'],
      [operator.name, 'console sign-in failed', 'wrong code'],
      [operator.name, 'console sign-in failed', 'wrong name or password'],
    ])
  })

  it('a one-time code works once, even in parallel', async () => {
    const code = await operator.currentCode()
    const answers = await Promise.all([1, 2, 3, 4].map(() => operator.sendSignIn({ code })))
    expect(answers.map(({ status }) => status).sort()).toEqual([303, 401, 401, 401])
  })

  it('an operator who is invited only cannot sign in', async () => {
    const { dataKey } = operator.fresh
    const invited = { name: `${operator.name}-2`, role: 'owner' as const }
    await inTransaction(db(), (tx) => inviteOperator(tx, dataKey, invited))
    const stored = await db()('operators').where({ name: invited.name }).first()
    const code = codeOf(secretOf(dataKey, stored), Math.floor(Date.now() / 30_000))
    expect((await operator.sendSignIn({ name: invited.name, code })).status).toBe(401)
  })
})

/** An operator whose next code is not used yet. */
async function codeOfNextStep(): Promise<string> {
  const stored = await operatorNamed(db(), operator.name)
  if (!stored) throw new Error('no such operator')
  return codeOf(secretOf(operator.fresh.dataKey, stored), Math.floor(Date.now() / 30_000) + 1)
}

describe('guesses', () => {
  it('after five wrong tries even the right password and code are refused', async () => {
    const guesses = Array.from({ length: TRIES.account.points }, (_, n) =>
      operator.sendSignIn({ password: `guess ${n}` }),
    )
    await Promise.all(guesses)
    expect((await operator.sendSignIn()).status).toBe(401)
  })

  it('guesses of a stranger do not lock an operator out of a known browser', async () => {
    await operator.signIn()
    const stranger = await operator.another('reader')
    for (let n = 0; n < TRIES.account.points; n++) {
      await stranger.sendSignIn({ name: operator.name, password: `guess ${n}` })
    }
    expect((await stranger.sendSignIn({ name: operator.name })).status).toBe(401)
    expect((await operator.sendSignIn({ code: await codeOfNextStep() })).status).toBe(303)
  })

  it('an operator with the right password waits behind guesses from many addresses', async () => {
    const stranger = await operator.another('reader')
    for (let n = 0; n < TRIES.total.points; n++) {
      stranger.ip = `198.51.100.${n}`
      await stranger.sendSignIn({ name: operator.name, password: `guess ${n}` })
    }
    expect((await operator.sendSignIn()).status).toBe(401)
  })

  it('an address that guesses many names has to wait', async () => {
    for (let n = 0; n < TRIES.address.points; n++) {
      await operator.sendSignIn({ name: `name-${n}`, password: 'a guess' })
    }
    expect((await operator.sendSignIn()).status).toBe(401)
    operator.ip = '198.51.100.200'
    expect((await operator.sendSignIn()).status).toBe(303)
  })

  it('a forged cookie of a known browser counts as none', async () => {
    for (let n = 0; n < TRIES.account.points; n++) await operator.sendSignIn({ password: `${n}` })
    operator.jar.set('console-known', `${await operator.id()}.forged`)
    expect((await operator.sendSignIn()).status).toBe(401)
  })

  it('guesses that have to wait are not written to the log of actions', async () => {
    for (let n = 0; n < TRIES.account.points + 3; n++) {
      await operator.sendSignIn({ password: `guess ${n}` })
    }
    const filter = { operator: operator.name, action: 'console sign-in failed' }
    expect(await listActions(db(), 99, filter)).toHaveLength(TRIES.account.points)
  })
})

describe('the end of a sign-in', () => {
  it.each([
    ['15 minutes without a request', 'seenAt', '16 minutes'],
    ['8 hours', 'createdAt', '8 hours'],
  ])('a sign-in ends after %s', async (_, column, ago) => {
    await operator.signIn()
    expect(await leadsToSignIn()).toBe(false)
    await db()('operator_sign_ins').update({ [column]: db().raw(`now() - interval '${ago}'`) })
    expect(await leadsToSignIn()).toBe(true)
  })

  it('a removed operator is signed out', async () => {
    await operator.signIn()
    await inTransaction(db(), (tx) => removeOperator(tx, operator.name))
    expect(await leadsToSignIn()).toBe(true)
  })

  it('a sign-out ends the sign-in and is logged', async () => {
    await operator.signIn()
    await operator.post('/sign-out')
    expect(await leadsToSignIn()).toBe(true)
    expect(await listActions(db(), 1)).toMatchObject([{ action: 'console sign-out' }])
  })

  it('an operator ends another own sign-in, but not that of a colleague', async () => {
    await operator.signIn()
    const colleague = await (await operator.another('reader')).signIn()
    const newest = () => db()('operator_sign_ins').max({ id: 'id' }).first()
    const fields = { signIn: String((await newest())?.id) }
    await operator.post('/account/end-sign-in', fields)
    expect((await colleague.get('/members')).status).toBe(200)
    await colleague.post('/account/end-sign-in', fields)
    expect((await colleague.get('/members')).headers.get('Location')).toBe('/sign-in')
  })

  it('a form of a sign-in that is over changes nothing and says so', async () => {
    await operator.signIn()
    await db()('operator_sign_ins').update({ seenAt: db().raw(`now() - interval '16 minutes'`) })
    const answer = await operator.post('/actions/members/freeze', { arg0: 'id:1', reason: 'x' })
    expect(answer.status).toBe(401)
    expect(await answer.text()).toContain('Nothing was changed.')
    expect(await listActions(db(), 1)).toMatchObject([
      {
        action: 'console refused',
        operator: operator.name,
        reason: 'a form of a sign-in that is over',
        details: { path: '/actions/members/freeze' },
      },
    ])
  })
})
