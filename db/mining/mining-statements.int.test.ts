import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { executeOnce } from '#db/members/execute-once'
import { withClient } from '#db/postgres/connection/pool'
import { inTransaction, type Tx } from '#db/postgres/statements/transaction'
import { completeTask } from '#db/tasks'
import { memberKey } from '#rules/buckets'
import { HOUR_MS, MINUTE_MS } from '#rules/constants'
import { advance, freeze } from '#scripts/testing/db/clock'
import { type FreshDatabase, freshDatabase } from '#scripts/testing/db/fresh-database'
import { insertMembers } from '#scripts/testing/db/members'
import { readSnapshot } from '#scripts/testing/db/read-snapshot'
import { insertSessions } from '#scripts/testing/db/sessions'
import { claimRewards, startMining, stopMining } from './mining.ts'

const MEMBERS = 3_000
type Statement = { sql: string; bindings?: unknown[]; options?: { name?: string } }

let fresh: FreshDatabase
let members: number[]
let memberId: number

beforeAll(async () => {
  fresh = await freshDatabase()
  await freeze(fresh.db)
  members = await insertMembers(fresh.db, MEMBERS)
  const startedAt = Date.now() - 24 * HOUR_MS
  const others = members.slice(MEMBERS / 2)
  await insertSessions(
    fresh.db,
    others.map((userId) => ({ userId, startedAt })),
  )
  const keys = members.map((id) => ({ ...memberKey(id), key: 'earlier-key', route: 'POST /' }))
  await fresh.db.batchInsert('idempotency_keys', keys)
  await fresh.db.raw('vacuum analyze')
})
afterAll(() => fresh.close())
beforeEach(() => {
  memberId = members.shift() ?? 0
})

/** Runs a command as the gateway does; returns the statements that it sent. */
async function sentBy(execute: (tx: Tx) => Promise<unknown>): Promise<Statement[]> {
  const sent: Statement[] = []
  const listen = (statement: Statement) => sent.push(statement)
  fresh.db.on('query', listen)
  try {
    const request = { signIn: { memberId, epoch: 0 }, route: 'POST /', key: `key-${Math.random()}` }
    await inTransaction(fresh.db, (tx) => executeOnce(tx, request, () => execute(tx)))
  } finally {
    fresh.db.removeListener('query', listen)
  }
  return sent
}
/** Index conditions of a plan on the tables whose keys begin with the bucket. */
function bucketedConditions(plan: string): string[] {
  const scans = plan.matchAll(
    /on (?:mining_sessions|mining_stats|wallets|idempotency_keys)\b.*\n\s+(Index Cond: .*)/g,
  )
  return [...scans].map(([, condition = '']) => condition)
}

const nameOf = ({ sql, options }: Statement) => options?.name ?? sql

const start = (tx: Tx) => startMining(tx, memberId)
const stop = (tx: Tx) => stopMining(tx, memberId)
const claim = (tx: Tx) => claimRewards(tx, memberId)
const task = (tx: Tx) => completeTask(tx, memberId, 'join_telegram')

const command = (...own: string[]) => [
  'BEGIN;',
  'lock-member',
  'command-request',
  ...own,
  'store-answer',
  'COMMIT;',
]

describe('statements of a command', () => {
  it('a start, a stop, a claim and a task send prepared statements only, and few', async () => {
    const started = await sentBy(start)
    await advance(fresh.db, 5 * MINUTE_MS)
    const stopped = await sentBy(stop)
    const claimed = await sentBy(claim)
    const done = await sentBy(task)
    const names = [started, stopped, claimed, done].map((sent) => sent.map(nameOf))
    expect(names).toEqual([
      command('lock-starter', 'start-session'),
      command('lock-session', 'stop-session'),
      command('lock-claim', 'post-TESP', 'end-claim'),
      command('claimed-task', 'complete-task', 'post-TESP'),
    ])
  })

  it('the statements of commands scan no table', async () => {
    const sent = [await sentBy(start)]
    await advance(fresh.db, 5 * MINUTE_MS)
    for (const execute of [stop, claim, task]) sent.push(await sentBy(execute))
    const statements = sent.flat().filter(({ options }) => options?.name)
    await withClient(fresh.url, async (client) => {
      for (const { sql, bindings } of statements) {
        const { rows } = await client.query(`explain ${sql}`, bindings)
        const plan = rows.map((row) => row['QUERY PLAN']).join('\n')
        // One page each.
        const others = plan.replace(/Seq Scan on (product_clock|network_counters|tasks)/g, '')
        expect(others).not.toContain('Seq Scan')
      }
    })
  })

  it('the statements of commands find the rows of a member by bucket', async () => {
    const sent = [await sentBy(start)]
    await advance(fresh.db, 5 * MINUTE_MS)
    for (const execute of [stop, claim, task]) sent.push(await sentBy(execute))
    const statements = sent.flat().filter(({ options }) => options?.name)
    const conditions = await withClient(fresh.url, async (client) => {
      const found: string[] = []
      for (const { sql, bindings } of statements) {
        const { rows } = await client.query(`explain ${sql}`, bindings)
        found.push(...bucketedConditions(rows.map((row) => row['QUERY PLAN']).join('\n')))
      }
      return found
    })
    expect(conditions.length).toBeGreaterThan(8)
    expect(conditions.filter((condition) => !condition.includes('bucket ='))).toEqual([])
  })
})

describe('a command that waits for a row reads the clock afterwards', () => {
  /** Runs `execute` while another transaction holds the row; time passes before it lets go. */
  async function behindLock(table: string, execute: (tx: Tx) => Promise<unknown>): Promise<void> {
    const blocker = await fresh.db.transaction()
    const column = table === 'users' ? 'id' : 'userId'
    await blocker(table)
      .where({ [column]: memberId })
      .forUpdate()
      .first('id')
    const running = inTransaction(fresh.db, execute)
    await expect.poll(isWaiting).toBe(true)
    await advance(fresh.db, MINUTE_MS)
    await blocker.commit()
    await running
  }
  const isWaiting = async () => {
    const { rows } = await fresh.db.raw(
      `select 1 from pg_stat_activity
       where datname = current_database() and wait_event_type = 'Lock'`,
    )
    return rows.length > 0
  }
  const session = () => fresh.db('mining_sessions').where({ userId: memberId }).first()
  const now = async () => (await fresh.db.raw('select product_now() as now')).rows[0].now

  it('a start begins at the time after the wait', async () => {
    await behindLock('users', start)
    expect((await session()).startTime).toEqual(await now())
  })

  it('a stop ends at the time after the wait', async () => {
    await sentBy(start)
    await behindLock('mining_sessions', stop)
    expect((await session()).endTime).toEqual(await now())
  })

  it.each(['wallets', 'mining_stats'])(
    'a claim that waits for %s is dated after the wait',
    async (table) => {
      await sentBy(start)
      await advance(fresh.db, 5 * MINUTE_MS)
      await sentBy(stop)
      await behindLock(table, claim)
      const stats = await fresh.db('mining_stats').where({ userId: memberId }).first()
      expect(stats.lastClaimTime).toEqual(await now())
    },
  )
})

it('the answers of start and stop are the status that a read shows after them', async () => {
  for (const execute of [start, stop, start]) {
    const [answer, read] = await inTransaction(fresh.db, async (tx) => [
      await execute(tx),
      (await readSnapshot(tx, memberId)).mining,
    ])
    expect({ ...answer, asOf: 0 }).toEqual({ ...read, asOf: 0 })
    await advance(fresh.db, 5 * MINUTE_MS)
  }
})
