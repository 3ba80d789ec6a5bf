import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { inTransaction } from '#db/postgres/statements/transaction'
import { listActions } from '#operators/actions/action-log'
import { beginSignIn, listOperators } from '#operators/actions/operator-sign-ins'
import { acceptInvitation, invitedBy } from '#operators/actions/operators'
import { operate } from '#operators/ops/testing/operate'
import { testConfig } from '#scripts/testing/db/database'
import { type FreshDatabase, freshDatabase } from '#scripts/testing/db/fresh-database'
import type { OpsName } from './program.ts'

let fresh: FreshDatabase
beforeAll(async () => {
  fresh = await freshDatabase()
})
afterAll(() => fresh.close())

const reason = 'joins the support team'
const operators = (verb: string, ...args: string[]) =>
  operate({ db: fresh.db, config: testConfig(fresh) }, `operators ${verb}` as OpsName, args, {
    reason,
  })
const tokenIn = (printed: string) => /\/invitation\/([\w-]{43})$/.exec(printed)?.[1] ?? ''
const stateOf = async (name: string) =>
  (await listOperators(fresh.db)).find((one) => one.name === name)?.state

describe('ops operators', () => {
  it('invite prints a link whose token is stored nowhere in clear text', async () => {
    const printed = await operators('invite', 'grace', 'owner')
    expect(printed).toContain('http://127.0.0.1:3100/invitation/')
    const token = tokenIn(printed)
    expect(await invitedBy(fresh.db, token)).toMatchObject({ name: 'grace', role: 'owner' })
    const stored = [await fresh.db('operators').first(), await listActions(fresh.db, 9)]
    expect(JSON.stringify(stored)).not.toContain(token)
    expect(await listActions(fresh.db, 1)).toMatchObject([
      { action: 'operators invite', details: { name: 'grace', role: 'owner' }, reason },
    ])
  })

  it.each(['grace', 'G', 'a b', '-x', 'x'.repeat(31)])('the name %j is rejected', async (name) => {
    await expect(operators('invite', name, 'reader')).rejects.toMatchObject({ code: 'bad_input' })
  })

  it('an unknown role is rejected', async () => {
    await expect(operators('invite', 'ada', 'admin')).rejects.toThrow('must be one of')
  })

  it('an invitation expires, and a reset replaces it', async () => {
    const first = tokenIn(await operators('invite', 'alan', 'support'))
    await fresh
      .db('operators')
      .where({ name: 'alan' })
      .update({ invitedUntil: fresh.db.raw(`now() - interval '1 second'`) })
    expect(await invitedBy(fresh.db, first)).toBeUndefined()
    expect(await stateOf('alan')).toBe('invitation expired')
    const second = tokenIn(await operators('reset', 'alan'))
    expect(await stateOf('alan')).toBe('invited')
    expect(await invitedBy(fresh.db, second)).toMatchObject({ name: 'alan' })
    expect(await invitedBy(fresh.db, first)).toBeUndefined()
  })

  it('the last owner can neither be removed nor get another role, even in parallel', async () => {
    await expect(operators('remove', 'grace')).rejects.toThrow('There must be an owner')
    await operators('invite', 'linus', 'owner')
    const both = ['grace', 'linus'].map((name) => operators('role', name, 'reader'))
    const settled = await Promise.allSettled(both)
    expect(settled.map(({ status }) => status).sort()).toEqual(['fulfilled', 'rejected'])
    expect(await fresh.db('operators').where({ role: 'owner' }).pluck('name')).toHaveLength(1)
  })

  it('an owner who has not accepted yet is no reason to let the last one go', async () => {
    const token = tokenIn(await operators('invite', 'frances', 'owner'))
    await fresh.db('operators').where({ role: 'owner' }).whereNot({ name: 'frances' }).delete()
    await inTransaction(fresh.db, (tx) => acceptInvitation(tx, token, '-'))
    await operators('invite', 'kathleen', 'owner')
    await expect(operators('remove', 'frances')).rejects.toThrow('There must be an owner')
    await operators('remove', 'kathleen')
  })

  it('a link that a reset has replaced during its acceptance ends no invitation', async () => {
    const old = tokenIn(await operators('invite', 'edsger', 'support'))
    await operators('reset', 'edsger')
    const accept = (token: string) =>
      inTransaction(fresh.db, (tx) => acceptInvitation(tx, token, '-'))
    expect(await accept(old)).toBe(false)
    const { id } = await fresh.db('operators').where({ name: 'edsger' }).first('id')
    const begin = () =>
      inTransaction(fresh.db, (tx) =>
        beginSignIn(tx, { id, password: '-' }, { device: 'laptop', network: '203.0.x.x' }),
      )
    expect(await begin()).toBeUndefined()
    expect(await accept(tokenIn(await operators('reset', 'edsger')))).toBe(true)
    expect(await begin()).toEqual(expect.any(String))
    await operators('remove', 'edsger')
  })

  it('list and sign-out count the sign-ins that have not ended', async () => {
    await operators('invite', 'barbara', 'reader')
    const barbara = await fresh.db('operators').where({ name: 'barbara' }).first('id', 'password')
    const { id } = barbara
    const places = ['laptop', 'phone', 'tablet'].map((device) => ({ device, network: '203.0.x.x' }))
    for (const place of places)
      await inTransaction(fresh.db, (tx) => beginSignIn(tx, barbara, place))
    const end = (device: string, column: string, ago: string) =>
      fresh
        .db('operator_sign_ins')
        .where({ operatorId: id, device })
        .update({ [column]: fresh.db.raw('now() - ?::interval', [ago]) })
    await end('laptop', 'seenAt', '16 minutes')
    await end('phone', 'createdAt', '8 hours')
    const listed = (await listOperators(fresh.db)).find(({ name }) => name === 'barbara')
    expect(listed?.signIns).toBe(1)
    expect(await operators('sign-out', 'barbara')).toBe('1 sign-ins of barbara have ended')
    expect(await fresh.db('operator_sign_ins').where({ operatorId: id })).toEqual([])
  })

  it('remove removes an operator once', async () => {
    await operators('remove', 'alan')
    await expect(operators('remove', 'alan')).rejects.toThrow('no such operator')
  })
})
