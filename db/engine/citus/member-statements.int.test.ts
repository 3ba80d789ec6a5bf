import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import * as onOneServer from '#db/engine/postgres/member-statements'
import { executeOnce } from '#db/members/execute-once'
import { startMining } from '#db/mining/mining'
import { type Db, inTransaction, type Tx } from '#db/postgres/statements/transaction'
import { freeze } from '#scripts/testing/db/clock'
import { isOneServer } from '#scripts/testing/db/database'
import { type FreshDatabase, freshDatabase } from '#scripts/testing/db/fresh-database'
import { insertMembers } from '#scripts/testing/db/members'
import * as onNodes from './member-statements.ts'

type Statements = typeof onOneServer | typeof onNodes

let fresh: FreshDatabase
let members: number[]
/** A connection each: their prepared statements share names. */
let engines: [Statements, Db][]

beforeAll(async () => {
  fresh = await freshDatabase()
  engines = [
    [onOneServer, fresh.pool(1)],
    [onNodes, fresh.pool(1)],
  ]
  await freeze(fresh.db)
  members = await insertMembers(fresh.db, 3)
})
afterAll(() => fresh.close())

/** What both read, without the real time of reading. */
function readByBoth<Row extends object>(read: (engine: Statements, db: Db) => Promise<Row>) {
  const rows = engines.map(async ([engine, db]) => ({ ...(await read(engine, db)), asOf: 0 }))
  return Promise.all(rows)
}

describe.runIf(isOneServer())('the statements for Citus, which one server also runs', () => {
  it('read the snapshots that those of plain PostgreSQL read', async () => {
    const [memberId = 0] = members
    await inTransaction(fresh.db, (tx) => startMining(tx, memberId))
    for (const ids of [[memberId], members]) {
      for (const id of ids) {
        const [expected, actual] = await readByBoth(async (engine, db) => {
          const rows = await engine.readSnapshots(db, ids)
          return rows.find((row) => row.memberId === id) ?? {}
        })
        expect(expected).toMatchObject({ memberId: id, asOf: 0 })
        expect(actual).toEqual(expected)
      }
    }
  })

  it('take rows for no newer than the begin of their reading', async () => {
    const [, db] = engines[1] ?? []
    if (!db) throw new Error('no pool')
    const whileItWaits = await fresh.db.transaction(async (blocker) => {
      await blocker.raw('lock table wallets')
      const rows = onNodes.readSnapshots(db, members)
      const waiting = `select 1 from pg_locks where not granted and relation = 'wallets'::regclass`
      await expect.poll(async () => (await blocker.raw(waiting)).rows.length).toBe(1)
      const clock = await blocker.raw('select extract(epoch from clock_timestamp()) * 1000 as ms')
      return { rows, now: Number(clock.rows[0].ms) }
    })
    const [row] = await whileItWaits.rows
    expect(row?.asOf).toBeLessThan(whileItWaits.now)
  })

  it('lock the starter that those of plain PostgreSQL lock', async () => {
    // `distribute` makes this sequence, for a number that each node can give.
    await fresh.db.raw('create sequence mining_sessions_id_numbers')
    const lock = (engine: Statements, db: Db) =>
      inTransaction(db, (tx: Tx) => engine.lockStarter(tx, members[1] ?? 0))
    const [expected, actual] = await readByBoth(lock)
    expect(expected).toMatchObject({ memberId: members[1], isMining: false })
    expect({ ...actual, sessionId: 0 }).toEqual({ ...expected, sessionId: 0 })
  })

  it('read the request that those of plain PostgreSQL read', async () => {
    const memberId = members[2] ?? 0
    const request = { signIn: { memberId, epoch: 0 }, route: 'POST /', key: 'stored' }
    await inTransaction(fresh.db, (tx) => executeOnce(tx, request, async () => ({ done: true })))
    for (const key of ['stored', 'unused', null]) {
      const [expected, actual] = await readByBoth(
        async (engine, db) => (await engine.readRequest(db, memberId, key)) ?? {},
      )
      const stored = key === 'stored' ? { route: 'POST /' } : { route: null, answer: null }
      expect(expected).toMatchObject({ authEpoch: 0, ...stored })
      expect(actual).toEqual(expected)
    }
  })
})
