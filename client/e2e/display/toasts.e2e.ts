import type { Page } from 'playwright-core'
import { describe, expect, it } from 'vitest'
import {
  boxOf,
  button,
  dismissToast,
  goTo,
  identity,
  openAs,
  refuseStart,
  seeToast,
  shownToast,
} from '#client/e2e/testing/actions.ts'
import { useJourney } from '#client/e2e/testing/journey.ts'

describe('toasts of a phone', () => {
  const journey = useJourney({ CLOCK_SPEED: '60' })
  const tia = identity('tia')
  let page: Page

  /** Names of the controls of the page, or of the open menu, that the toast covers. */
  const covered = () =>
    page.evaluate<string[]>(`(() => {
      const toast = document.querySelector('[data-toasts] li')?.getBoundingClientRect()
      if (!toast) return ['there is no toast']
      const root = document.querySelector('[role=menu]') ?? document
      return [...root.querySelectorAll('a[href], button, input, [role=tab], [role^=menuitem]')]
        .filter((one) => !one.closest('[data-toasts]'))
        .filter((one) => {
          const { width, top, bottom } = one.getBoundingClientRect()
          return width > 1 && bottom > toast.top && top < toast.bottom
        })
        .map((one) => one.ariaLabel || one.textContent)
    })()`)
  /** As for a window in the background: the toasts stay, however long the rest takes. */
  const holdToasts = () => page.evaluate("dispatchEvent(new Event('blur'))")
  const findNoMilestones = () =>
    page.route('**/api/referral/check-milestones', (route) =>
      route.fulfill({ json: { usdtRewarded: '0', newMilestones: [] } }),
    )

  it('a toast after a claim leaves the dial free, which the claim disables', async () => {
    await journey.visitor().register(tia)
    page = await openAs(journey, tia.username, '/mine')
    await button(page, 'Start mining').click()
    await page.getByText('Mining Active').waitFor()
    await goTo(page, 'Tasks')
    await button(page, 'Claim Reward').first().click()
    await seeToast(page, 'Success!')
    // Over the cards, lower than the header of Tasks.
    await dismissToast(page)
    await goTo(page, 'Mine')
    await button(page, 'Stop mining').click()
    await button(page, 'Claim Rewards').click()
    await seeToast(page, 'Rewards Claimed Successfully')
    await holdToasts()
    await expect.poll(covered).toEqual([])
  })

  it('a toast leaves the items of a menu free that opens after it', async () => {
    await findNoMilestones()
    await page.goto('/team')
    await button(page, 'Check Milestone').click()
    await seeToast(page, 'No New Milestones')
    await holdToasts()
    await page.getByRole('banner').locator('[aria-haspopup=menu]').click()
    await page.getByRole('menuitem', { name: 'Account' }).waitFor()
    await expect.poll(covered).toEqual([])
    // As on a busy device, where nothing else changes after the menu is moved to its place.
    await page.evaluate(`(() => {
      const topOf = (selector) => document.querySelector(selector).getBoundingClientRect().top
      const menu = document.querySelector('[data-radix-popper-content-wrapper]')
      const y = topOf('[data-toasts] li') - topOf('[role=menuitem]') + menu.getBoundingClientRect().top
      menu.style.transform = 'translate(100px, ' + y + 'px)'
    })()`)
    expect(await covered()).toEqual([])
    await page.keyboard.press('Escape')
  })

  it('a toast leaves the title and the text of a dialog free that opens after it', async () => {
    await page.goto('/team')
    await button(page, 'Check Milestone').click()
    await seeToast(page, 'No New Milestones')
    await holdToasts()
    await button(page, 'This week').click()
    const dialog = page.getByRole('dialog')
    await dialog.getByText('A board to compare').waitFor()
    const gap = async () => {
      const toast = await boxOf(shownToast(page))
      const title = await boxOf(dialog.getByRole('heading', { name: 'This week' }))
      const text = await boxOf(dialog.getByText('A board to compare'))
      return Math.max(title.y - toast.bottom, toast.y - text.bottom)
    }
    await expect.poll(gap).toBeGreaterThanOrEqual(0)
    await page.keyboard.press('Escape')
  })

  it('a toast leaves the way back of a view free that is loaded after it', async () => {
    let load = () => {}
    const pressed = new Promise<void>((resolve) => (load = resolve))
    await page.route('**/account-screen-*.js', async (route) => {
      await pressed
      await route.continue()
    })
    await page.goto('/team')
    await button(page, 'Check Milestone').click()
    await seeToast(page, 'No New Milestones')
    await holdToasts()
    await goTo(page, 'Mine')
    await page.getByRole('link', { name: 'Choose' }).click()
    await page.waitForURL('/account?view=notifications')
    load()
    await page.getByRole('link', { name: 'Back to Account' }).waitFor()
    await page.getByRole('switch').first().waitFor()
    await expect.poll(covered).toEqual([])
  })

  it('a toast lies below the header, above the button that starts mining', async () => {
    await page.goto('/mine')
    await refuseStart(journey, page)
    await holdToasts()
    const gaps = async () => {
      const header = await boxOf(page.getByRole('banner'))
      const toast = await boxOf(shownToast(page))
      const dial = await boxOf(button(page, 'Start mining'))
      return Math.min(toast.y - header.bottom, dial.y - toast.bottom)
    }
    await expect.poll(gaps).toBeGreaterThanOrEqual(0)
  })

  it('a toast leaves the controls of the next screen free too', async () => {
    expect(await covered()).toEqual([])
    await page.getByRole('link', { name: 'Wallet' }).click()
    await page.getByRole('button', { name: 'Chart' }).waitFor()
    await expect.poll(covered).toEqual([])
  })

  it('a toast keeps a legible width beside the column of a page with text of 200 %', async () => {
    await page.setViewportSize({ width: 1440, height: 900 })
    await page.goto('/team')
    await page.addStyleTag({ content: 'html { font-size: 200% }' })
    await button(page, 'Check Milestone').click()
    await seeToast(page, 'No New Milestones')
    const toast = await boxOf(shownToast(page))
    expect(toast.right).toBeLessThanOrEqual(1440)
    expect(toast.right - toast.x).toBeGreaterThan(400)
    await page.setViewportSize({ width: 390, height: 844 })
  })

  it('a toast does not cover what was pressed', async () => {
    journey.allow(/status of 422 .*generate-code/)
    await page.goto('/team')
    await page.route('**/api/referral/generate-code', (route) =>
      route.fulfill({ status: 422, json: { message: 'Refused for the test' } }),
    )
    const generate = button(page, 'Generate referral code')
    await generate.waitFor()
    // Right above the navigation, where the toast would lie.
    const height = Math.round((await boxOf(generate)).bottom) + 80
    await page.setViewportSize({ width: 390, height })
    await generate.click()
    await shownToast(page).getByText('Unable to create referral code').waitFor()
    const toast = await boxOf(shownToast(page))
    expect(toast.bottom).toBeLessThanOrEqual((await boxOf(generate)).y)
    expect(toast.y).toBeGreaterThanOrEqual((await boxOf(page.getByRole('banner'))).bottom)
  })
})
