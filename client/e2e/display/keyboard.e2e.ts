import type { Page } from 'playwright-core'
import { describe, expect, it } from 'vitest'
import {
  button,
  connection,
  identity,
  interactive,
  openAs,
  seeToast,
} from '#client/e2e/testing/actions.ts'
import { useJourney } from '#client/e2e/testing/journey.ts'
import { MINUTE_MS } from '#rules/constants'
import { advance } from '#scripts/testing/db/clock'
import { buildWeekBoard } from '#scripts/testing/gateway/build-week-board'
import { tabFaults, walkDialogs } from './tab-walk.ts'

const VIEWS = ['security', 'notifications', 'data'].map((view) => `/account?view=${view}`)
const MAIN = [
  '/inbox',
  '/mine',
  '/wallet',
  '/tasks',
  '/team',
  '/network',
  '/swap',
  '/account',
  '/verify',
]
const SCREENS = [...MAIN, ...VIEWS, '/wallet?view=earnings']

/** What opens a dialog, in the order of the walk. */
const DIALOGS = [
  '/mine: Read',
  '/wallet: Chart',
  'activity: Chart',
  'activity: Statement',
  'activity: Mining Reward',
  '/team: This week',
  '/account: Change Profile Picture',
  // Names the browser.
  expect.stringMatching(/^\/account\?view=security: Sign out /),
  '/account?view=security: Change password',
  '/account?view=security: Sign out everywhere else',
  '/account?view=security: Set up an authenticator app',
  '/account?view=data: Download my data',
  '/account?view=data: Delete account',
]

describe('keyboard', () => {
  const journey = useJourney()
  const kim = identity('kim')
  let page: Page

  /** Opens a screen and waits until it is live; `/verify` has no connection. */
  async function openScreen(path: string): Promise<void> {
    await page.goto(path)
    await page.getByRole('heading', { level: 1 }).waitFor()
    if (path !== '/verify') await connection(page, 'Live').waitFor()
  }

  /** Text of the focused element; empty if the focus fell to the body. */
  const focused = () =>
    page.evaluate<string>(
      'document.activeElement === document.body ? "" : document.activeElement.textContent',
    )

  it('Claim keeps the focus after it was pressed and is disabled', async () => {
    const member = journey.visitor()
    await member.register(kim)
    await member.call('POST /api/mining/start')
    await advance(journey.product.db, 15 * MINUTE_MS)
    await member.call('POST /api/mining/stop')
    page = await openAs(journey, kim.username, '/mine')
    await button(page, 'Claim Rewards').focus()
    await page.keyboard.press('Enter')
    await seeToast(page, 'Rewards Claimed Successfully')
    await expect.poll(() => button(page, 'Claim Rewards').isDisabled()).toBe(true)
    expect(await focused()).toContain('Claim Rewards')
  })

  it('the dial keeps the focus after Start and Stop', async () => {
    await button(page, 'Start mining').focus()
    await page.keyboard.press('Enter')
    await page.getByText('Mining Active').waitFor()
    await expect.poll(focused).toContain('Stop mining')
    await page.keyboard.press('Enter')
    await page.getByText('Mining Inactive').waitFor()
    await expect.poll(focused).toContain('Start mining')
  })

  it('on every screen Tab reaches every control in its order, uncovered, and dialogs keep and return the focus', async () => {
    // A dialog of Team reads it.
    await buildWeekBoard(journey.product)
    const found: string[] = []
    const dialogs: string[] = []
    const walk = async (place: string) => {
      const faults = await tabFaults(page)
      const walked = await walkDialogs(page)
      for (const fault of [...faults, ...walked.faults]) found.push(`${place}: ${fault}`)
      for (const name of walked.opened) dialogs.push(`${place}: ${name}`)
    }
    for (const path of SCREENS) {
      await openScreen(path)
      await walk(path)
      if (path !== '/wallet') continue
      await page.getByRole('tab', { name: 'Activity' }).click()
      await walk('activity')
    }
    expect(found).toEqual([])
    expect(dialogs).toEqual(DIALOGS)
    await page.context().close()
  })

  it('Tab reaches every control of the pages of a visitor', async () => {
    const visitor = await journey.open('/auth')
    await visitor.keyboard.press('Tab')
    await interactive(visitor)
    const found = [...(await tabFaults(visitor))]
    await visitor.getByRole('tab', { name: 'Register' }).click()
    found.push(...(await tabFaults(visitor)))
    await visitor.goto('/reset-password')
    await button(visitor, 'Back to Login').waitFor()
    found.push(...(await tabFaults(visitor)))
    expect(found).toEqual([])
  })
})
