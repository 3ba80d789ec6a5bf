import { describe, expect, it } from 'vitest'
import { ensurePartitions } from '#db/ledger/partitions'
import { rollUpLedger } from '#db/ledger/retention/rollup-steps'
import { productNow } from '#db/postgres/connection/product-clock'
import { operate } from '#operators/ops/testing/operate'
import { memberKey } from '#rules/buckets'
import { DAY_MS, HOUR_MS } from '#rules/constants'
import { creditCount } from '#rules/money/ledger-id'
import { sum } from '#rules/money/money'
import { advance } from '#scripts/testing/db/clock'
import { isOneServer } from '#scripts/testing/db/database'
import { creditRanges, recordSwept } from '#scripts/testing/db/history'
import { useMember, useProduct } from '#scripts/testing/gateway/use-product'
import { newMember, Visitor } from '#scripts/testing/gateway/visitor'

const product = useProduct({ frozen: true, audited: true })
const member = useMember(product)

const HEAD = 'Time (UTC),Type,Description,Credits,Amount,Token,Balance after,Receipt id'
const dayOf = (at: number) => new Date(at).toISOString().slice(0, 10)

async function statementOf(who: Visitor, query: Record<string, string> = {}) {
  const response = await who.fetch(`/api/wallet/statement?${new URLSearchParams(query)}`)
  // `text()` would drop the byte order mark.
  const text = new TextDecoder('utf-8', { ignoreBOM: true }).decode(await response.arrayBuffer())
  const [head, ...lines] = text.split('\r\n')
  expect(lines.pop()).toBe('')
  return { response, head, lines }
}

const correct = (reason: string, amount = '1') =>
  operate(product, 'ledger correct', [`id:${member.user?.id}`, 'TESP', amount], { reason })

/** The cells of lines without quoted cells. */
const column = (lines: string[], index: number) => lines.map((line) => line.split(',')[index] ?? '')

describe('GET /api/wallet/statement', () => {
  it('a statement is a CSV file of the period, oldest row first', async () => {
    const today = dayOf(await productNow(product.db))
    await correct('a gift', '2.5')
    await correct('a mistake', '-1')
    const { response, head, lines } = await statementOf(member, { from: today, to: today })
    expect(response.status).toBe(200)
    expect(response.headers.get('Content-Type')).toBe('text/csv; charset=utf-8')
    expect(response.headers.get('Cache-Control')).toContain('no-store')
    expect(response.headers.get('Content-Disposition')).toBe(
      `attachment; filename="tesp-statement-${today}-${today}.csv"`,
    )
    expect(head).toBe(`\uFEFF${HEAD}`)
    const time = `${today} \\d\\d:\\d\\d:\\d\\d`
    expect(lines).toEqual([
      expect.stringMatching(
        new RegExp(`^${time},other,.*a gift.*,,2.50000000,TESP,2.50000000,correction:\\d+$`),
      ),
      expect.stringMatching(
        new RegExp(`^${time},other,.*a mistake.*,,-1.00000000,TESP,1.50000000,correction:\\d+$`),
      ),
    ])
  })

  it('a description that starts like a formula is a text in spreadsheets', async () => {
    await product.db('wallet_activity').insert(await rowOf('=HYPERLINK("http://a","b")'))
    const { lines } = await statementOf(member)
    expect(lines.join()).toContain(`,"'=HYPERLINK(""http://a"",""b"")",`)
    await product.db('wallet_activity').where({ userId: member.user?.id }).delete()
  })

  it('rows outside the period are left out, and both of its days are included', async () => {
    const today = Math.floor((await productNow(product.db)) / DAY_MS) * DAY_MS
    const times = [-DAY_MS - 1, -DAY_MS, -1, 0, DAY_MS - 1, DAY_MS]
    for (const [index, ms] of times.entries()) {
      const row = await rowOf(`row ${index}`, today + ms)
      await product.db('wallet_activity').insert(row)
    }
    const period = { from: dayOf(today - DAY_MS), to: dayOf(today) }
    const { lines } = await statementOf(member, period)
    expect(column(lines, 2)).toEqual(['row 1', 'row 2', 'row 3', 'row 4'])
    await product.db('wallet_activity').where({ userId: member.user?.id }).delete()
  })

  // Days are not rolled up on Citus.
  it.runIf(isOneServer())(
    'a statement over rolled-up and single credits adds up to the balance',
    async () => {
      await member.call('POST /api/mining/start')
      await advance(product.db, 6 * HOUR_MS)
      await creditRanges(product.db)
      await member.call('POST /api/mining/stop')
      await advance(product.db, 12 * DAY_MS)
      await ensurePartitions(product.db)
      await member.call('POST /api/mining/start')
      await advance(product.db, 2 * HOUR_MS)
      await creditRanges(product.db)
      await recordSwept(product.db)
      const before = await statementOf(member)
      expect(before.lines).toHaveLength(18 + 6)
      expect(await rollUpLedger(product.db, 7)).toBeGreaterThan(0)
      const { lines } = await statementOf(member)
      expect(lines.length).toBeLessThan(18)
      const credits = column(lines, 7).map(creditCount)
      expect(credits.reduce((one, other) => one + other)).toBe(18 + 6)
      expect(column(lines, 3).map(Number)).toEqual(credits)
      const { tesp } = await member.balances()
      expect(sum(...column(lines, 4))).toBe(tesp)
      expect(column(lines, 6).at(-1)).toBe(tesp)
      expect(column(lines, 6)).toEqual(
        column(lines, 4).map((_, index, amounts) => sum(...amounts.slice(0, index + 1))),
      )
    },
  )

  it('a statement holds no rows of another member', async () => {
    await correct('a gift')
    const other = await newMember(product)
    expect((await statementOf(other)).lines).toEqual([])
    const userId = String(member.user?.id)
    expect((await statementOf(other, { userId, memberId: userId })).lines).toEqual([])
  })

  it.each([
    [{ from: '2026-13-01' }, 'from'],
    [{ from: '2026-02-30' }, 'from'],
    [{ to: '1999-12-31' }, 'to'],
    [{ to: "2026-01-01' or" }, 'to'],
    [{ from: '2026-03-02', to: '2026-03-01' }, 'to'],
    [{ from: '2025-03-01', to: '2026-03-02' }, 'to'],
    [{ from: '2000-01-01' }, 'from'],
    [{ from: '9999-01-01' }, 'from'],
  ])('the period %j is rejected with a message for its field', async (query, field) => {
    const { status, body } = await member.call('GET /api/wallet/statement', { query })
    expect({ status, body }).toMatchObject({ status: 400, body: { code: 'bad_input' } })
    expect((body as { fields?: object }).fields).toHaveProperty(field)
  })

  it('a period of 366 days is accepted', async () => {
    const query = { from: '2025-03-01', to: '2026-03-01' }
    expect((await member.call('GET /api/wallet/statement', { query })).status).toBe(200)
  })

  it('a visitor gets no statement', async () => {
    const { status } = await new Visitor(product).call('GET /api/wallet/statement')
    expect(status).toBe(401)
  })
})

/** A ledger row of the member as the ledger stores it. */
async function rowOf(description: string, at?: number) {
  const createdAt = new Date(at ?? (await productNow(product.db)))
  return {
    id: `test:${description.slice(0, 8)}:${createdAt.getTime()}`,
    ...memberKey(member.user?.id ?? 0),
    walletId: 1,
    type: 'other',
    amount: '1',
    tokenType: 'TESP',
    description,
    createdAt,
    balanceAfter: '1',
  }
}
