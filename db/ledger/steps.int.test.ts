import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest'
import type { Db } from '#db/postgres/statements/transaction'
import { lockTeams } from '#db/team/referrals'
import { type FreshDatabase, freshDatabase } from '#scripts/testing/db/fresh-database'
import { STEP_LOCK, stepRecords, takeStep, takeSteps } from './steps.ts'

let fresh: FreshDatabase
beforeAll(async () => {
  fresh = await freshDatabase()
})
afterAll(() => fresh.close())
beforeEach(async () => {
  await fresh.db('maintenance_steps').delete()
})

type State = { written: number; isProved: boolean }

const merge = (db: Db, { written, isProved }: State) =>
  takeStep(db, 'merge partitions', async (tx) => {
    if (written === 2) return isProved ? undefined : 'waiting'
    await tx('feature_flags').where({ name: 'kyc' }).update({ description: 'taken' })
    return 'written'
  })

it('each step that is taken is recorded', async () => {
  expect(await merge(fresh.db, { written: 0, isProved: false })).toBe('written')
  expect(await merge(fresh.db, { written: 1, isProved: false })).toBe('written')
  expect(await stepRecords(fresh.db)).toEqual([
    { work: 'merge partitions', steps: 2, lastStep: 'written', lastAt: expect.any(Date) },
  ])
})

it('a step that has to be repeated later, and work without a next step, leave no record', async () => {
  expect(await merge(fresh.db, { written: 2, isProved: false })).toBe('waiting')
  expect(await merge(fresh.db, { written: 2, isProved: true })).toBeUndefined()
  expect(await stepRecords(fresh.db)).toEqual([])
})

it('a step that fails leaves neither its changes nor a record', async () => {
  const failing = takeStep(fresh.db, 'seal days', async (tx) => {
    await tx('feature_flags').update({ description: 'failed' })
    throw new Error('no disk')
  })
  await expect(failing).rejects.toThrow('no disk')
  expect(await stepRecords(fresh.db)).toEqual([])
  expect(await fresh.db('feature_flags').where({ description: 'failed' })).toEqual([])
})

it('a step waits while another process takes one, of whatever work', async () => {
  const other = await fresh.db.transaction()
  await other.raw('select pg_advisory_xact_lock(?)', [STEP_LOCK])
  expect(await merge(fresh.db, { written: 0, isProved: false })).toBe('waiting')
  await other.rollback()
  expect(await merge(fresh.db, { written: 0, isProved: false })).toBe('written')
})

it('a join of a team does not wait while a step is taken', async () => {
  const other = await fresh.db.transaction()
  await other.raw('select pg_advisory_xact_lock(?)', [STEP_LOCK])
  const join = fresh.db.transaction(async (tx) => {
    await tx.raw(`set local lock_timeout = '1s'`)
    await lockTeams(tx)
  })
  await expect(join.finally(() => other.rollback())).resolves.toBeUndefined()
})

it('a step gives up after a short wait for a lock', async () => {
  const other = await fresh.db.transaction()
  await other.raw('lock table feature_flags')
  expect(await merge(fresh.db, { written: 0, isProved: false })).toBe('waiting')
  await other.rollback()
})

it('steps are taken until one has to wait, nothing is left, or the caller stops', async () => {
  const answers = ['a', 'b', 'waiting', 'c', undefined, 'd', 'e'] as const
  let n = 0
  const step = async () => answers[n++]
  expect(await takeSteps(step, () => true)).toEqual(['a', 'b'])
  expect(await takeSteps(step, () => true)).toEqual(['c'])
  expect(await takeSteps(step, () => n < 6)).toEqual(['d'])
})
