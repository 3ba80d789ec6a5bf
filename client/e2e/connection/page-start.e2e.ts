import type { Page } from 'playwright-core'
import { describe, expect, it } from 'vitest'
import {
  button,
  connection,
  goTo,
  identity,
  interactive,
  interceptFirst,
  openAs,
  signIn,
  signInByApi,
} from '#client/e2e/testing/actions.ts'
import { useJourney } from '#client/e2e/testing/journey.ts'

/** A tab in the background: Chromium paints no frame of it, and reports none. */
const IN_BACKGROUND = `
  Object.defineProperty(document, 'hidden', { value: true, configurable: true })
  Object.defineProperty(document, 'visibilityState', { value: 'hidden', configurable: true })
  window.requestAnimationFrame = () => 0
  window.PerformanceObserver = class { observe() {} disconnect() {} }`
const IN_FOREGROUND = `
  delete document.hidden
  delete document.visibilityState
  document.dispatchEvent(new Event('visibilitychange'))`

/** A browser that denies everything that stores data, except cookies; Firefox denies channels with it. */
const BLOCK_STORAGE = `
  const deny = () => { throw new DOMException('The operation is insecure.', 'SecurityError') }
  for (const name of ['localStorage', 'sessionStorage', 'indexedDB', 'caches'])
    Object.defineProperty(window, name, { get: deny })
  window.BroadcastChannel = class { constructor() { deny() } }
  ServiceWorkerContainer.prototype.register = async () => deny()`

describe('start under hard conditions', () => {
  const journey = useJourney()
  const sam = identity('sam')

  /** An empty tab of a browser that is signed in and has loaded nothing. */
  async function openSignedIn(): Promise<Page> {
    const page = await journey.open('about:blank')
    await signInByApi(journey, page, sam.username)
    return page
  }

  /** A page that shows the shell of a screen; `load` lets the browser have the code. */
  async function openShell(path: string) {
    const page = await openSignedIn()
    let load = () => {}
    const isAllowed = new Promise<void>((resolve) => {
      load = resolve
    })
    await page.route('**/assets/start-*.js', async (route) => {
      await isAllowed
      await route.continue()
    })
    await page.goto(path, { waitUntil: 'commit' })
    return { page, load: () => load() }
  }

  it('a page whose menu cannot be loaded is loaded again, and opens it then', async () => {
    await journey.visitor().register(sam)
    journey.allow(/ERR_FAILED .*member-menu/)
    const page = await openAs(journey, sam.username, '/mine')
    // Loaded when the pointer reaches the avatar, and again at the press.
    let isMissing = true
    await page.route('**/assets/member-menu-*.js', (route) =>
      isMissing ? route.abort() : route.continue(),
    )
    const avatar = page.getByRole('banner').locator('[aria-haspopup=menu]')
    const loaded = page.waitForEvent('load')
    await avatar.click()
    await loaded
    isMissing = false
    await connection(page, 'Live').waitFor()
    await avatar.click()
    await page.getByRole('menuitem', { name: 'Logout' }).waitFor()
    await page.context().close()
  })

  it('a page whose socket code was lost once polls, and is live after the next step', async () => {
    journey.allow(/ERR_FAILED .*open-socket/)
    const page = await openSignedIn()
    await interceptFirst(page, '**/assets/open-socket-*.js', (route) => route.abort())
    await page.goto('/mine')
    await connection(page, 'Polling').waitFor()
    await goTo(page, 'Wallet')
    await connection(page, 'Live').waitFor()
    await page.context().close()
  })

  it('a page that is opened in a background tab is ready when it is looked at', async () => {
    const tab = await openSignedIn()
    await tab.addInitScript(IN_BACKGROUND)
    for (const path of ['/mine', '/account']) {
      await tab.goto(path)
      // The shell has neither.
      if (path === '/mine') await button(tab, 'Start mining').waitFor()
      else await tab.getByLabel('Full Name').waitFor()
    }
    await tab.evaluate(IN_FOREGROUND)
    await connection(tab, 'Live').waitFor()
    await tab.context().close()
  })

  it('a tab that is pressed before the code of the screen runs opens when it does', async () => {
    const { page, load } = await openShell('/wallet')
    await page.getByRole('tab', { name: 'Activity' }).click()
    load()
    await page.getByRole('tab', { name: 'Activity', selected: true }).waitFor()
    expect(await page.evaluate('document.activeElement.textContent')).toBe('Activity')
    await page.context().close()
  })

  it('a control that has the focus before the code of the screen runs keeps it', async () => {
    const { page, load } = await openShell('/mine')
    await page.getByRole('heading', { level: 1 }).waitFor()
    for (const _ of ['Skip to content', 'the name of the product', 'the inbox', 'the account menu'])
      await page.keyboard.press('Tab')
    const focused = () => page.evaluate('document.activeElement.ariaLabel')
    expect(await focused()).toBe('Account menu of sam')
    load()
    await connection(page, 'Live').waitFor()
    expect(await focused()).toBe('Account menu of sam')
    await page.context().close()
  })

  /** Answers the next request for the entry as a server of another release does. */
  async function withoutEntry(page: Page) {
    journey.allow(/status of 404 .*\/assets\/index-/)
    await interceptFirst(page, '**/assets/index-*.js', (route) => route.fulfill({ status: 404 }))
  }

  it('a screen whose entry the server does not have is loaded again by itself', async () => {
    const page = await openSignedIn()
    await withoutEntry(page)
    await page.goto('/wallet')
    expect(await page.locator('#root[data-runs]').count()).toBe(0)
    await connection(page, 'Live').waitFor()
    await page.context().close()
  })

  it('a sign-in page whose entry the server does not have is loaded again by itself', async () => {
    const page = await journey.open('about:blank')
    await withoutEntry(page)
    await page.goto('/auth')
    await page.locator('#root[data-runs]').waitFor()
    await page.getByLabel('Username or email').focus()
    await interactive(page)
    await page.context().close()
  })

  it('the app starts and signs in where the browser blocks storage', async () => {
    const page = await journey.open('about:blank')
    await page.addInitScript(BLOCK_STORAGE)
    await page.goto('/auth')
    await page.getByLabel('Username or email').focus()
    await interactive(page)
    await signIn(page, sam.username)
    await page.waitForURL('/mine')
    await connection(page, 'Live').waitFor()
    await page.reload()
    await button(page, 'Start mining').click()
    await page.getByText('Mining Active').waitFor()
    await page.goto('/reset-password')
    await button(page, 'Back to Login').waitFor()
    expect(await page.getByRole('alert').count()).toBe(0)
    await page.context().close()
  })
})
