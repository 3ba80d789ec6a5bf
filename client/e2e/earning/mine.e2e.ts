import type { Locator, Page } from 'playwright-core'
import { describe, expect, it } from 'vitest'
import {
  button,
  connection,
  figure,
  goTo,
  identity,
  openAs,
  signInByApi,
} from '#client/e2e/testing/actions.ts'
import { expectAccessible } from '#client/e2e/testing/axe.ts'
import { useJourney } from '#client/e2e/testing/journey.ts'
import { layoutShifts, RECORD_SHIFTS } from '#client/e2e/testing/layout-shift.ts'
import { HOUR_MS, MINUTE_MS } from '#rules/constants'
import { advance } from '#scripts/testing/db/clock'

const AWAY = /^While you were away/
/** Elements that are animated although they are not visible: the browser then renders each frame. */
const HIDDEN_ANIMATIONS = `document.getAnimations()
  .filter(({ playState }) => playState === 'running')
  .map(({ effect }) => effect.target)
  .filter((target) => !target.checkVisibility({ visibilityProperty: true, opacityProperty: true }))
  .map((target) => target.outerHTML)`

/** Endless animations that are not in steps: the compositor draws at each refresh of the screen. */
const SMOOTH_ANIMATIONS = `document.getAnimations()
  .filter(({ effect }) => effect.getTiming().iterations === Infinity)
  .filter(({ effect }) => effect.getKeyframes().some(({ easing }) => !easing.startsWith('steps(')))
  .map(({ animationName }) => animationName)`
/** Ms of each step of the endless animations: those that step together share a frame of the compositor. */
const STEPS_MS = `[...new Set(document.getAnimations()
  .filter(({ effect }) => effect.getTiming().iterations === Infinity)
  .flatMap(({ effect }) => effect.getKeyframes().flatMap(({ computedOffset, easing }, index, frames) =>
    index + 1 < frames.length
      ? Math.round(effect.getTiming().duration * (frames[index + 1].computedOffset - computedOffset) /
          Number.parseInt(easing.slice('steps('.length)))
      : [])))]`
const ENDLESS_ANIMATIONS = `document.getAnimations()
  .filter(({ effect }) => effect.getTiming().iterations === Infinity).length`

const COUNT_OBSERVERS = `
  const observing = new Set()
  window.observers = () => observing.size
  window.IntersectionObserver = class extends IntersectionObserver {
    observe(element) { observing.add(this); super.observe(element) }
    disconnect() { observing.delete(this); super.disconnect() }
  }`

const COUNT_FADES = `
  const start = document.startViewTransition.bind(document)
  document.startViewTransition = (update) => (window.fades++, start(update))
  window.fades = 0`

