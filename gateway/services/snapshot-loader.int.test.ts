import { afterAll, beforeAll, expect, it } from 'vitest'
import { setEngine } from '#db/engine/engine'
import * as postgresEngine from '#db/engine/postgres/postgres-engine'
import { type FreshDatabase, freshDatabase } from '#scripts/testing/db/fresh-database'
import { insertMembers } from '#scripts/testing/db/members'
import { snapshotLoader } from './snapshot-loader.ts'

let fresh: FreshDatabase
let members: number[]
let queries = 0
beforeAll(async () => {
  fresh = await freshDatabase()
  members = await insertMembers(fresh.db, 30)
  fresh.db.on('query', () => {
    queries += 1
  })
})
afterAll(() => fresh.close())

it('snapshot reads that arrive together are answered by one query, each with its member', async () => {
  const loader = snapshotLoader(fresh.db)
  queries = 0
  const asked = [...members, ...members, 0]
  const snapshots = await Promise.all(asked.map((memberId) => loader.load(memberId)))
  expect(queries).toBe(1)
  expect(snapshots.map((snapshot) => snapshot?.memberId)).toEqual([
    ...members,
    ...members,
    undefined,
  ])
})

it('a later snapshot read asks the database again', async () => {
  const loader = snapshotLoader(fresh.db)
  const [member = 0] = members
  const before = await loader.load(member)
  await fresh.db('wallets').where({ userId: member }).update({ balance: '7' })
  const after = await loader.load(member)
  expect(before?.wallet.tesp[0]?.balance).toBe('0.00000000')
  expect(after?.wallet.tesp[0]?.balance).toBe('7.00000000')
})

it('snapshot reads that arrive while two queries run share the next query', async () => {
  const loader = snapshotLoader(fresh.db)
  const blocker = await fresh.db.transaction()
  await blocker.raw('lock table wallets in access exclusive mode')
  queries = 0
  const loads: Promise<unknown>[] = []
  try {
    for (const memberId of members) {
      loads.push(loader.load(memberId))
      // One read a turn: without the limit each would be a separate query.
      await new Promise(setImmediate)
    }
    await expect.poll(() => queries).toBe(2)
  } finally {
    await blocker.commit()
  }
  await Promise.all(loads)
  // The commit is counted too.
  expect(queries).toBe(4)
})

it('a failed snapshot query makes room for the next one', async () => {
  const closed = fresh.pool(1)
  await closed.destroy()
  const loader = snapshotLoader(closed)
  for (let n = 0; n < 5; n++) await expect(loader.load(1)).rejects.toThrow()
})

it('on Citus a member whose rows cannot be read does not refuse the members of the same query', async () => {
  const { db, close } = await freshDatabase()
  try {
    const [lost = 0, ...others] = await insertMembers(db, 5)
    await db.raw('alter table wallets rename to all_wallets')
    await db.raw(`
      create view wallets as select "userId", bucket, name, balance, "usdtBalance",
        case when "userId" = ${lost} then id / ("userId" - ${lost}) else id end as id
      from all_wallets`)
    const read = async () => {
      const loader = snapshotLoader(db)
      const reads = await Promise.allSettled([lost, ...others].map((id) => loader.load(id)))
      return reads.map(({ status }) => status)
    }
    expect(await read()).toEqual([lost, ...others].map(() => 'rejected'))
    setEngine(db, async () => ({ ...postgresEngine, failsByMember: true }))
    expect(await read()).toEqual(['rejected', ...others.map(() => 'fulfilled')])
  } finally {
    await close()
  }
})
