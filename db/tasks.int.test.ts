import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { inTransaction } from '#db/postgres/statements/transaction'
import { HOUR_MS } from '#rules/constants'
import { sum } from '#rules/money/money'
import { RuleError } from '#rules/rule-error'
import { awayFromMidnight } from '#scripts/testing/away-from-midnight'
import { type FreshDatabase, freshDatabase } from '#scripts/testing/db/fresh-database'
import { insertMember, insertMembers } from '#scripts/testing/db/members'
import { insertTask } from '#scripts/testing/db/tasks'
import { audit } from './ledger/audit.ts'
import { executeOnce } from './members/execute-once.ts'
import { completeTask, readTasks } from './tasks.ts'

const LANES = 40

let fresh: FreshDatabase

beforeAll(async () => {
  fresh = await freshDatabase()
})
afterAll(() => fresh.close())
beforeEach(awayFromMidnight)
afterEach(async () => {
  expect((await audit(fresh.db)).problems).toEqual([])
})

const complete = (memberId: number, taskId: string, code?: string) =>
  inTransaction(fresh.db, (tx) => completeTask(tx, memberId, taskId, { code }))

/** `paid`, or the code of the refusal. */
async function outcome(claim: Promise<unknown>): Promise<string> {
  try {
    await claim
    return 'paid'
  } catch (error) {
    if (error instanceof RuleError) return error.code
    throw error
  }
}

const factsOf = (taskId: string) =>
  fresh.db('wallet_activity').whereLike('id', `task:%:${taskId}%`).orderBy('id')

describe('a cap', () => {
  it(`claims of ${MEMBERS} members on 40 connections of a task with a cap of 100 pay exactly 100`, async () => {
    await insertTask(fresh.db, { id: 'capped', cap: 100 })
    const members = await insertMembers(fresh.db, MEMBERS)
    const pool = fresh.pool(LANES)
    const lastRewards: number[] = []
    const claim = (memberId: number) =>
      outcome(
        inTransaction(pool, (tx) =>
          executeOnce(
            tx,
            { signIn: { memberId, epoch: 0 }, route: 'POST /api/tasks/complete', key: 'one-claim' },
            () =>
              completeTask(tx, memberId, 'capped', { onFull: () => lastRewards.push(memberId) }),
          ),
        ),
      )
    const lanes = Array.from({ length: LANES }, async (_, lane) => {
      const outcomes: string[] = []
      for (const id of members.filter((member) => member % LANES === lane)) {
        outcomes.push(await claim(id))
      }
      return outcomes
    })
    const outcomes = (await Promise.all(lanes)).flat()
    expect(outcomes.filter((each) => each === 'paid')).toHaveLength(100)
    expect(outcomes.filter((each) => each === 'task_full')).toHaveLength(MEMBERS - 100)
    const paid = await factsOf('capped')
    expect(paid).toHaveLength(100)
    expect(sum(...paid.map(({ amount }) => amount))).toBe('50.00000000')
    expect(await fresh.db('tasks').where({ id: 'capped' }).first('claimed')).toEqual({
      claimed: 100,
    })
    expect(lastRewards).toHaveLength(1)
  }, 300_000)

  it('a claim whose connection is killed pays nothing and leaves its place to another member', async () => {
    await insertTask(fresh.db, { id: 'killed', cap: 1 })
    const [first = 0, second = 0] = await insertMembers(fresh.db, 2)
    const died = inTransaction(fresh.db, async (tx) => {
      await completeTask(tx, first, 'killed')
      const { rows } = await tx.raw('select pg_backend_pid() as pid')
      await fresh.db.raw('select pg_terminate_backend(?, 5000)', [rows[0].pid])
    })
    await expect(died).rejects.toThrow()
    expect(await factsOf('killed')).toEqual([])
    expect(await outcome(complete(second, 'killed'))).toBe('paid')
    expect(await outcome(complete(first, 'killed'))).toBe('task_full')
  })

  it('a member who was paid is told so even if the cap is reached', async () => {
    await insertTask(fresh.db, { id: 'single', cap: 1 })
    const memberId = await insertMember(fresh.db)
    expect(await outcome(complete(memberId, 'single'))).toBe('paid')
    expect(await outcome(complete(memberId, 'single'))).toBe('task_claimed')
  })
})

