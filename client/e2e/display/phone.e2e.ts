import type { Locator, Page } from 'playwright-core'
import { describe, expect, it } from 'vitest'
import {
  boxOf,
  button,
  connection,
  dismissToast,
  goTo,
  identity,
  openAs,
  refuseStart,
  signInByApi,
} from '#client/e2e/testing/actions.ts'
import { useJourney } from '#client/e2e/testing/journey.ts'
import { layout as english } from '#client/language/en/common-and-layout.ts'
import { layout as vietnamese } from '#client/language/vi/common-and-layout.ts'
import { inTransaction } from '#db/postgres/statements/transaction'
import { correctBalance } from '#operators/ops/testing/correct-balance'
import {
  brokenWords,
  sidewaysScroll,
  smallTargets,
  strayTexts,
} from '#scripts/browser/layout-faults'

const VIEWS = ['security', 'notifications', 'data'].map((view) => `/account?view=${view}`)
const SCREENS = [
  '/mine',
  '/wallet',
  '/tasks',
  '/team',
  '/network',
  '/account',
  ...VIEWS,
  '/wallet?view=earnings',
]
const SMALL = { width: 320, height: 640 }
const PHONE = { width: 390, height: 844 }
const DESKTOP = { width: 1440, height: 900 }
/** What the header calls a connection; Connecting… has no text there at 320 px. */
const LABELS = [english, vietnamese].flatMap(({ connection: { live, polling, offline } }) => [
  live,
  polling,
  offline,
])
/** Of the connection, in the header. */
const BADGE = 'header [role=status] + span'
/** The middle of each line of an element's texts. */
const middlesOfLines = new Function(
  'element',
  `
  const texts = document.createTreeWalker(element, NodeFilter.SHOW_TEXT)
  const found = []
  while (texts.nextNode()) {
    const range = document.createRange()
    range.selectNode(texts.currentNode)
    found.push(...[...range.getClientRects()].map(({ top, bottom }) => (top + bottom) / 2))
  }
  return found`,
) as (element: unknown) => number[]