describe('dashboard of a phone', () => {
  const journey = useJourney()
  const mira = identity('mira')
  /** With reduced motion. */
  let page: Page
  let moving: Page

  async function bottomOf(locator: Locator): Promise<number> {
    const box = await locator.boundingBox()
    if (!box) throw new Error('not on the screen')
    return box.y + box.height
  }

  /** Pixels between Claim and the navigation, on a page that is not scrolled. */
  async function roomBelowClaim(): Promise<number> {
    expect(await page.evaluate('scrollY')).toBe(0)
    const nav = await page.getByRole('navigation', { name: 'Main' }).boundingBox()
    return (nav?.y ?? 0) - (await bottomOf(button(page, 'Claim Rewards')))
  }

  const creditCount = async () => {
    const { db } = journey.product
    const { id: userId } = await db('users').where({ username: mira.username }).first('id')
    return (await db('wallet_activity').where({ userId })).length
  }

  it('the pending amount and Claim are above the fold while idle and while mining', async () => {
    await journey.visitor().register(mira)
    page = await openAs(journey, mira.username, '/mine')
    await button(page, 'Start mining').waitFor()
    expect(page.viewportSize()).toEqual({ width: 390, height: 844 })
    expect(await roomBelowClaim()).toBeGreaterThanOrEqual(0)
    const dial = await bottomOf(button(page, 'Start mining'))
    expect(await bottomOf(figure(page, 'TESP'))).toBeGreaterThan(dial)
    await button(page, 'Start mining').click()
    await page.getByText('Mining Active').waitFor()
    expect(await roomBelowClaim()).toBeGreaterThanOrEqual(0)
  })

  it('the wallet figure follows a credit without a reload', async () => {
    await page.getByText('In your wallet 0.0000 TESP').waitFor()
    await advance(journey.product.db, 20 * MINUTE_MS)
    await page.getByText('In your wallet 0.0333 TESP').waitFor()
    expect(await page.getByText(AWAY).count()).toBe(0)
  })

  it('a member who comes back reads what arrived, above the fold', async () => {
    await page.goto('about:blank')
    await advance(journey.product.db, HOUR_MS)
    await expect.poll(creditCount).toBe(4)
    await page.addInitScript(RECORD_SHIFTS)
    await page.goto('/mine')
    await page.getByText('While you were away: 3 credits, +0.1000 TESP').waitFor()
    await connection(page, 'Live').waitFor()
    expect(await layoutShifts(page)).toEqual([])
    expect(await roomBelowClaim()).toBeGreaterThanOrEqual(0)
    await expectAccessible(page)
  })

  it('the note about an absence is not repeated on reload', async () => {
    await page.reload()
    await page.getByText('In your wallet 0.1333 TESP').waitFor()
    await connection(page, 'Live').waitFor()
    expect(await page.getByText(AWAY).count()).toBe(0)
  })

  it('credits that arrive in a hidden tab are noted when the member returns, until dismissed', async () => {
    await page.evaluate(`Object.defineProperty(document, 'hidden', { get: () => true, configurable: true })
      document.dispatchEvent(new Event('visibilitychange'))`)
    await advance(journey.product.db, 20 * MINUTE_MS)
    await page.getByText('In your wallet 0.1666 TESP').waitFor()
    expect(await page.getByText(AWAY).count()).toBe(0)
    await page.evaluate(`delete document.hidden
      document.dispatchEvent(new Event('visibilitychange'))`)
    await page.getByText('While you were away: 1 credit, +0.0333 TESP').waitFor()
    // The toast about the credit has such a button too.
    await page.getByRole('main').getByRole('button', { name: 'Dismiss', exact: true }).click()
    await page.getByText(AWAY).waitFor({ state: 'detached' })
  })

  it('the last seven days add up to the wallet', async () => {
    const days = page.getByRole('region', { name: 'Mined in the last 7 days (UTC)' })
    await days.scrollIntoViewIfNeeded()
    const figures = days.getByRole('definition')
    // Five credits of 0.0333, on one day or around midnight, each day cut to two decimals.
    const total = async () => {
      const texts = await figures.allTextContents()
      return texts.reduce((sum, text) => sum + Number(text), 0)
    }
    await expect.poll(total).toBeCloseTo(0.16, 1.5)
    await expect.poll(() => figures.count()).toBe(7)
  })

  it('the dial offers the next 24 hours at the end of a session', async () => {
    await advance(journey.product.db, 24 * HOUR_MS)
    await expect.poll(creditCount).toBe(72)
    await button(page, 'Start the next 24 hours').click()
    await page.getByText('Mining Active').waitFor()
    await button(page, 'Stop mining').waitFor()
  })

  it('endless animations move in equal steps, and no observer makes them frames of the main thread', async () => {
    moving = await journey.open('about:blank', { reducedMotion: 'no-preference' })
    await signInByApi(journey, moving, mira.username)
    await moving.addInitScript(COUNT_OBSERVERS)
    await moving.goto('/mine')
    await button(moving, 'Stop mining').waitFor()
    await connection(moving, 'Live').waitFor()
    // The dial's comet and glow, the line of characters, and the dots of the two badges.
    await expect.poll(() => moving.evaluate(ENDLESS_ANIMATIONS)).toBe(5)
    expect(await moving.evaluate(SMOOTH_ANIMATIONS)).toEqual([])
    expect(await moving.evaluate(STEPS_MS)).toEqual([75])
    expect(await moving.evaluate('window.observers()')).toBe(0)
  })

  it('steps to screens are crossfades, except with reduced motion, and no animation is hidden', async () => {
    for (const [one, fades] of [
      [moving, 2],
      [page, 0],
    ] as const) {
      await one.evaluate(COUNT_FADES)
      await expect.poll(() => one.evaluate(HIDDEN_ANIMATIONS)).toEqual([])
      await goTo(one, 'Wallet')
      await one.getByRole('heading', { name: 'My Wallet' }).waitFor()
      await expect.poll(() => one.evaluate('document.activeElement.id')).toBe('main')
      await goTo(one, 'Team')
      await one.getByRole('heading', { name: 'Total Referrals' }).waitFor()
      expect(await one.evaluate('window.fades')).toBe(fades)
    }
  })
})
