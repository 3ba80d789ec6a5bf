import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { rollUpLedger } from '#db/ledger/retention/rollup-steps'
import { sealLateRows, sealLedger } from '#db/ledger/seals/seal-steps'
import { productNow } from '#db/postgres/connection/product-clock'
import { DAY_MS, HOUR_MS, MINUTE_MS } from '#rules/constants'
import { dayText } from '#rules/duration-text'
import { sum } from '#rules/money/money'
import type { BoardRow } from '#rules/snapshots'
import { redisForRequests } from '#runtime/redis'
import type { RedisClient } from '#runtime/redis/redis-client'
import { advance, freeze } from '#scripts/testing/db/clock'
import { type FreshDatabase, freshDatabase } from '#scripts/testing/db/fresh-database'
import { lateCredit, recordSwept, seedOldDays } from '#scripts/testing/db/history'
import { insertMember, insertMembers } from '#scripts/testing/db/members'
import { testContext } from '#scripts/testing/workers/context'
import { rebuildWeekBoard } from '#workers/jobs/rebuild-week-board'
import { CHUNKS, setBoardListing, weekStart } from './mined-week.ts'
import { readWeekBoards } from './read-week-boards.ts'
import { WeekBoardSets } from './week-board.ts'

let fresh: FreshDatabase
let redis: RedisClient
let sets: WeekBoardSets
let prefixes = 0

/** Sets under a prefix of their own: a Redis without a board. */
const emptySets = () => new WeekBoardSets(redis, `${fresh.redisPrefix}:${++prefixes}`)
const built = async (isNew = emptySets()) => {
  expect(await isNew.rebuild(fresh.db)).toBe(true)
  return isNew
}
const boards = (memberId: number, from = sets) => readWeekBoards(fresh.db, from, memberId)
const namesOf = async (ids: number[]) => {
  const rows = await fresh.db('users').whereIn('id', ids).orderBy('id').select('username')
  return rows.map(({ username }) => username)
}

beforeAll(async () => {
  fresh = await freshDatabase()
  redis = redisForRequests(fresh.redisUrl)
})
afterAll(async () => {
  redis?.disconnect()
  await fresh?.close()
})
beforeEach(() => {
  sets = emptySets()
})

