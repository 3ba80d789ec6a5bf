import path from 'node:path'
import type { Browser, BrowserContext, BrowserContextOptions, Page, Request } from 'playwright-core'
import { LANGUAGE_COOKIE } from '#contract/headers'
import { INITIAL_DATA_ID } from '#contract/initial-data'
import { accessibilityViolations } from '#scripts/browser/accessibility'
import { brokenWords, sidewaysScroll, strayTexts } from '#scripts/browser/layout-faults'
import { DEMO_PASSWORD } from '#scripts/seed/demo-members'
import { pathOf, type Shot } from './pictures.ts'
import { MEMBERS, type MemberName, type State, type Stub } from './states/state.ts'

type SignIns = Map<MemberName, BrowserContextOptions['storageState']>

export async function signInAll(browser: Browser, baseURL: string): Promise<SignIns> {
  const signIns: SignIns = new Map()
  for (const identifier of MEMBERS) {
    const context = await browser.newContext({ baseURL })
    const data = { identifier, password: DEMO_PASSWORD }
    const answer = await context.request.post('/api/login', { data })
    if (!answer.ok()) throw new Error(`${identifier} cannot sign in: ${await answer.text()}`)
    signIns.set(identifier, await context.storageState())
    await context.close()
  }
  return signIns
}

/** `scale`: device pixels of a CSS pixel. */
type Site = { url: string; signIns: SignIns; folder: string; scale?: number }

const LIMIT_MS = 20_000

/** Fonts and pictures are decoded, and charts are drawn. */
const DRAWN = `Promise.all([document.fonts.ready, ...[...document.images].map((one) => one.decode().catch(() => {}))])
  .then(() => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done))))`
/** An open toast pauses as in a window that is left, so that it is still there for axe. A menu would close. */
const KEEP_TOAST = `document.querySelector('ol li[data-state=open]') && window.dispatchEvent(new Event('blur'))`

/** All sizes are multiples of the root's. The document has no root before its first element is parsed. */
const LARGE_TEXT = `new MutationObserver((_, observer) => {
  document.documentElement.style.fontSize = '200%'
  observer.disconnect()
}).observe(document, { childList: true })`

/** Marks the shell of a member's page, which has the heading of its screen, before React replaces it. */
const MARK_SHELL = `document.addEventListener('DOMContentLoaded', () => {
  for (const one of document.querySelectorAll('#root:not([data-page]) > *')) one.dataset.shell = ''
})`

/** Pages have no service worker here, and headless Chromium denies notifications. */
const CAN_PUSH = `
  const registration = { active: {}, pushManager: { getSubscription: async () => null } }
  Object.defineProperty(Notification, 'permission', { get: () => 'default' })
  Object.defineProperty(navigator.serviceWorker, 'ready', { get: async () => registration })
  navigator.serviceWorker.getRegistration = async () => registration`

async function answer(context: BrowserContext, name: string, stub: Stub): Promise<void> {
  const [method, pattern = ''] = name.split(' ')
  const path = new RegExp(`^${pattern.replace(/:\w+/g, '[^/]+')}$`)
  await context.route(
    ({ pathname }) => path.test(pathname),
    async (route) => {
      if (route.request().method() !== method) return route.fallback()
      if (stub !== 'never') await route.fulfill({ status: stub.status ?? 200, json: stub.json })
    },
  )
}

const FIRST_SCREEN = new RegExp(
  `<script type="application/json" id="${INITIAL_DATA_ID}">.*?</script>`,
  's',
)

/** Text waits for its font, however late that arrives; a state with reads of its own gets none of the product. */
async function preparePage(context: BrowserContext, { path, stubs = {} }: State): Promise<void> {
  const hasReads = Object.keys(stubs).some((name) => name.startsWith('GET '))
  const [pathname] = path.split('?')
  await context.route(
    (url) => url.pathname === pathname || url.pathname.endsWith('.css'),
    async (route) => {
      const response = await route.fetch()
      const text = (await response.text()).replaceAll('font-display:swap', 'font-display:block')
      const body = hasReads ? text.replace(FIRST_SCREEN, '') : text
      await route.fulfill({ response, body })
    },
  )
}

