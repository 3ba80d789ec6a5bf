import type { Page } from 'playwright-core'
import { beforeAll, describe, expect, it } from 'vitest'
import { connection, figure, identity, panel, signInByApi } from '#client/e2e/testing/actions.ts'
import { useJourney } from '#client/e2e/testing/journey.ts'
import { layoutShifts, RECORD_SHIFTS, slowNetwork } from '#client/e2e/testing/layout-shift.ts'

type Viewport = { width: number; height: number }
type Loaded = (page: Page) => Promise<void>

describe('layout shift on a slow network', () => {
  const journey = useJourney()
  const [fresh, leader] = [identity('newbie'), identity('leader')]

  /** Shifts of a first visit with nothing cached, until the screen shows its data. */
  async function shiftsOf(username: string, path: string, viewport: Viewport, loaded: Loaded) {
    const page = await journey.open('about:blank', { viewport })
    await signInByApi(journey, page, username)
    await page.addInitScript(RECORD_SHIFTS)
    await slowNetwork(page)
    await page.goto(path)
    await loaded(page)
    await connection(page, 'Live').waitFor()
    await page.waitForLoadState('networkidle')
    await page.evaluate('document.fonts.ready')
    const shifts = await layoutShifts(page)
    await page.context().close()
    return shifts
  }

  beforeAll(async () => {
    for (const who of [fresh, leader]) await journey.visitor().register(who)
    const { db } = journey.product
    const [newbie] = await db('users').where({ username: fresh.username }).pluck('id')
    await db('users')
      .where({ username: leader.username })
      // Enough for the first milestone, which is shown above everything else.
      .update({ referralCode: 'TESPABC234', referredBy: newbie, teamSize: 10 })
  })

  const phone = { width: 390, height: 844 }
  const desktop = { width: 1440, height: 900 }
  const mineLoaded: Loaded = (page) => figure(page, 'Rate').getByText(/\d/).waitFor()
  const networkLoaded: Loaded = (page) => page.getByText('Activity as a table').waitFor()
  const teamLoaded: Loaded = (page) =>
    panel(page, 'Total Referrals')
      .getByText(/ of \d+ members/)
      .waitFor()

  it('Mine, Network and Team shift nothing on phones and wide screens', async () => {
    const visits = [
      ['/mine', fresh, phone, mineLoaded],
      ['/mine', fresh, desktop, mineLoaded],
      ['/network', fresh, phone, networkLoaded],
      ['/network', fresh, desktop, networkLoaded],
      ['/team', fresh, phone, teamLoaded],
      ['/team', fresh, desktop, teamLoaded],
      ['/team', leader, phone, teamLoaded],
    ] as const
    const shifted = []
    for (const [path, { username }, viewport, loaded] of visits) {
      const shifts = await shiftsOf(username, path, viewport, loaded)
      if (shifts.length > 0) shifted.push({ path, username, width: viewport.width, shifts })
    }
    expect(shifted).toEqual([])
  })
})
