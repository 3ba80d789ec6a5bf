import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { listActions } from '#operators/actions/action-log'
import { testConfig } from '#scripts/testing/db/database'
import { type FreshDatabase, freshDatabase } from '#scripts/testing/db/fresh-database'
import { insertMember } from '#scripts/testing/db/members'
import type { ActCommand, OpsCommand, OpsOptions } from './command.ts'
import { OPS, type OpsName } from './program.ts'
import { runOps } from './run.ts'
import { OPERATOR, operate } from './testing/operate.ts'

let fresh: FreshDatabase
let memberId: number
const asked: string[] = []

beforeAll(async () => {
  fresh = await freshDatabase()
})
afterAll(() => fresh.close())
beforeEach(async () => {
  memberId = await insertMember(fresh.db)
  asked.length = 0
})

const place = () => ({ db: fresh.db, config: testConfig(fresh) })
const logged = () => listActions(fresh.db, 9, { memberId })
const balance = async () =>
  (await fresh.db('wallets').where({ userId: memberId }).first('balance')).balance

/** Runs a correction of one TESP as an operator who gives this answer. */
async function correct(options: OpsOptions, answer = true, command?: ActCommand): Promise<void> {
  const call = { ...place(), args: [`id:${memberId}`, 'TESP', '1'], options }
  await runOps('ledger correct', command ?? OPS['ledger correct'], call, {
    operator: () => OPERATOR,
    print: () => {},
    confirm: async (question) => {
      asked.push(question)
      return answer
    },
  })
}
const reason = 'a lost payment'

describe('an action', () => {
  it('an action is logged with its operator, member, facts and reason', async () => {
    await correct({ reason })
    expect(await balance()).toBe('1.00000000')
    expect(await logged()).toMatchObject([
      {
        operator: OPERATOR,
        action: 'ledger correct',
        memberId,
        details: { token: 'TESP', amount: '1', ledgerRow: expect.stringContaining('correction:') },
        reason,
      },
    ])
  })

  it('an action names the member in its question', async () => {
    await correct({ reason })
    expect(asked).toEqual([
      expect.stringMatching(`^Post 1 TESP for member ${memberId} \\(.+\\)\\?$`),
    ])
  })

  it('--yes answers the question', async () => {
    await correct({ reason, yes: true }, false)
    expect([await balance(), asked]).toEqual(['1.00000000', []])
  })

  it('a refused confirmation changes nothing and logs nothing', async () => {
    await expect(correct({ reason }, false)).rejects.toThrow('Nothing was changed')
    expect([await balance(), await logged()]).toEqual(['0.00000000', []])
  })

  it.each([{}, { reason: '' }, { reason: ' ' }, { reason: 'mail of zoe@test.example' }])(
    'an action with %j is rejected before the question',
    async (options) => {
      await expect(correct(options)).rejects.toMatchObject({ code: 'bad_input' })
      expect([await balance(), await logged(), asked]).toEqual(['0.00000000', [], []])
    },
  )

  it('an action that cannot be logged is rolled back', async () => {
    const { username } = await fresh.db('users').where({ id: memberId }).first('username')
    await expect(correct({ reason: `asked by ${username}` })).rejects.toThrow('user name')
    expect([await balance(), await logged()]).toEqual(['0.00000000', []])
  })

  it('an action that fails is not logged', async () => {
    const failing: ActCommand = {
      does: 'fails',
      act: async (call) => {
        const action = await OPS['ledger correct'].act(call)
        const run: typeof action.run = async (tx) => {
          await action.run(tx)
          throw new Error('failed later')
        }
        return { ...action, run }
      },
    }
    await expect(correct({ reason }, true, failing)).rejects.toThrow('failed later')
    expect([await balance(), await logged()]).toEqual(['0.00000000', []])
  })
})

describe('a list', () => {
  // `doctor` fails here, because no process runs; it has its own tests.
  const lists = (Object.keys(OPS) as OpsName[]).filter(
    (name) => !('act' in OPS[name]) && name !== 'doctor',
  )

  it.each(lists)('ops %s prints text, and JSON with --json', async (name) => {
    const { takes = '' }: OpsCommand = OPS[name]
    const named = name === 'tasks show' ? 'join_telegram' : `id:${memberId}`
    const names = takes.startsWith('<') ? [named] : []
    expect(await operate(place(), name, names)).toMatch(/\S/)
    const json = JSON.parse(await operate(place(), name, names, { json: true }))
    expect(json).toBeTypeOf('object')
  })

  it('ops log prints the actions of one member with --member', async () => {
    await correct({ reason })
    const options = { member: `id:${memberId}`, json: true }
    expect(JSON.parse(await operate(place(), 'log', [], options))).toMatchObject([
      { operator: OPERATOR, action: 'ledger correct', memberId, reason },
    ])
  })

  it.each(['0', '-1', '1.5', 'x'])('--limit %s is rejected', async (limit) => {
    await expect(operate(place(), 'log', [], { limit })).rejects.toThrow('--limit must be')
  })
})
