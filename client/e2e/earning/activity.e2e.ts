import fs from 'node:fs/promises'
import type { Page } from 'playwright-core'
import { describe, expect, it } from 'vitest'
import { button, field, identity, openAs, seeToast } from '#client/e2e/testing/actions.ts'
import { expectAccessible } from '#client/e2e/testing/axe.ts'
import { useJourney } from '#client/e2e/testing/journey.ts'
import { mergePartitions } from '#db/ledger/partition-merges/merge-partitions'
import { rollUpLedger } from '#db/ledger/retention/rollup-steps'
import { sealLedger } from '#db/ledger/seals/seal-steps'
import { DAY_MS, HOUR_MS } from '#rules/constants'
import { creditCount } from '#rules/money/ledger-id'
import { display, sum } from '#rules/money/money'
import { advance } from '#scripts/testing/db/clock'
import { recordSwept } from '#scripts/testing/db/history'

describe('activity of a member', () => {
  const journey = useJourney()
  const tara = identity('tara')
  let page: Page

  const memberId = async () => {
    const found = await journey.product.db('users').where({ username: tara.username }).first('id')
    return found.id
  }
  const ledger = async () =>
    journey.product
      .db('wallet_activity')
      .where({ userId: await memberId() })
      .orderBy('seq')
  const head = () => page.getByRole('heading', { level: 3 }).first().locator('xpath=..')
  const dialog = (name: string | RegExp) => page.getByRole('dialog', { name })

  it('the sum of a day includes the rows that the page leaves out', async () => {
    const visitor = journey.visitor()
    await visitor.register(tara)
    await visitor.call('POST /api/mining/start')
    await advance(journey.product.db, 23 * HOUR_MS)
    await expect.poll(async () => (await ledger()).length).toBe(69)
    page = await openAs(journey, tara.username, '/wallet')
    await page.getByRole('tab', { name: 'Activity' }).click()
    const rows = await ledger()
    // Product time is a day ahead of the real time in which the screen shows it.
    const newest = rows.at(-1).createdAt.getTime()
    const whole = rows.filter(({ createdAt }) => sameDay(createdAt.getTime(), newest))
    const expected = `+${display(sum(...whole.map(({ amount }) => amount)), 4)} TESP`
    await expect.poll(() => head().textContent()).toContain(expected)
    await expectAccessible(page)
  })

  const sameDay = (a: number, b: number) =>
    new Date(a - aheadMs()).toDateString() === new Date(b - aheadMs()).toDateString()
  /** The test moved product time ahead; the screen shows real times. */
  const aheadMs = () => 23 * HOUR_MS

  it('a row opens its receipt with the balance after it', async () => {
    await button(page, 'Mining Reward').first().click()
    const receipt = dialog('Mining Reward')
    const newest = (await ledger()).at(-1)
    await receipt.getByText(`${newest.balanceAfter} TESP`).waitFor()
    await receipt.getByText(newest.id, { exact: true }).waitFor()
    await receipt.getByText(/^69 of 72 in session \d+/).waitFor()
    await expectAccessible(page)
    await button(page, 'Close').click()
  })

  it('a rolled-up row opens its single credits', async () => {
    const { db } = journey.product
    await advance(db, 20 * DAY_MS)
    await expect.poll(async () => (await ledger()).length).toBe(72)
    await recordSwept(db)
    const longest = async () => Math.max(...(await ledger()).map(({ id }) => creditCount(id)))
    // The workers seal and merge days meanwhile, for which a roll-up waits.
    await expect
      .poll(
        async () => {
          await sealLedger(db)
          await mergePartitions(db)
          await rollUpLedger(db, 7)
          return longest()
        },
        { timeout: 60_000 },
      )
      .toBeGreaterThan(1)
    await page.reload()
    await page.getByRole('tab', { name: 'Activity' }).click()
    const count = await longest()
    await button(page, `Mining Reward · ${count} credits`).first().click()
    const credits = dialog(/credits$/).getByRole('listitem')
    await expect.poll(() => credits.count()).toBe(count)
    await button(page, 'Close').click()
  })

  it('a statement holds the whole ledger and adds up to the balance', async () => {
    await button(page, 'Statement').click()
    await field(page, 'First day').waitFor()
    await expectAccessible(page)
    const download = page.waitForEvent('download')
    await button(page, 'Download', true).click()
    const file = await download
    expect(file.suggestedFilename()).toMatch(/^tesp-statement-[\d-]{10}-[\d-]{10}\.csv$/)
    await seeToast(page, 'Your statement was downloaded', file.suggestedFilename())
    const text = await fs.readFile(await file.path(), 'utf8')
    const lines = text.trimEnd().split('\r\n').slice(1)
    const cells = lines.map((line) => line.split(','))
    const credits = cells.reduce((total, row) => total + Number(row[3]), 0)
    expect(credits).toBe(72)
    const { balance } = await journey.product
      .db('wallets')
      .where({ userId: await memberId() })
      .first('balance')
    expect(sum(...cells.map((row) => row[4] ?? ''))).toBe(balance)
    expect(cells.at(-1)?.[6]).toBe(balance)
  })

  it('a refused period is reported at its field', async () => {
    await button(page, 'Statement').click()
    await field(page, 'Last day').fill('2020-01-01')
    await button(page, 'Download', true).click()
    await dialog('Statement').getByText('The last day must not be before the first one').waitFor()
    await expect.poll(() => page.evaluate('document.activeElement.name')).toBe('to')
  })
})