describe('the sums of a week', () => {
  let members: number[]
  let week: number
  let fullWeek: number

  beforeAll(async () => {
    const seeded = await seedOldDays(fresh.db, 0)
    members = seeded.members
    fullWeek = weekStart(seeded.noon)
    week = weekStart(await productNow(fresh.db))
  })

  /** What mining paid a member since Monday, from single rows of the ledger. */
  async function paid(userId: number): Promise<string> {
    const amounts: string[] = await fresh
      .db('wallet_activity')
      .where({ userId, type: 'mining_reward', tokenType: 'TESP' })
      .where('createdAt', '>=', new Date(week))
      .pluck('amount')
    return sum(...amounts)
  }

  const ownOf = async (memberId: number, from = sets) =>
    (await boards(memberId, from)).team.rows.find(({ who }) => who === 'self')?.tesp

  it('each member has what the ledger paid since Monday, 00:00 UTC', async () => {
    await built(sets)
    expect(week).toBe(fullWeek)
    for (const member of members) expect(await ownOf(member)).toBe(await paid(member))
    expect(Number(await paid(members[0] ?? 0))).toBeGreaterThan(0.5)
  })

  it('rows before Monday and rewards that were not mined do not count', async () => {
    const early = await lateCredit(fresh.db, week - HOUR_MS)
    const atMidnight = await lateCredit(fresh.db, week)
    await built(sets)
    expect(await ownOf(early)).toBe('0.00000000')
    expect(await ownOf(atMidnight)).toBe('0.03333333')
  })

  /** Days of the ledger that a run reads: sealed ones, and those without a seal as one. */
  async function daysRead(): Promise<number> {
    let statements = 0
    const count = ({ sql }: { sql: string }) => {
      if (sql.includes("type = 'mining_reward'")) statements += 1
    }
    fresh.db.on('query', count)
    await built(sets)
    fresh.db.removeListener('query', count)
    return statements / CHUNKS.length
  }

  it('new seals, a late row of a sealed day and a roll-up keep the sums right', async () => {
    const beginning = weekStart(await productNow(fresh.db))
    const sealDays = async (days: number) => {
      await advance(fresh.db, beginning + days * DAY_MS - (await productNow(fresh.db)))
      await recordSwept(fresh.db)
      expect(await sealLedger(fresh.db)).toBeGreaterThan(0)
    }
    await sealDays(4.5)
    await built(sets)
    await sealDays(6.5)
    expect(await daysRead()).toBe(3)
    const before = await Promise.all(members.map((member) => ownOf(member)))
    expect(before).toEqual(await Promise.all(members.map(paid)))
    const late = await lateCredit(fresh.db, beginning + DAY_MS)
    await sealLateRows(fresh.db)
    await rollUpLedger(fresh.db, 1)
    await sealLedger(fresh.db)
    await built(sets)
    expect(await ownOf(late)).toBe('0.03333333')
    expect(await Promise.all(members.map((member) => ownOf(member)))).toEqual(before)
  })

  it('a wiped Redis has the same board after one run', async () => {
    await built(sets)
    const [member = 0] = members
    const before = await boards(member)
    const wiped = emptySets()
    await expect(boards(member, wiped)).rejects.toMatchObject({ code: 'board_unavailable' })
    await built(wiped)
    const after = await boards(member, wiped)
    expect({ ...after, readAt: '' }).toEqual({ ...before, readAt: '' })
  })

  it('the job waits a minute after its last run, and fifty times its length', async () => {
    const context = await testContext()
    const own = new WeekBoardSets(context.redis, context.config.redisPrefix)
    const at = weekStart(await productNow(context.db))
    await rebuildWeekBoard(context, {})
    const first = await own.built(at)
    await rebuildWeekBoard(context, {})
    expect(await own.built(at)).toEqual(first)
    const facts = `{${context.config.redisPrefix}:week-board}:${dayText(at)}:built`
    const runsAfter = async (ago: number, tookMs: number) => {
      const last = { readAt: Date.now() - ago, tookMs }
      await context.redis.set(facts, JSON.stringify(last))
      await rebuildWeekBoard(context, {})
      return (await own.built(at))?.readAt !== last.readAt
    }
    expect(await runsAfter(0.5 * MINUTE_MS, 1)).toBe(false)
    expect(await runsAfter(1.1 * MINUTE_MS, 1)).toBe(true)
    expect(await runsAfter(1.1 * MINUTE_MS, 0.03 * MINUTE_MS)).toBe(false)
    await context.close()
  })

  it('a run that fails is not repeated at once', async () => {
    await fresh.db.raw('alter table wallet_activity rename to gone')
    await expect(sets.rebuild(fresh.db)).rejects.toThrow('wallet_activity')
    await fresh.db.raw('alter table gone rename to wallet_activity')
    expect(await sets.isFresh(fresh.db)).toBe(true)
    expect(await emptySets().isFresh(fresh.db)).toBe(false)
  })

  it('a run that is stopped changes nothing', async () => {
    expect(await sets.rebuild(fresh.db, () => true)).toBe(false)
    expect(await sets.built(week)).toBeUndefined()
  })
})

