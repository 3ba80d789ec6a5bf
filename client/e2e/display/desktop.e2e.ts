import type { Page } from 'playwright-core'
import { describe, expect, it } from 'vitest'
import { boxOf, button, identity, openAs, shownToast } from '#client/e2e/testing/actions.ts'
import { useJourney } from '#client/e2e/testing/journey.ts'

const DESKTOP = { width: 1440, height: 900 }
/** Boxes are laid out at fractions of a pixel. */
const PIXEL = 1

describe('desktop', () => {
  // A desktop's scrollbar takes space, which an open dialog gives back to the page.
  const journey = useJourney({}, { scrollbars: true })
  const dora = identity('dora')
  let page: Page

  const column = () => boxOf(page.getByRole('banner'))
  const scrollbar = () => page.evaluate<number>('innerWidth - document.documentElement.clientWidth')

  it('the column and its navigation stand in the middle and keep the width of a phone', async () => {
    await journey.visitor().register(dora)
    page = await openAs(journey, dora.username, '/team')
    await page.setViewportSize(DESKTOP)
    expect(await scrollbar()).toBeGreaterThan(0)
    const header = await column()
    const nav = await boxOf(page.getByRole('navigation', { name: 'Main' }))
    expect(Math.abs(header.centre - (DESKTOP.width - (await scrollbar())) / 2)).toBeLessThan(PIXEL)
    expect(header.width).toBeLessThanOrEqual(480)
    expect(nav.x).toBe(header.x)
    expect(nav.width).toBe(header.width)
    expect(nav.bottom).toBe(DESKTOP.height)
  })

  it('a dialog stands in the middle of the column, which does not move', async () => {
    await button(page, 'Generate referral code').click()
    await button(page, 'QR code').waitFor()
    const before = await column()
    await button(page, 'QR code').click()
    const dialog = await boxOf(page.getByRole('dialog'))
    expect(await scrollbar()).toBe(0)
    const header = await boxOf(page.locator('header').first())
    expect(header.x).toBe(before.x)
    expect(Math.abs(dialog.centre - before.centre)).toBeLessThan(PIXEL)
    expect(dialog.x).toBeGreaterThanOrEqual(before.x)
    expect(dialog.right).toBeLessThanOrEqual(before.right)
    await page.keyboard.press('Escape')
    await page.getByRole('dialog').waitFor({ state: 'detached' })
  })

  it('a toast stands right beside the column, level with its navigation', async () => {
    journey.allow(/status of 422 .*check-milestones/)
    await page.route('**/api/referral/check-milestones', (route) =>
      route.fulfill({ status: 422, json: { message: 'Refused for the test' } }),
    )
    await button(page, 'Check Milestone').click()
    await shownToast(page).getByText('Unable to check team milestones').waitFor()
    const toast = await boxOf(shownToast(page))
    const header = await column()
    expect(toast.x).toBeGreaterThanOrEqual(header.right)
    expect(toast.x - header.right).toBeLessThan(40)
    expect(toast.right).toBeLessThanOrEqual(DESKTOP.width - (await scrollbar()))
    expect(DESKTOP.height - toast.bottom).toBeLessThan(40)
  })

  it('a toast of a public page stands in the same place, clear of the form', async () => {
    journey.allow(/status of 401 .*login/)
    const visitor = await journey.open('/auth', { viewport: DESKTOP })
    await visitor.locator('[name=identifier]').fill('nobody')
    await visitor.locator('[name=password]').fill('wrong password')
    await visitor.locator('main form button[type=submit]').click()
    await shownToast(visitor).getByText('Login failed').waitFor()
    const toast = await boxOf(shownToast(visitor))
    const main = await boxOf(visitor.getByRole('main'))
    expect(toast.x).toBeGreaterThanOrEqual(main.right)
    expect(toast.x - main.right).toBeLessThan(40)
    expect(DESKTOP.height - toast.bottom).toBeLessThan(40)
    await visitor.context().close()
  })

  it('the ground beside the column is drawn on both sides', async () => {
    const ground = await boxOf(page.locator('svg[viewBox="-1000 -1000 2000 2000"]'))
    const header = await column()
    expect(ground.x).toBeLessThan(header.x - 200)
    expect(ground.right).toBeGreaterThan(header.right + 200)
    expect(Math.abs(ground.centre - header.centre)).toBeLessThan(PIXEL)
  })
})
