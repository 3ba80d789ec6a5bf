import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest'
import { type Db, inTransaction } from '#db/postgres/statements/transaction'
import { RuleError } from '#rules/rule-error'
import { isOneServer } from '#scripts/testing/db/database'
import { type FreshDatabase, freshDatabase } from '#scripts/testing/db/fresh-database'
import { insertMember } from '#scripts/testing/db/members'
import { waitingForMembers } from '#scripts/testing/db/statements/waiting-for-rows'
import { executeOnce } from './execute-once.ts'

let fresh: FreshDatabase
let gateways: Db[]
let memberId: number

beforeAll(async () => {
  fresh = await freshDatabase()
  gateways = [fresh.pool(5), fresh.pool(5)]
})
afterAll(() => fresh.close())
beforeEach(async () => {
  memberId = await insertMember(fresh.db)
})

const teamSize = async () => (await fresh.db('users').where({ id: memberId }).first()).teamSize

/** A command that loses an update if another one of the member runs at the same time. */
async function grow(db: Db, key?: string, epoch = 0): Promise<number> {
  return inTransaction(db, (tx) =>
    executeOnce(tx, { signIn: { memberId, epoch }, route: 'POST /grow', key }, async () => {
      const before = await tx('users').where({ id: memberId }).first('teamSize')
      const after = before.teamSize + 1
      await tx('users').where({ id: memberId }).update({ teamSize: after })
      return after
    }),
  )
}
const inParallel = (count: number, key?: (n: number) => string) =>
  Promise.all(Array.from({ length: count }, (_, n) => grow(gateways[n % 2] as Db, key?.(n))))

it('20 parallel commands of one member over two gateways run one after another', async () => {
  const answers = await inParallel(20, (n) => `own-key-${n}`)
  expect(answers.sort((a, b) => a - b)).toEqual(Array.from({ length: 20 }, (_, n) => n + 1))
  expect(await teamSize()).toBe(20)
})

it('20 parallel commands with one key over two gateways run once and get one answer', async () => {
  expect(await inParallel(20, () => 'one-key-for-all')).toEqual(Array(20).fill(1))
  expect(await teamSize()).toBe(1)
})

// On Citus the node writes it.
it.runIf(isOneServer())(
  'a repeated answer waits for the replica: its transaction writes to the WAL',
  async () => {
    await grow(fresh.db, 'answered-before')
    const wrote = await inTransaction(fresh.db, async (tx) => {
      const request = {
        signIn: { memberId, epoch: 0 },
        route: 'POST /grow',
        key: 'answered-before',
      }
      await executeOnce(tx, request, () => Promise.reject(new Error('ran again')))
      const { rows } = await tx.raw('select pg_current_xact_id_if_assigned() is not null as wrote')
      return rows[0].wrote
    })
    expect(wrote).toBe(true)
  },
)

it('commands without a key run each time', async () => {
  expect(await grow(fresh.db)).toBe(1)
  expect(await grow(fresh.db)).toBe(2)
})

it('a key of a rolled back command can be used again', async () => {
  const request = { signIn: { memberId, epoch: 0 }, route: 'POST /grow', key: 'failed-first' }
  const failed = inTransaction(fresh.db, (tx) =>
    executeOnce(tx, request, () => Promise.reject(new RuleError('bad_input', 'no'))),
  )
  await expect(failed).rejects.toThrow('no')
  expect(await grow(fresh.db, 'failed-first')).toBe(1)
})

it('a command is rejected under the lock if its sign-in has ended meanwhile', async () => {
  const password = await fresh.db.transaction()
  await password('users').where({ id: memberId }).update({ authEpoch: 1 })
  await password.raw('select pg_advisory_xact_lock(7300103, ?)', [memberId])
  const refused = expect(grow(fresh.db, 'of-epoch-0')).rejects.toMatchObject({
    code: 'not_signed_in',
  })
  await expect.poll(() => waitingForMembers(fresh.db)).toBe(1)
  await password.commit()
  await refused
  await expect(grow(fresh.db, 'of-epoch-0')).rejects.toMatchObject({ code: 'not_signed_in' })
  expect(await grow(fresh.db, 'of-epoch-1', 1)).toBe(1)
})

it('the command of a member who does not exist is rejected', async () => {
  memberId = 2_000_000_000
  await expect(grow(fresh.db)).rejects.toMatchObject({ code: 'not_signed_in' })
})
