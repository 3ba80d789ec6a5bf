import { beforeEach, describe, expect, it } from 'vitest'
import { creditIntervals, type Posting, post } from '#db/ledger/ledger'
import { productNow } from '#db/postgres/connection/product-clock'
import { inTransaction, type Tx } from '#db/postgres/statements/transaction'
import { memberKey } from '#rules/buckets'
import { INTERVAL_MS } from '#rules/constants'
import { sum } from '#rules/money/money'
import type { Activity } from '#rules/snapshots'
import { awayFromMidnight } from '#scripts/testing/away-from-midnight'
import { insertSessions } from '#scripts/testing/db/sessions'
import { useMember, useProduct } from '#scripts/testing/gateway/use-product'
import { newMember } from '#scripts/testing/gateway/visitor'

const product = useProduct({ audited: true })
const member = useMember(product)
beforeEach(awayFromMidnight)

const AT = Date.UTC(2026, 3, 4, 5, 6, 7, 890)
type Gift = Pick<Posting, 'amount' | 'at' | 'description'> & { userId: number; name: string }

/** Posts the ledger row of a completed task. */
async function give(tx: Tx, { name: taskId, ...gift }: Gift) {
  const { userId, amount } = gift
  await tx('completed_tasks').insert({ ...memberKey(userId), taskId, rewardAmount: amount })
  await post(tx, { ...gift, id: `task:${userId}:${taskId}`, type: 'other', token: 'TESP' })
}

/** Posts ledger rows of which four share a time, as credits of one slot do. */
async function pay(count: number, who = member) {
  const userId = who.user?.id ?? 0
  await inTransaction(product.db, async (tx) => {
    for (let i = 0; i < count; i++) {
      const at = AT + Math.floor(i / 4) * 1_000
      await give(tx, { userId, name: `${i}`, amount: '0.5', description: `Gift ${i}`, at })
    }
  })
}
const activity = (query?: Record<string, string>) =>
  member.call('GET /api/wallet/activity', query ? { query } : {})

it('GET /api/wallet returns exact balances', async () => {
  await pay(3)
  const { status, body } = await member.call('GET /api/wallet')
  expect(status).toBe(200)
  expect(body).toEqual({
    tesp: [{ id: expect.any(Number), name: 'Main Wallet', balance: '1.50000000' }],
    usdtBalance: '0.00000000',
    asOf: expect.any(Number),
  })
})

describe('GET /api/wallet/activity', () => {
  it('the activity of a new member is empty', async () => {
    const { status, body, headers } = await activity()
    expect({ status, body }).toEqual({ status: 200, body: [] })
    expect(headers.get('X-Next-Cursor')).toBeNull()
    expect(Number(headers.get('X-As-Of'))).toBeGreaterThan(AT)
  })

  it('the activity lists the newest rows first', async () => {
    await pay(5)
    const { body } = await activity()
    expect(body.map(({ description }) => description)).toEqual([
      'Gift 4',
      'Gift 3',
      'Gift 2',
      'Gift 1',
      'Gift 0',
    ])
    expect(body[0]).toEqual({
      id: `task:${member.user?.id}:4`,
      type: 'other',
      amount: '0.50000000',
      tokenType: 'TESP',
      description: 'Gift 4',
      timestamp: '2026-04-04T05:06:08.890Z',
      balanceAfter: '2.50000000',
    })
  })

  it('pages of rows with equal times contain every row once', async () => {
    await pay(31)
    const rows: Activity[] = []
    let before: string | undefined
    let pages = 0
    do {
      const { status, body, headers } = await activity({ limit: '7', ...(before && { before }) })
      expect(status).toBe(200)
      rows.push(...body)
      before = headers.get('X-Next-Cursor') ?? undefined
      pages += 1
      if (pages === 2) await pay(1, await newMember(product))
    } while (before && pages < 20)
    expect(pages).toBe(5)
    expect(rows.map(({ description }) => description)).toEqual(
      Array.from({ length: 31 }, (_, i) => `Gift ${30 - i}`),
    )
  })

  it('a page of activity has at most 100 rows', async () => {
    await pay(101)
    const { body, headers } = await activity()
    expect(body).toHaveLength(100)
    const before = headers.get('X-Next-Cursor') ?? ''
    expect((await activity({ before })).body).toMatchObject([{ description: 'Gift 0' }])
  })

  it.each([
    ['limit', '0'],
    ['limit', '101'],
    ['limit', 'ten'],
    ['limit', '1.5'],
    ['before', 'x'],
    ['before', '1'],
    ['before', "1.1' or '1'='1"],
    ['before', 'x'.repeat(65)],
    ['before', '9999999999999999.1'],
  ])('the query %s=%s is rejected', async (name, value) => {
    const answer = await activity({ [name]: value })
    expect(answer).toMatchObject({ status: 400, body: { code: 'bad_input' } })
    expect(answer.body.message).toEqual(expect.any(String))
  })

  it('a cursor with an extreme time is accepted', async () => {
    await pay(1)
    for (const before of ['999999999999999.1', '253402300800000.1', '1.999999999999999', '0.0']) {
      expect((await activity({ before })).status).toBe(200)
    }
  })

  it('the activity contains no rows of another member', async () => {
    const other = await newMember(product)
    await pay(2, other)
    const { headers } = await other.call('GET /api/wallet/activity', { query: { limit: '1' } })
    const before = headers.get('X-Next-Cursor') ?? ''
    expect((await activity({ before })).body).toEqual([])
    expect((await activity({ userId: String(other.user?.id) })).body).toEqual([])
  })
})