describe('boards', () => {
  let inviter: number
  let self: number
  let team: number[]
  let week: number

  /** Pays members what the ledger would hold for mining now. */
  async function mine(amounts: Map<number, number>): Promise<void> {
    const now = new Date(await productNow(fresh.db))
    for (const [userId, amount] of amounts) {
      await fresh.db.raw(
        `insert into wallet_activity (bucket, id, "userId", "walletId", type, amount, "tokenType",
           description, "createdAt", "balanceAfter")
         select bucket, :id, "userId", id, 'mining_reward', :amount, 'TESP', '', :now, :amount
         from wallets where "userId" = :userId`,
        { userId, amount, now, id: `claim:${userId}:${now.getTime()}:TESP` },
      )
    }
  }

  beforeEach(async () => {
    await freeze(fresh.db)
    week = weekStart(await productNow(fresh.db))
    inviter = await insertMember(fresh.db)
    self = await insertMember(fresh.db)
    team = await insertMembers(fresh.db, 12)
    await fresh.db('users').update({ weekBoard: null })
    await fresh.db('users').where({ id: self }).update({ referredBy: inviter })
    await fresh.db('users').whereIn('id', team).update({ referredBy: self })
  })

  const shape = (rows: BoardRow[]) => rows.map(({ rank, who, gap }) => [rank, who, gap])

  it('a team board has the inviter, the member and direct members, most first', async () => {
    const [first = 0, second = 0, idle = 0] = team
    await fresh.db('users').whereIn('id', team.slice(3)).update({ referredBy: null })
    await mine(
      new Map([
        [first, 3],
        [inviter, 2],
        [self, 1],
        [second, 1],
      ]),
    )
    await built(sets)
    const { team: board, everyone, listing } = await boards(self)
    expect(board.members).toBe(5)
    expect(shape(board.rows)).toEqual([
      [1, 'member', false],
      [2, 'inviter', false],
      [3, 'self', false],
      [4, 'member', false],
      [null, 'member', false],
    ])
    expect(board.rows.map(({ name }) => name)).toEqual([
      ...(await namesOf([first])),
      ...(await namesOf([inviter, self, second, idle])),
    ])
    expect([everyone, listing]).toEqual([null, null])
    // Members of one team do not see each other.
    expect((await boards(first)).team.rows.map(({ who }) => who)).toEqual(['self', 'inviter'])
  })

  it('the first five and the member with two neighbours on each side are shown', async () => {
    await mine(new Map(team.map((id, at) => [id, 20 - at])))
    await mine(new Map([[self, 9.5]]))
    await built(sets)
    const { rows } = (await boards(self)).team
    expect(shape(rows)).toEqual([
      [1, 'member', false],
      [2, 'member', false],
      [3, 'member', false],
      [4, 'member', false],
      [5, 'member', false],
      [10, 'member', true],
      [11, 'member', false],
      [12, 'self', false],
      [13, 'member', false],
      [null, 'inviter', false],
    ])
  })

  it('frozen and deleted members vanish at once', async () => {
    const [frozen = 0, deleted = 0] = team
    await mine(new Map(team.map((id, at) => [id, 20 - at])))
    for (const id of [...team, self]) await setBoardListing(fresh.db, id, 'name')
    await built(sets)
    const gone = await namesOf([frozen, deleted])
    const shown = async () => {
      const { team: own, everyone } = await boards(self)
      return [...own.rows, ...(everyone?.rows ?? [])].map(({ name }) => name)
    }
    expect(await shown()).toEqual(expect.arrayContaining(gone))
    const frozenAt = fresh.db.fn.now()
    await fresh.db('users').where({ id: frozen }).update({ frozenAt, frozenReason: 'a check' })
    await fresh.db.raw(
      `update users set "deletedAt" = now(), username = 'deleted:' || id, "usernameKey" = 'deleted:' || id,
         email = 'deleted:' || id, "emailKey" = 'deleted:' || id, password = '', "weekBoard" = null
       where id = ?`,
      [deleted],
    )
    for (const name of [...gone, `deleted:${deleted}`]) expect(await shown()).not.toContain(name)
    expect((await boards(self)).team.members).toBe(12)
    sets = emptySets()
    await built(sets)
    expect((await boards(self)).everyone?.members).toBe(10)
  })

  it('the board of all members has those who are listed, with a name or without', async () => {
    const [named = 0, hidden = 0, unlisted = 0] = team
    await mine(new Map([named, hidden, unlisted, self].map((id, at) => [id, 10 - at])))
    await setBoardListing(fresh.db, named, 'name')
    await setBoardListing(fresh.db, hidden, 'anonymous')
    await setBoardListing(fresh.db, self, 'anonymous')
    await built(sets)
    const { everyone, listing } = await boards(self)
    const [namedName, selfName] = [...(await namesOf([named])), ...(await namesOf([self]))]
    expect(listing).toBe('anonymous')
    expect(everyone).toEqual({
      members: 3,
      rows: [
        { rank: 1, who: 'member', name: namedName, tesp: '10.00000000', gap: false },
        { rank: 2, who: 'member', name: null, tesp: '9.00000000', gap: false },
        { rank: 3, who: 'self', name: selfName, tesp: '7.00000000', gap: false },
      ],
    })
    expect((await boards(unlisted)).everyone).toBeNull()
  })

  it('a choice shows at once, before the next run', async () => {
    await mine(new Map([[self, 3]]))
    await built(sets)
    await setBoardListing(fresh.db, self, 'name')
    await sets.list(week, self, true)
    expect((await boards(self)).everyone?.rows).toMatchObject([{ rank: 1, who: 'self' }])
    await setBoardListing(fresh.db, self, null)
    await sets.list(week, self, false)
    expect(await sets.listedCount(week)).toBe(0)
    expect((await boards(self)).everyone).toBeNull()
  })

  it('a new week begins empty', async () => {
    await mine(new Map([[self, 3]]))
    await built(sets)
    await advance(fresh.db, 7 * DAY_MS)
    await expect(boards(self)).rejects.toMatchObject({ code: 'board_unavailable' })
    await built(sets)
    expect((await boards(self)).team.rows[0]).toMatchObject({ rank: null, tesp: '0.00000000' })
  })
})