async function openState(
  browser: Browser,
  shot: Shot,
  { url, signIns, scale }: Site,
): Promise<Page> {
  const { state, window, language } = shot
  const context = await browser.newContext({
    baseURL: url,
    viewport: window,
    deviceScaleFactor: scale ?? 1,
    locale: language,
    reducedMotion: 'reduce',
    // Its requests would bypass the stubs.
    serviceWorkers: 'block',
    storageState: state.as && signIns.get(state.as),
  })
  context.setDefaultTimeout(LIMIT_MS)
  // The choice on the device counts more than the one that the server keeps for the member.
  await context.addInitScript(`localStorage.setItem('language', '${language}')`)
  await context.addCookies([{ name: LANGUAGE_COOKIE, value: language, url }])
  await preparePage(context, state)
  for (const [route, stub] of Object.entries(state.stubs ?? {})) {
    await answer(context, route, stub)
  }
  const page = await context.newPage()
  if (state.shell) await page.route('**/assets/start-*.js', () => {})
  else await context.addInitScript(MARK_SHELL)
  if (state.canPush) await context.addInitScript(CAN_PUSH)
  if (state.largeText) await context.addInitScript(LARGE_TEXT)
  if (state.withoutSocket) await page.routeWebSocket(/socket\.io/, (socket) => socket.close())
  return page
}

/** A prerendered page loads its code when it is used. */
async function use(page: Page): Promise<void> {
  // The status page is one of the gateway, without our code.
  if ((await page.locator('#root').count()) === 0) return
  await page.evaluate(`document.dispatchEvent(new Event('touchstart'))`)
  await page.locator('#root:not([data-page])').waitFor({ state: 'attached' })
}

const isWaiting = ({ loading, shell }: State): boolean => loading !== undefined || shell === true

async function settle(page: Page, state: State): Promise<void> {
  await page
    .locator(state.loading === 'page' ? 'main' : 'main :is(h1, [role=alert])')
    .first()
    .waitFor()
  const skeleton = page.locator('.animate-shimmer').first()
  if (!isWaiting(state)) await skeleton.waitFor({ state: 'detached' })
  await page.evaluate(DRAWN)
}

async function findings(page: Page, state: State): Promise<string[]> {
  // A modal dialog hides the heading of the page from everyone, and a page that waits has none yet.
  const hasHeading = state.loading !== 'page' && (await page.locator('[role=dialog]').count()) === 0
  const violations = await accessibilityViolations(
    page,
    ...(hasHeading ? [] : ['page-has-heading-one']),
  )
  const words = await brokenWords(page)
  const stray = await strayTexts(page)
  const pixels = await sidewaysScroll(page)
  return [
    ...violations.flatMap(({ rule, nodes }) => nodes.map((node) => `${rule}: ${node}`)),
    ...words.map((word) => `broken word: ${word}`),
    ...stray.map((text) => `outside its panel: ${text}`),
    ...(pixels > 0 ? [`scrolls sideways by ${pixels} px`] : []),
  ]
}

/** Waits for the reads of what comes into sight while `show` runs. */
async function withReads(page: Page, show: () => Promise<void>): Promise<void> {
  const reads: Promise<unknown>[] = []
  const add = (request: Request) => void reads.push(request.response().catch(() => null))
  page.on('request', add)
  await show()
  page.off('request', add)
  await Promise.all(reads)
}

/** In a window as tall as the page, because the header and the navigation stick to its edges. */
async function takeWholePage(page: Page, { window, state }: Shot, file: string): Promise<void> {
  const enlarge = async () => {
    const height = await page.evaluate<number>('document.documentElement.scrollHeight')
    await page.setViewportSize({ ...window, height: Math.max(window.height, height) })
    await page.evaluate(DRAWN)
  }
  await (isWaiting(state) ? enlarge() : withReads(page, enlarge))
  await page.evaluate(DRAWN)
  await page.screenshot({ path: file, animations: 'disabled' })
}

export async function takePicture(browser: Browser, shot: Shot, site: Site): Promise<string[]> {
  const { state } = shot
  const page = await openState(browser, shot, site)
  const file = path.join(site.folder, pathOf(shot))
  const found: string[] = []
  try {
    // A page that waits for its code does not report its load.
    await page.goto(state.path, { waitUntil: state.shell ? 'commit' : 'load' })
    if (!state.shell) await use(page)
    if (state.as && !state.shell) {
      await page.locator('#root > :not([data-shell])').first().waitFor({ state: 'attached' })
    }
    await settle(page, state)
    if (state.as && !isWaiting(state) && !state.withoutSocket) {
      // The connection is live: its badge has its last width.
      await page.locator('header .animate-pulse-dot').waitFor()
    }
    await state.act?.(page)
    await settle(page, state)
    await page.evaluate(KEEP_TOAST)
    await page.screenshot({ path: `${file}.png`, animations: 'disabled' })
    found.push(...(await findings(page, state)))
    if (state.whole) await takeWholePage(page, shot, `${file}-whole.png`)
  } catch (error) {
    found.push(`not reached: ${error instanceof Error ? error.message : error}`)
    await page.screenshot({ path: `${file}.png` }).catch(() => {})
  }
  await page.context().close()
  return found
}
