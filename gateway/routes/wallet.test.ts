import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { post } from '#db/ledger/ledger'
import { inTransaction } from '#db/postgres/transaction'
import { expectCleanAudit } from '#gateway/testing/expect-clean-audit'
import { type Product, startProduct } from '#gateway/testing/product'
import { newMember, Visitor } from '#gateway/testing/visitor'
import type { Activity } from '#rules/snapshots'

let product: Product
let member: Visitor

beforeAll(async () => {
  product = await startProduct()
})
afterAll(async () => {
  await expectCleanAudit(product)
  await product.close()
})
beforeEach(async () => {
  member = await newMember(product)
})

const AT = Date.UTC(2026, 3, 4, 5, 6, 7, 890)
/** Rows of which several have the same time, as credits of one moment have. */
async function pay(count: number, who = member) {
  const userId = who.user?.id ?? 0
  await inTransaction(product.db, async (tx) => {
    for (let i = 0; i < count; i++) {
      const row = { userId, type: 'other', token: 'TESP', amount: '0.5' } as const
      const at = AT + Math.floor(i / 4) * 1_000
      await post(tx, { ...row, id: `gift:${userId}:${i}`, description: `Gift ${i}`, at })
    }
  })
}
const activity = (query?: Record<string, string>) =>
  member.call('GET /api/wallet/activity', query ? { query } : {})

it('asks a visitor to sign in', async () => {
  const visitor = new Visitor(product)
  for (const route of ['GET /api/wallet', 'GET /api/wallet/activity'] as const) {
    expect(await visitor.call(route)).toMatchObject({
      status: 401,
      body: { message: 'Please sign in' },
    })
  }
})

it('GET /api/wallet tells the balances exactly', async () => {
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
  it('is empty for a new member', async () => {
    const { status, body, headers } = await activity()
    expect({ status, body }).toEqual({ status: 200, body: [] })
    expect(headers.get('X-Next-Cursor')).toBeNull()
    expect(Number(headers.get('X-As-Of'))).toBeGreaterThan(AT)
  })

  it('lists the newest first, in the shape that the screen reads', async () => {
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
      id: `gift:${member.user?.id}:4`,
      type: 'other',
      amount: '0.50000000',
      tokenType: 'TESP',
      description: 'Gift 4',
      timestamp: '2026-04-04T05:06:08.890Z',
    })
  })

  it('gives every row once over its pages, though many have the same time', async () => {
    await pay(31)
    const seen: Activity[] = []
    let before: string | undefined
    let pages = 0
    do {
      const { status, body, headers } = await activity({ limit: '7', ...(before && { before }) })
      expect(status).toBe(200)
      seen.push(...body)
      before = headers.get('X-Next-Cursor') ?? undefined
      pages += 1
      if (pages === 2) await pay(1, await newMember(product))
    } while (before && pages < 20)
    expect(pages).toBe(5)
    expect(seen.map(({ description }) => description)).toEqual(
      Array.from({ length: 31 }, (_, i) => `Gift ${30 - i}`),
    )
  })

  it('lists at most 100 rows at once', async () => {
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
  ])('refuses %s=%s', async (name, value) => {
    const answer = await activity({ [name]: value })
    expect(answer).toMatchObject({ status: 400, body: { code: 'bad_input' } })
    expect(answer.body.message).toEqual(expect.any(String))
  })

  it('survives a cursor from the far ends of time', async () => {
    await pay(1)
    for (const before of ['999999999999999.1', '253402300800000.1', '1.999999999999999', '0.0']) {
      expect((await activity({ before })).status).toBe(200)
    }
  })

  it('shows nobody the rows of another member', async () => {
    const other = await newMember(product)
    await pay(2, other)
    const { headers } = await other.call('GET /api/wallet/activity', { query: { limit: '1' } })
    const before = headers.get('X-Next-Cursor') ?? ''
    expect((await activity({ before })).body).toEqual([])
    expect((await activity({ userId: String(other.user?.id) })).body).toEqual([])
  })
})
