import { afterAll, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest'
import { engineOf, type MiningCommand } from '#db/engine/engine'
import { audit } from '#db/ledger/audit'
import { executeOnce, lockMember } from '#db/members/execute-once'
import { startMining, stopMining } from '#db/mining/mining'
import { type Db, inTransaction } from '#db/postgres/statements/transaction'
import { memberKey } from '#rules/buckets'
import { MINUTE_MS } from '#rules/constants'
import { advance, freeze } from '#scripts/testing/db/clock'
import { isOneServer } from '#scripts/testing/db/database'
import { type FreshDatabase, freshDatabase } from '#scripts/testing/db/fresh-database'
import { insertMembers } from '#scripts/testing/db/members'

type Kind = MiningCommand['kind']

let fresh: FreshDatabase
let members: number[]
/** The member whose command has to run alone. */
let odd: number
/** The member whose client has left. */
let left: number | undefined

beforeAll(async () => {
  fresh = await freshDatabase()
  await freeze(fresh.db)
})
afterAll(() => fresh.close())
beforeEach(async () => {
  members = await insertMembers(fresh.db, 8)
  odd = members[3] ?? 0
  left = undefined
  log.warn.mockClear()
})

const commandOf = (kind: Kind, memberId: number): MiningCommand => ({
  kind,
  signIn: { memberId, epoch: 0 },
  route: `POST /api/mining/${kind}`,
  key: `${kind}-of-${memberId}`,
  isConnected: () => memberId !== left,
})
const log = { warn: vi.fn() }
const together = async (kind: Kind, ids = members, db: Db = fresh.db) =>
  (await engineOf(db)).startAndStop(
    db,
    ids.map((id) => commandOf(kind, id)),
    log,
  )
const alone = (kind: Kind, memberId: number) =>
  inTransaction(fresh.db, (tx) =>
    executeOnce(tx, commandOf(kind, memberId), () =>
      kind === 'start' ? startMining(tx, memberId) : stopMining(tx, memberId),
    ),
  )

/** Rows of a member that these commands change, without what differs between two members. */
async function rowsOf(memberId: number) {
  const rowsIn = async (table: string) => {
    const rows: Record<string, unknown>[] = await fresh
      .db(table)
      .where(memberKey(memberId))
      .orderByRaw('1, 2, 3')
    const own = { id: 0, userId: 0, bucket: 0, key: '', answer: null }
    return rows.map((row) => ({ ...row, ...own, createdAt: null, updatedAt: null }))
  }
  return Promise.all(['mining_sessions', 'mining_stats', 'idempotency_keys'].map(rowsIn))
}
const counters = async () => {
  const { rows } = await fresh.db.raw(
    'select sum("activeSessions") as sessions, sum("activeRate") as rate from network_counters',
  )
  return rows[0]
}
const activeOnes = async () =>
  fresh.db('mining_sessions').whereIn('userId', members).where({ active: true }).pluck('userId')

/** Sends a command for all members; the odd one's is not carried out, the others' are. */
async function expectOddLeft(kind: Kind) {
  const before = await rowsOf(odd)
  const statuses = await together(kind)
  const done = members.filter((_, at) => statuses[at]?.active === (kind === 'start'))
  expect(done).toEqual(members.filter((id) => id !== odd))
  expect(statuses[members.indexOf(odd)]).toBeUndefined()
  expect(await rowsOf(odd)).toEqual(before)
  expect((await audit(fresh.db)).problems).toEqual([])
}

describe.runIf(isOneServer())('starts and stops in one transaction', () => {
  it('change and answer what each would alone', async () => {
    const others = members.filter((id) => id !== odd)
    for (const kind of ['start', 'stop'] as const) {
      const before = await counters()
      const single = { ...(await alone(kind, odd)), asOf: 0 }
      const statuses = await together(kind, others)
      for (const status of statuses) {
        const session = status?.session && { ...status.session, id: single.session?.id }
        expect({ ...status, session, asOf: 0 }).toEqual(single)
      }
      for (const id of others) expect(await rowsOf(id)).toEqual(await rowsOf(odd))
      const { sessions, rate } = await counters()
      const change = kind === 'start' ? 8 : -8
      expect(Number(sessions) - Number(before.sessions)).toBe(change)
      expect(Number(rate) - Number(before.rate)).toBeCloseTo(change / 10, 8)
      await advance(fresh.db, 7 * MINUTE_MS)
    }
    expect((await audit(fresh.db)).problems).toEqual([])
  })

  it('of both kinds share a transaction', async () => {
    await together('start', members.slice(0, 4))
    const kinds = members.map((_, at): Kind => (at < 4 ? 'stop' : 'start'))
    const statuses = await (await engineOf(fresh.db)).startAndStop(
      fresh.db,
      members.map((id, at) => commandOf(kinds[at] ?? 'start', id)),
      log,
    )
    expect(statuses.map((status) => status?.active)).toEqual(kinds.map((kind) => kind === 'start'))
    const keys = await fresh.db('idempotency_keys').whereIn('userId', members.slice(4))
    expect(keys).toHaveLength(4)
    for (const { userId, answer } of keys) {
      expect(answer).toEqual(statuses[members.indexOf(userId)])
    }
  })

  it('look up their rows by key, and read no table or index whole', async () => {
    await insertMembers(fresh.db, 800)
    await fresh.db.raw('vacuum analyze')
    const db = fresh.pool(1)
    const rowsRead = async () => {
      await db.raw('select pg_stat_force_next_flush()')
      const { rows } = await db.raw(
        `select sum(seq_tup_read + idx_tup_fetch) as n from pg_stat_user_tables
          where relname in ('mining_sessions', 'mining_stats', 'users', 'network_counters')`,
      )
      return Number(rows[0].n)
    }
    const before = await rowsRead()
    for (const kind of ['start', 'stop'] as const) {
      expect(await together(kind, members, db)).not.toContain(undefined)
    }
    // Some 20 a member; a table whole would be 800 and more.
    expect((await rowsRead()) - before).toBeLessThan(50 * members.length)
  })

  it('leave a member out whose sign-in has ended', async () => {
    await fresh.db('users').where({ id: odd }).update({ authEpoch: 1 })
    await expectOddLeft('start')
  })

  it('leave a key out that was used, which gets its stored answer alone', async () => {
    const first = await alone('start', odd)
    await alone('stop', odd)
    await expectOddLeft('start')
    expect(await alone('start', odd)).toEqual(first)
  })

  it('leave out a start while mining and a stop while not mining', async () => {
    await fresh.db('idempotency_keys').delete()
    await alone('start', odd)
    await fresh.db('idempotency_keys').delete()
    await expectOddLeft('start')
    await alone('stop', odd)
    await fresh.db('idempotency_keys').delete()
    await expectOddLeft('stop')
  })

  it('leave out a session whose interval has to be credited first', async () => {
    await alone('start', odd)
    await advance(fresh.db, 15 * MINUTE_MS)
    await together(
      'start',
      members.filter((id) => id !== odd),
    )
    await advance(fresh.db, 10 * MINUTE_MS)
    await expectOddLeft('stop')
  })

  it('leave out a member whose client has left', async () => {
    left = odd
    await expectOddLeft('start')
  })

  it('leave out a session that breaks the rules, which is an error alone', async () => {
    await together('start')
    await fresh.db('mining_sessions').where({ userId: odd }).update({ rateSince: 'infinity' })
    await expectOddLeft('stop')
    await expect(alone('stop', odd)).rejects.toThrow()
    const since = fresh.db.raw('"startTime"')
    await fresh.db('mining_sessions').where({ userId: odd }).update({ rateSince: since })
  })

  it('leave out a quarantined session', async () => {
    await together('start')
    await fresh
      .db('mining_sessions')
      .where({ userId: odd })
      .update({ quarantinedAt: new Date(), quarantineReason: 'test' })
    await expectOddLeft('stop')
  })

  it.each([
    ['the member’s lock is held', 'start', (tx: Db) => lockMember(tx as never, odd)],
    [
      'the counter is locked',
      'start',
      (tx: Db) =>
        tx('network_counters')
          .where({ bucket: memberKey(odd).bucket, lane: 1 })
          .forUpdate(),
    ],
    ['the user is locked', 'start', (tx: Db) => tx('users').where({ id: odd }).forUpdate()],
    [
      'the stats are locked',
      'stop',
      (tx: Db) => tx('mining_stats').where(memberKey(odd)).forUpdate(),
    ],
    [
      'the session is locked',
      'stop',
      (tx: Db) => tx('mining_sessions').where(memberKey(odd)).forUpdate(),
    ],
  ] as const)('go on without waiting while %s', async (_, kind, lock) => {
    if (kind === 'stop') await together('start')
    await fresh.db.transaction(async (tx) => {
      await lock(tx)
      await expectOddLeft(kind)
    })
  })

  it('change nothing if a foreign key stays locked, and each can run alone later', async () => {
    await together('start')
    await fresh.db.transaction(async (tx) => {
      await tx('users').where({ id: odd }).forUpdate()
      expect(await together('stop')).toEqual(members.map(() => undefined))
    })
    expect(log.warn).toHaveBeenCalledOnce()
    expect((await activeOnes()).sort()).toEqual(members.toSorted())
    expect(await alone('stop', odd)).toMatchObject({ active: false })
  })

  it('of the same members in parallel batches take effect once each', async () => {
    const pools = Array.from({ length: 4 }, () => fresh.pool(2))
    for (const kind of ['start', 'stop', 'start'] as const) {
      const batches = await Promise.all(
        pools.map((db, at) => together(kind, at % 2 ? members : members.toReversed(), db)),
      )
      const done = batches.flat().filter(Boolean).length
      const active = (await activeOnes()).length
      expect(active).toBe(kind === 'start' ? done : members.length - done)
      for (const id of members) await alone(kind, id).catch(() => {})
      await fresh.db('idempotency_keys').delete()
    }
    expect((await audit(fresh.db)).problems).toEqual([])
  })
})
