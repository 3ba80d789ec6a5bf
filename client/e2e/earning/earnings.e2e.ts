import type { Page } from 'playwright-core'
import { describe, expect, it } from 'vitest'
import { button, identity, openAs } from '#client/e2e/testing/actions.ts'
import { expectAccessible } from '#client/e2e/testing/axe.ts'
import { useJourney } from '#client/e2e/testing/journey.ts'
import { post } from '#db/ledger/ledger'
import { inTransaction } from '#db/postgres/statements/transaction'
import { DAY_MS } from '#rules/constants'
import { brokenWords, sidewaysScroll, strayTexts } from '#scripts/browser/layout-faults'

const EARNINGS = '/wallet?view=earnings'
const SIZES = [
  { width: 320, height: 640 },
  { width: 390, height: 844 },
  { width: 1440, height: 900 },
]

describe('earnings of a member', () => {
  const journey = useJourney()
  const eva = identity('eva')
  let page: Page

  const chart = (token: 'TESP' | 'USDT') =>
    page.getByRole('img', { name: new RegExp(`^Bar chart: .* ${token} in `) })

  /** Posts a row of the ledger so many days ago. */
  const pay = (daysAgo: number, id: string, amount: string, token: 'TESP' | 'USDT' = 'TESP') =>
    inTransaction(journey.product.db, async (tx) => {
      const { id: userId } = await tx('users').where({ username: eva.username }).first('id')
      const type = token === 'USDT' ? 'usdt_reward' : 'mining_reward'
      const at = Math.floor(Date.now() / DAY_MS - daysAgo) * DAY_MS
      await post(tx, { id, userId, token, amount, type, description: 'Reward', at })
    })

  async function faults(): Promise<string[]> {
    const pixels = await sidewaysScroll(page)
    const scrolls = pixels > 0 ? [`scrolls sideways by ${pixels} px`] : []
    return [...(await brokenWords(page)), ...(await strayTexts(page)), ...scrolls]
  }

  it('a new member finds the way from Wallet, and how earnings begin', async () => {
    await journey.visitor().register(eva)
    page = await openAs(journey, eva.username, '/wallet')
    await page.getByRole('link', { name: 'Earnings' }).click()
    await page.getByText('Nothing earned in the last 7 days').waitFor()
    expect(await page.title()).toBe('Earnings · TESP Network')
    await expectAccessible(page)
  })

  it('rows of the ledger are shown by source, and the total is theirs to the last decimal', async () => {
    for (let day = 80; day >= 0; day--) {
      if (day % 9 === 5) continue
      // 72 intervals with a boost of 10 %.
      const amount = day % 4 === 0 ? '2.64000000' : '1.32000000'
      const intervals = day % 4 === 0 ? '1-72' : '1-36'
      await pay(day, `credit:${9_000 + day}:${intervals}`, amount)
      if (day % 7 === 3) await pay(day, `claim:9.${day}:USDT`, '0.05280000', 'USDT')
      if (day % 11 === 2) await pay(day, `task:9:visit_${day}`, '1.00000000')
    }
    await page.goto(EARNINGS)
    await chart('TESP').waitFor()
    const { rows } = await journey.product.db.raw(
      `select sum(amount)::text as sum from wallet_activity a join users u on u.id = a."userId"
       where u.username = ? and "tokenType" = 'TESP'`,
      [eva.username],
    )
    await page.getByRole('tab', { name: '90 days' }).click()
    await button(page, `, show all decimals`).first().hover()
    await page.getByText(`${rows[0].sum} TESP`).first().waitFor()
    await expect.poll(() => page.locator('path[fill="#5bf0b5"]').count()).toBeGreaterThan(50)
  })

  it.each(SIZES)('every period is complete and accessible at %o', async (size) => {
    await page.setViewportSize(size)
    for (const days of ['7 days', '30 days', '90 days']) {
      await page.getByRole('tab', { name: days }).click()
      await chart('TESP').waitFor()
      expect(await faults()).toEqual([])
    }
    await button(page, 'Show as table').click()
    const table = page.getByRole('region', { name: 'Earnings by day' })
    expect(await table.getByRole('row').count()).toBeGreaterThan(50)
    expect(await faults()).toEqual([])
    await expectAccessible(page)
    await button(page, 'Hide table').click()
  })

  it('the way back leads to the row that was pressed', async () => {
    await page.getByRole('link', { name: 'Back to Wallet' }).press('Enter')
    const row = page.getByRole('link', { name: 'Earnings' })
    await row.waitFor()
    await expect.poll(() => row.and(page.locator(':focus')).count()).toBe(1)
    await row.press('Enter')
    const title = page.getByRole('heading', { name: 'Earnings', level: 1 })
    await expect.poll(() => title.and(page.locator(':focus')).count()).toBe(1)
  })

  it('without the network the last known values stay', async () => {
    await chart('TESP').waitFor()
    journey.allow(/ERR_INTERNET_DISCONNECTED|WebSocket/)
    await page.context().setOffline(true)
    await page.getByRole('tab', { name: '30 days' }).click()
    await chart('TESP').waitFor()
    await page.context().setOffline(false)
  })
})