describe('a daily limit', () => {
  it('a limit of 3 pays three times a UTC day, under three ledger ids', async () => {
    await insertTask(fresh.db, { id: 'thrice', dailyLimit: 3 })
    const memberId = await insertMember(fresh.db)
    const outcomes: string[] = []
    for (let n = 0; n < 5; n++) outcomes.push(await outcome(complete(memberId, 'thrice')))
    expect(outcomes).toEqual(['paid', 'paid', 'paid', 'task_claimed', 'task_claimed'])
    const day = new Date().toISOString().slice(0, 10)
    const id = `task:${memberId}:thrice:${day}`
    expect((await factsOf('thrice')).map((row) => row.id)).toEqual([id, `${id}:2`, `${id}:3`])
  })

  it('30 parallel claims of one member never pay more than the limit', async () => {
    await insertTask(fresh.db, { id: 'parallel', dailyLimit: 3 })
    const memberId = await insertMember(fresh.db)
    const claims = Array.from({ length: 30 }, () => outcome(complete(memberId, 'parallel')))
    expect((await Promise.all(claims)).filter((each) => each === 'paid').length).toBeLessThan(4)
    const facts = await factsOf('parallel')
    expect(facts.length).toBeGreaterThan(0)
    expect(facts.length).toBeLessThan(4)
  })

  it('claims of yesterday do not count', async () => {
    await insertTask(fresh.db, { id: 'again', dailyLimit: 1 })
    const memberId = await insertMember(fresh.db)
    await complete(memberId, 'again')
    const yesterday = `to_char(now() at time zone 'UTC' - interval '1 day', 'YYYY-MM-DD')`
    await fresh.db.raw(`update completed_tasks set day = ${yesterday} where "taskId" = 'again'`)
    for (const table of ['wallet_activity', 'ledger_facts']) {
      await fresh.db.raw(
        `update ${table} set id = left(id, -10) || ${yesterday} where id like 'task:%:again:%'`,
      )
    }
    expect(await outcome(complete(memberId, 'again'))).toBe('paid')
    expect(await factsOf('again')).toHaveLength(2)
  })
})

describe('the time of a task', () => {
  it('a task that ends while a claim waits pays the member who pressed in time', async () => {
    await insertTask(fresh.db, { id: 'closing' })
    const [early = 0, late = 0] = await insertMembers(fresh.db, 2)
    const claimed = inTransaction(fresh.db, async (tx) => {
      await tx.raw('select 1')
      await sleep(50)
      await fresh.db.raw(`update tasks set status = 'ended', ends = now() where id = 'closing'`)
      return completeTask(tx, early, 'closing')
    })
    expect(await outcome(claimed)).toBe('paid')
    expect(await outcome(complete(late, 'closing'))).toBe('task_ended')
  })

  it.each([
    ['a draft', { status: 'draft' }, 'task_unknown'],
    ['a task that starts later', { starts: new Date(Date.now() + HOUR_MS) }, 'task_unknown'],
    ['a task that is over', { ends: new Date(Date.now() - HOUR_MS) }, 'task_ended'],
  ])('%s cannot be claimed and is not listed', async (name, fields, refusal) => {
    const id = name.replaceAll(' ', '_')
    await insertTask(fresh.db, { id, ...fields })
    const memberId = await insertMember(fresh.db)
    expect(await outcome(complete(memberId, id))).toBe(refusal)
    const { tasks } = await readTasks(fresh.db, memberId, {})
    expect(tasks.map((task) => task.id)).not.toContain(id)
    await fresh.db('tasks').where({ id }).delete()
  })

  it('the list says when the next task starts or ends', async () => {
    const memberId = await insertMember(fresh.db)
    expect((await readTasks(fresh.db, memberId, {})).changesInMs).toBeNull()
    const starts = new Date(Date.now() + 60_000)
    await insertTask(fresh.db, { id: 'soon', starts, ends: new Date(Date.now() + 90_000) })
    const { changesInMs } = await readTasks(fresh.db, memberId, {})
    expect(changesInMs).toBeGreaterThan(50_000)
    expect(changesInMs).toBeLessThanOrEqual(61_000)
    await fresh.db('tasks').where({ id: 'soon' }).delete()
  })
})

describe('a code word', () => {
  it('only the right word pays; case and blanks around it do not matter', async () => {
    await insertTask(fresh.db, { id: 'secret', check: 'code', code: 'Mint Leaf' })
    const memberId = await insertMember(fresh.db)
    expect(await outcome(complete(memberId, 'secret'))).toBe('task_code_wrong')
    expect(await outcome(complete(memberId, 'secret', 'mint'))).toBe('task_code_wrong')
    expect(await outcome(complete(memberId, 'secret', ' mint leaf '))).toBe('paid')
    expect(JSON.stringify(await readTasks(fresh.db, memberId, {}))).not.toMatch(/leaf/i)
  })
})

it('a listed task holds the link of the settings until it has its own', async () => {
  const memberId = await insertMember(fresh.db)
  const linksOf = async () => {
    const { tasks } = await readTasks(fresh.db, memberId, { follow_twitter: 'https://a.example/' })
    return Object.fromEntries(tasks.map(({ id, link }) => [id, link]))
  }
  expect(await linksOf()).toMatchObject({
    follow_twitter: 'https://a.example/',
    join_telegram: null,
  })
  await fresh.db('tasks').where({ id: 'follow_twitter' }).update({ link: 'https://b.example/' })
  expect(await linksOf()).toMatchObject({ follow_twitter: 'https://b.example/' })
}) /** Members who claim; the trial on Citus lets 10,000 claim. */
const MEMBERS = Number(process.env.CLAIMING_MEMBERS ?? 1_000)
