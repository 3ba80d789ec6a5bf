import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { ALL_MEMBERS, readMemberChanges } from '#db/ledger/poll-log'
import { endSessions } from '#db/mining/end-sessions'
import { claimRewards, startMining, stopMining } from '#db/mining/mining'
import { deleteOld } from '#db/old-rows'
import { withClient } from '#db/postgres/connection/pool'
import { inTransaction, type Tx } from '#db/postgres/statements/transaction'
import { completeTask } from '#db/tasks'
import { endSignIns } from '#operators/actions/member-changes'
import { DAY_MS, HOUR_MS, MINUTE_MS } from '#rules/constants'
import { advance } from '#scripts/testing/db/clock'
import { isOneServer } from '#scripts/testing/db/database'
import { type FreshDatabase, freshDatabase } from '#scripts/testing/db/fresh-database'
import { creditRanges } from '#scripts/testing/db/history'
import { insertMember } from '#scripts/testing/db/members'

let fresh: FreshDatabase
let member: number
let position: string | null = null

beforeAll(async () => {
  fresh = await freshDatabase()
})
afterAll(() => fresh.close())
beforeEach(async () => {
  member = await insertMember(fresh.db)
  await changed()
})

/** Members changed since the last call. */
async function changed(): Promise<number[]> {
  const read = await readMemberChanges(fresh.db, position)
  position = read.position
  return read.memberIds
}
const run = (work: (tx: Tx) => Promise<unknown>) => inTransaction(fresh.db, work)
const users = () => fresh.db('users').where({ id: member })

describe('a committed change is in the log', () => {
  it('of a start, a stop and a claim', async () => {
    await run((tx) => startMining(tx, member))
    expect(await changed()).toEqual([member])
    await advance(fresh.db, MINUTE_MS)
    expect(await changed()).toEqual([ALL_MEMBERS])
    await run((tx) => stopMining(tx, member))
    expect(await changed()).toEqual([member])
    await run((tx) => claimRewards(tx, member))
    expect(await changed()).toEqual([member])
  })

  it('of a task reward', async () => {
    await run((tx) => completeTask(tx, member, 'join_telegram'))
    expect(await changed()).toEqual([member])
  })

  it('of a boost', async () => {
    await users().update({ miningBoost: '0.05' })
    expect(await changed()).toEqual([member])
  })

  it.runIf(isOneServer())('of a rate that is set by hand', async () => {
    await run((tx) => startMining(tx, member))
    await changed()
    await fresh.db('mining_sessions').where({ userId: member }).update({ hashRate: '0.2' })
    expect(await changed()).toEqual([member])
  })

  it('of an ended sign-in', async () => {
    const { username } = await users().first('username')
    await run((tx) => endSignIns(tx, username))
    expect(await changed()).toEqual([member])
  })

  it('of a session that a worker ends', async () => {
    await run((tx) => startMining(tx, member))
    await advance(fresh.db, DAY_MS)
    await creditRanges(fresh.db)
    await changed()
    expect(await endSessions(fresh.db)).toContain(member)
    expect(await changed()).toContain(member)
  })
})

it('a rolled back change, and a change of the profile, are not in the log', async () => {
  const failing = run(async (tx) => {
    await startMining(tx, member)
    throw new Error('rolled back')
  })
  await expect(failing).rejects.toThrow('rolled back')
  await users().update({ fullName: 'New Name' })
  expect(await changed()).toEqual([])
})

it('a batch of credits writes no row', async () => {
  await users().update({ teamLevel: 1 })
  await run((tx) => startMining(tx, member))
  await advance(fresh.db, HOUR_MS)
  await changed()
  const credits = await creditRanges(fresh.db)
  const { pendingUsdtRewards } = await fresh.db('mining_stats').where({ userId: member }).first()
  expect([credits, Number(pendingUsdtRewards) > 0]).toEqual([expect.anything(), true])
  expect(await changed()).toEqual([])
})

it('a transaction that commits after a later one is read, and each once', async () => {
  const other = await insertMember(fresh.db)
  const slow = await fresh.db.transaction()
  await startMining(slow, member)
  await run((tx) => startMining(tx, other))
  expect(await changed()).toEqual([other])
  expect(await changed()).toEqual([])
  await slow.commit()
  expect(await changed()).toEqual([member])
})

it.runIf(isOneServer())(
  'a population that is inserted at once is one row for all members',
  async () => {
    await fresh.db.raw(
      `with added as (
       insert into users (username, "usernameKey", email, "emailKey", password)
       select n, n, n, n, '' from (select 'bulk' || i as n from generate_series(1, 1001) i) t
       returning id
     )
     insert into mining_sessions (bucket, "userId", "startTime", "rateSince", "creditSlot", "hashRate", "usdtRate")
     select id % 1024, id, now(), now(), 0, 0.1, 0 from added`,
    )
    expect(await changed()).toEqual([ALL_MEMBERS])
  },
)

it('more than 10,000 changes in one read are a change of all members', async () => {
  const insert = (ids: number) =>
    fresh.db.raw(`insert into member_changes ("userId") select * from generate_series(1, ?)`, [ids])
  await insert(10_000)
  expect(await changed()).toHaveLength(10_000)
  await insert(10_001)
  expect(await changed()).toEqual([ALL_MEMBERS])
})

it('old rows are deleted and new ones are not', async () => {
  await users().update({ miningBoost: '0.10' })
  await fresh
    .db('member_changes')
    .insert({ userId: member, at: fresh.db.raw(`now() - interval '3 minutes'`) })
  await deleteOld(fresh.db, 'member_changes')
  expect((await changed()).length).toBe(1)
  const { rows } = await fresh.db.raw(
    `select max(clock_timestamp() - "at") < interval '2 minutes' as young from member_changes`,
  )
  expect(rows[0].young).toBe(true)
})

it('a read of the log plans an index scan from its position', async () => {
  await fresh.db.raw(
    `insert into member_changes (xid, "userId") select '3'::xid8, 1 from generate_series(1, 20000)`,
  )
  await fresh.db.raw('analyze member_changes')
  let sql = ''
  fresh.db.once('query', (query) => {
    sql = query.sql
  })
  await changed()
  const plan = await withClient(fresh.url, (client) =>
    client.query(`explain ${sql}`, [position, position]),
  )
  expect(plan.rows.map((row) => row['QUERY PLAN']).join('\n')).toContain('member_changes_xid')
})