describe('phone', () => {
  const journey = useJourney({
    SUPPORT_URL: 'mailto:support@tesp.example',
    TERMS_URL: 'https://tesp.example/terms',
  })
  const pia = identity('pia')
  let page: Page

  /** Broken words, texts outside their panels and sideways scrolling of the open screen. */
  async function faults(): Promise<string[]> {
    const stray = (await strayTexts(page)).map((text) => `"${text}" leaves its panel`)
    const pixels = await sidewaysScroll(page)
    const scrolls = pixels > 0 ? [`scrolls sideways by ${pixels} px`] : []
    return [...(await brokenWords(page)), ...stray, ...scrolls]
  }

  const setTextSize = (percent: number) =>
    page.evaluate(`document.documentElement.style.fontSize = '${percent}%'`)

  async function expectTallControls(path: string): Promise<void> {
    for (const viewport of [SMALL, PHONE, DESKTOP]) {
      await page.setViewportSize(viewport)
      const message = `${path} at ${viewport.width} px`
      await expect.poll(() => smallTargets(page), { message }).toEqual([])
    }
  }

  it('every screen fits with whole words at 320 px and at 200 % text, and its controls are as tall as a finger', async () => {
    await journey.visitor().register(pia)
    const rich = { member: pia.username, reason: 'test' }
    await inTransaction(journey.product.db, async (tx) => {
      await correctBalance(tx, { ...rich, token: 'TESP', amount: '98765432109.87654321' })
      await correctBalance(tx, { ...rich, token: 'USDT', amount: '98765432109.87654321' })
    })
    page = await openAs(journey, pia.username, '/mine')
    const found: Record<string, string[]> = {}
    for (const path of SCREENS) {
      await page.setViewportSize(SMALL)
      await page.goto(path)
      await page.getByRole('main').getByRole('heading').first().waitFor()
      await expect.poll(() => page.locator('.animate-shimmer').count()).toBe(0)
      found[`${path} at 320 px`] = await faults()
      await setTextSize(200)
      found[`${path} at 320 px and 200 % text`] = await faults()
      await page.setViewportSize(PHONE)
      found[`${path} at 200 % text`] = await faults()
      await setTextSize(100)
      await expectTallControls(path)
    }
    expect(Object.entries(found).filter(([, faults]) => faults.length > 0)).toEqual([])
    await page.goto('/status')
    await page.getByRole('main').getByRole('heading').first().waitFor()
    await expectTallControls('/status')
    await page.setViewportSize(PHONE)
  })

  it('texts of one line keep it in the fallback fonts at 390 px', async () => {
    journey.allow(/ERR_FAILED .*\.woff2/)
    const fay = identity('fay')
    await journey.visitor().register(fay)
    const visit = await journey.open('about:blank', { viewport: PHONE })
    await visit.context().route('**/*.woff2', (route) => route.abort())
    await signInByApi(journey, visit, fay.username)
    for (const [path, texts] of [
      ['/mine', [visit.locator('#pending-title + p')]],
      ['/team', [button(visit, 'Check new milestones'), button(visit, 'Check Milestone')]],
    ] as const) {
      await visit.goto(path)
      await connection(visit, 'Live').waitFor()
      for (const shown of texts) {
        const middles = await shown.evaluate(middlesOfLines)
        const isOneLine = Math.max(...middles) - Math.min(...middles) < 8
        expect([path, isOneLine]).toEqual([path, true])
      }
    }
    // Fallback fonts are those of the system, where it has them.
    const loaded =
      '[...document.fonts].filter((font) => font.status === "loaded").map((font) => font.family)'
    const families = await visit.evaluate<string[]>(loaded)
    expect(families.filter((family) => !family.includes('Fallback'))).toEqual([])
    await visit.context().close()
  })

  it('a view that fits on a phone does not scroll, and has the navigation at the lower edge', async () => {
    const kim = identity('kim')
    await journey.visitor().register(kim)
    const visit = await journey.open('about:blank', { viewport: PHONE })
    await signInByApi(journey, visit, kim.username)
    for (const path of ['/account?view=data', '/wallet?view=earnings']) {
      await visit.goto(path)
      await visit.getByRole('main').getByRole('heading').first().waitFor()
      await expect.poll(() => visit.locator('.animate-shimmer').count()).toBe(0)
      const scrolls = () =>
        visit.evaluate<number>('document.documentElement.scrollHeight - innerHeight')
      await expect.poll(scrolls, { message: path }).toBe(0)
      const { bottom } = await boxOf(visit.getByRole('navigation', { name: 'Main' }))
      expect([path, bottom]).toEqual([path, PHONE.height])
    }
    await visit.context().close()
  })

  it('name and tagline take a line each at 320 px, whatever the connection is called', async () => {
    await page.setViewportSize(SMALL)
    await page.goto('/mine')
    await connection(page, 'Live').waitFor()
    const heights: Record<string, number[]> = {}
    for (const label of LABELS) {
      await page.evaluate(
        `document.querySelector('${BADGE} > :nth-child(2)').textContent = '${label}'`,
      )
      heights[label] = await page.evaluate<
        number[]
      >(`[...document.querySelectorAll('header a .block')]
        .map((one) => one.offsetHeight / parseFloat(getComputedStyle(one).lineHeight))`)
    }
    expect(heights).toEqual(Object.fromEntries(LABELS.map((label) => [label, [1, 1]])))
    await page.setViewportSize(PHONE)
  })

  it('name and connection with its age do not overlap on a phone, whatever they are called', async () => {
    journey.allow(/ERR_INTERNET_DISCONNECTED/)
    await page.context().setOffline(true)
    await connection(page, 'Offline').waitFor()
    const overlaps: string[] = []
    for (const width of [352, 360, 375, 390, 412, 430]) {
      await page.setViewportSize({ width, height: 844 })
      for (const label of LABELS) {
        const gap = await page.evaluate<number>(`{
          const [badge, name] = ['${BADGE}', 'header a .block'].map((one) => document.querySelector(one))
          badge.children[1].textContent = '${label}'
          badge.children[2].textContent = '720 phút'
          const text = document.createRange()
          text.selectNodeContents(name)
          badge.getBoundingClientRect().left - text.getBoundingClientRect().right
        }`)
        if (gap < 0) overlaps.push(`${label} at ${width} px by ${-gap}`)
      }
    }
    expect(overlaps).toEqual([])
    await page.context().setOffline(false)
    await page.setViewportSize(PHONE)
  })

  it('the header names the network in full at 200 % text', async () => {
    await page.goto('/mine')
    await connection(page, 'Live').waitFor()
    await setTextSize(200)
    await page.getByRole('banner').getByText('AI-Powered Mining').waitFor()
    const cut = await page.evaluate(`[...document.querySelectorAll('header a span:not(.sr-only)')]
      .filter((one) => one.scrollWidth > one.clientWidth || one.getBoundingClientRect().right > innerWidth)
      .map((one) => one.textContent)`)
    expect(cut).toEqual([])
  })

  it('a toast, a tooltip, the menu and a dialog are readable at 320 px and 200 % text', async () => {
    await page.setViewportSize(SMALL)
    const found: Record<string, string[]> = {}
    const isInside = async (locator: Locator) => {
      const { x, right } = await boxOf(locator)
      return x >= 0 && right <= SMALL.width ? [] : [`reaches from ${x} to ${right}`]
    }
    await refuseStart(journey, page)
    found.toast = await faults()
    await dismissToast(page)
    await goTo(page, 'Wallet')
    const amount = page.getByRole('button', { name: '$98,765,432,109.87' }).first()
    // Scrolls to it, which closes an open tooltip.
    await amount.hover()
    await amount.click()
    await page.getByRole('tooltip').waitFor()
    found.tooltip = await isInside(page.locator('[data-radix-popper-content-wrapper]'))
    await page.keyboard.press('Escape')
    await page.getByRole('tab', { name: 'Activity' }).click()
    await page.getByText('Correction: test').first().waitFor()
    found.activity = await faults()
    await page.getByRole('button', { name: 'Statement' }).click()
    await page.getByRole('dialog').waitFor()
    found.dialog = await faults()
    await page.keyboard.press('Escape')
    await page.getByRole('banner').locator('[aria-haspopup=menu]').click()
    found.menu = await isInside(page.getByRole('menu'))
    await page.getByRole('menuitem', { name: 'Account' }).click()
    await button(page, 'Change Profile Picture').click()
    await page.getByRole('radio').first().waitFor()
    found.avatars = await page.evaluate<string[]>(`{
      const boxes = [...document.querySelectorAll('[role=dialog] [type=radio]')].map((one) => one.getBoundingClientRect())
      boxes.flatMap((one, at) =>
        boxes.slice(at + 1).some((other) => one.left < other.right && other.left < one.right &&
          one.top < other.bottom && other.top < one.bottom) ? ['picture ' + at + ' overlaps'] : [])
    }`)
    await page.keyboard.press('Escape')
    await page.getByRole('link', { name: /^Data/ }).click()
    await button(page, 'Delete account').click()
    await page.getByRole('dialog').getByText('What goes').waitFor()
    found.deletion = await faults()
    expect(Object.entries(found).filter(([, faults]) => faults.length > 0)).toEqual([])
    await page.setViewportSize(PHONE)
  })

  it('the first tap shows no focus ring, the Tab key does', async () => {
    await page.goto('/wallet')
    await connection(page, 'Live').waitFor()
    await page.getByRole('tab', { name: 'Activity' }).click()
    const outline = () =>
      page.evaluate<string>('getComputedStyle(document.activeElement).outlineStyle')
    expect(await outline()).toBe('none')
    await page.keyboard.press('ArrowRight')
    expect(await outline()).toBe('solid')
  })

  it('reduced motion delays what appears late, and fades nothing', async () => {
    const shown = `(() => {
      const late = document.createElement('p')
      late.className = 'animate-appear-late'
      document.body.append(late)
      const { opacity, animationDelay, animationDuration } = getComputedStyle(late)
      const seen = [opacity, animationDelay, animationDuration]
      late.remove()
      return seen
    })()`
    expect(await page.evaluate(shown)).toEqual(['0', '0.4s', '0s'])
  })

  it('a contrast theme shows what is selected, current, done and switched on', async () => {
    const media = { forcedColors: 'active', colorScheme: 'dark', reducedMotion: 'reduce' } as const
    await page.emulateMedia(media)
    // Without its opacity: the canvas of this theme is black, as transparent is.
    const background = async (selector: string) => {
      await page.locator(selector).first().waitFor()
      const style = `getComputedStyle(document.querySelector('${selector}'))`
      return page.evaluate<string>(`${style}.backgroundColor.match(/\\d+, \\d+, \\d+/)[0]`)
    }
    const same: string[] = []
    const compare = async (one: string, other: string) => {
      if ((await background(one)) === (await background(other))) same.push(one)
    }
    await compare('[role=tab][aria-selected=true]', '[role=tab][aria-selected=false]')
    await compare('nav [aria-current]', 'nav a:not([aria-current])')
    await page.goto('/network')
    await compare('[role=progressbar] > *', '[role=progressbar]')
    await page.goto('/account?view=notifications')
    await page.getByRole('switch', { name: 'Email' }).click()
    await compare('[aria-checked=true] > *', '[aria-checked=false] > *')
    await compare('[aria-checked=true] > * > *', '[aria-checked=true] > *')
    await compare('[aria-checked=false] > * > *', '[aria-checked=false] > *')
    expect(same).toEqual([])
  })

  it('Escape closes a toast before the dialog under it, and Back on Android the dialog', async () => {
    journey.allow(/status of 422 .*statement/)
    await page.route('**/api/wallet/statement?*', (route) =>
      route.fulfill({ status: 422, json: { message: 'Refused for the test' } }),
    )
    const dialog = page.locator('[role=dialog][data-state=open]')
    const toast = page.locator('[data-toasts] li')
    await page.goto('/wallet')
    await page.getByRole('tab', { name: 'Activity' }).click()
    await button(page, 'Statement').click()
    await button(page, 'Download', true).click()
    await toast.waitFor()
    await page.keyboard.press('Escape')
    await expect.poll(() => toast.count()).toBe(0)
    expect(await dialog.count()).toBe(1)
    // A key that no listener of the page gets asks the browser to close something, as Back does.
    await page.evaluate(
      "addEventListener('keydown', (event) => event.stopImmediatePropagation(), { capture: true })",
    )
    await page.keyboard.press('Escape')
    await expect.poll(() => dialog.count()).toBe(0)
    expect(new URL(page.url()).pathname).toBe('/wallet')
  })
})