describe('GET /api/wallet/earnings', () => {
  const earnings = (query?: Record<string, string>) =>
    member.call('GET /api/wallet/earnings', query ? { query } : {})

  it('as many days as requested are listed, 90 without a number, and the last one is today', async () => {
    expect((await earnings({ days: '1' })).body.days).toHaveLength(1)
    const { body } = await earnings()
    const today = new Date(await productNow(product.db)).toISOString().slice(0, 10)
    expect(body.days).toHaveLength(90)
    expect(body.days.at(-1)).toEqual({
      day: today,
      mining: '0.00000000',
      team: '0.00000000',
      rewards: '0.00000000',
      other: '0.00000000',
      usdt: '0.00000000',
    })
    expect(body.asOf).toBeGreaterThan(AT)
  })

  it.each(['0', '91', '7.5', 'week'])('%s days are rejected', async (days) => {
    expect(await earnings({ days })).toMatchObject({ status: 400, body: { code: 'bad_input' } })
  })
})

describe('GET /api/wallet/activity/sums', () => {
  const sums = (query: Record<string, string>) =>
    member.call('GET /api/wallet/activity/sums', { query })
  const since = new Date(AT).toISOString()

  it('a page and the sums of the rows behind it are the whole, at any cut', async () => {
    await pay(10)
    for (let limit = 1; limit < 10; limit++) {
      const { body: page, headers } = await activity({ limit: String(limit) })
      const before = headers.get('X-Next-Cursor') ?? ''
      const { body } = await sums({ before, since })
      expect(sum(body.tesp, ...page.map(({ amount }) => amount))).toBe('5.00000000')
      expect(body.usdt).toBe('0.00000000')
    }
  })

  it('outgoing amounts are subtracted, and rows before the time are left out', async () => {
    await pay(9)
    const out = { userId: member.user?.id ?? 0, amount: '-0.25', description: 'Correction' }
    await inTransaction(product.db, (tx) => give(tx, { ...out, name: 'out', at: AT + 1_000 }))
    const before = `${AT + 3_600_000}.1`
    expect((await sums({ before, since })).body.tesp).toBe('4.25000000')
    const later = new Date(AT + 1_000).toISOString()
    expect((await sums({ before, since: later })).body.tesp).toBe('2.25000000')
  })

  it.each<Record<string, string>>([
    {},
    { before: '1.1' },
    { since },
    { before: 'x', since },
    { before: '1.1', since: '2026-03-01' },
    { before: '1.1', since: '2026-13-01T00:00:00.000Z' },
    { before: '1.1', since: '1969-12-31T23:59:59.999Z' },
  ])('the query %j is rejected', async (query) => {
    expect(await sums(query)).toMatchObject({ status: 400, body: { code: 'bad_input' } })
  })

  it('rows of another member are not summed', async () => {
    await pay(3, await newMember(product))
    const { body } = await sums({ before: `${AT + 3_600_000}.1`, since })
    expect(body).toEqual({ tesp: '0.00000000', usdt: '0.00000000' })
  })
})

describe('GET /api/wallet/credits', () => {
  it('rows that stand for one fact list no credits', async () => {
    await pay(1)
    const queries: Record<string, string>[] = [
      {},
      { id: `task:${member.user?.id}:0` },
      { id: 'credit:1:1-9' },
    ]
    for (const query of queries) {
      const { status, body } = await member.call('GET /api/wallet/credits', { query })
      expect({ status, body }).toEqual({ status: 200, body: [] })
    }
  })

  it('a rolled-up row lists its credits, newest first, to its member only', async () => {
    const userId = member.user?.id ?? 0
    await insertSessions(product.db, [{ userId, startedAt: AT }])
    const { id } = await product.db('mining_sessions').where({ userId }).first()
    for (const n of [1, 2, 3]) {
      const scope = { sessionId: id, memberId: userId }
      await creditIntervals(product.db, scope, AT + n * INTERVAL_MS)
    }
    const credits = (await activity({ limit: '3' })).body
    await product
      .db('wallet_activity')
      .where({ id: `credit:${id}:3` })
      .update({
        id: `credit:${id}:1-3`,
        amount: '0.1',
      })
    await product
      .db('wallet_activity')
      .whereIn(
        'id',
        [1, 2].map((n) => `credit:${id}:${n}`),
      )
      .delete()
    // The audit accepts such a row in a partition that was rolled up.
    await product.db.raw(
      `insert into ledger_rollups (partition, passes, "swappedAt", "bytesBefore")
       values ('wallet_activity_default', 1, now(), 0)`,
    )
    const query = { id: `credit:${id}:1-3` }
    expect((await member.call('GET /api/wallet/credits', { query })).body).toEqual(credits)
    expect((await activity({ limit: '1' })).body).toMatchObject([
      { ...query, amount: '0.10000000', description: '3 automatic mining credits' },
    ])
    const stranger = await newMember(product)
    expect((await stranger.call('GET /api/wallet/credits', { query })).body).toEqual([])
  })
})
