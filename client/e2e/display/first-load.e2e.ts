import { setTimeout as sleep } from 'node:timers/promises'
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
import { layoutShifts, RECORD_SHIFTS } from '#client/e2e/testing/layout-shift.ts'

/** Records console messages and API reads of a page from now on. */
function watch(page: Page) {
  const errors: string[] = []
  const reads: string[] = []
  page.on('console', (message) => {
    if (message.type() === 'error') errors.push(`${message.text()} ${message.location().url}`)
  })
  page.on('request', (request) => {
    const { pathname } = new URL(request.url())
    if (pathname.startsWith('/api/') && request.method() === 'GET') reads.push(pathname)
  })
  return {
    errors,
    count: (path: string) => reads.filter((one) => one === path).length,
    reset: () => void reads.splice(0),
    twice: () => reads.filter((one, index) => reads.indexOf(one) !== index),
  }
}

/** Counts blocked content of a page, such as a script that the Content Security Policy forbids. */
const COUNT_VIOLATIONS = `
  window.violations = 0
  document.addEventListener('securitypolicyviolation', () => { window.violations += 1 })`

/** The text of the page that the service worker has cached for every member. */
const CACHED_PAGE = `caches.match('/').then((page) => page.text())`

/** Less than `PUSH_WINDOW_MS` of `client/live/team-push.ts`. */
const TOGETHER_MS = 1_500

/** Collects when pushes about the team arrive on sockets that the page opens from now on. */
/** Ms from the start of a page to its socket up to which the page reads nothing twice (`live.ts`). */
const JUST_READ_MS = 5_000

function teamPushTimes(page: Page): number[] {
  const times: number[] = []
  page.on('websocket', (socket) =>
    socket.on('framereceived', ({ payload }) => {
      if (String(payload).includes('"team":true')) times.push(Date.now())
    }),
  )
  return times
}

describe('reads and console', () => {
  const journey = useJourney()
  const lena = identity('lena')

  it('the page of a visitor asks nobody who is signed in and logs no error', async () => {
    const page = await journey.open('/auth')
    const seen = watch(page)
    for (const path of ['/auth', '/wallet', '/reset-password']) {
      await page.goto(path)
      await page.getByRole('heading').first().waitFor()
      await page.waitForLoadState('networkidle')
    }
    expect(seen.errors).toEqual([])
    expect(seen.count('/api/user')).toBe(0)
    await page.close()
  })

  it('a page load reads each resource once', async () => {
    await journey.visitor().register(lena)
    const page = await openAs(journey, lena.username, '/mine')
    await connection(page, 'Live').waitFor()
    const seen = watch(page)
    for (const path of ['/mine', '/wallet', '/team', '/tasks']) {
      // On a busy machine the socket may open so late that the page reads again, as it should.
      let openedAfterMs: number
      do {
        seen.reset()
        const from = Date.now()
        await page.goto(path)
        await connection(page, 'Live').waitFor()
        openedAfterMs = Date.now() - from
      } while (openedAfterMs > JUST_READ_MS)
      await page.waitForLoadState('networkidle')
      // None if the page came from the network, one if it came from the service worker.
      expect(seen.count('/api/user')).toBeLessThanOrEqual(1)
      expect(seen.twice()).toEqual([])
    }
    expect(seen.errors).toEqual([])
    await page.close()
  })

  it('a page that holds the first screen reads nothing of it again', async () => {
    const signedIn = await openAs(journey, lena.username, '/mine')
    const { cookies } = await signedIn.context().storageState()
    await signedIn.close()
    const held = {
      '/mine': ['/api/mining/status', '/api/wallet', '/api/referral/info'],
      '/wallet': ['/api/mining/status', '/api/wallet'],
      '/team': ['/api/mining/status', '/api/referral/info'],
      '/tasks': ['/api/mining/status', '/api/tasks/completed'],
      '/network': ['/api/mining/status', '/api/network'],
    }
    for (const [path, urls] of Object.entries(held)) {
      // A first visit, which no service worker answers.
      const page = await journey.open('about:blank', { storageState: { cookies, origins: [] } })
      await page.addInitScript(COUNT_VIOLATIONS)
      const seen = watch(page)
      await page.goto(path)
      await connection(page, 'Live').waitFor()
      await page.waitForLoadState('networkidle')
      const read = ['/api/user', ...urls].filter((url) => seen.count(url) > 0)
      expect({ path, read }).toEqual({ path, read: [] })
      expect(await page.evaluate('document.getElementById("first-screen")')).toBeNull()
      expect(await page.evaluate('window.violations')).toBe(0)
      expect(seen.errors).toEqual([])
      await page.context().close()
    }
  })

  it('the page that the service worker caches holds no data of a member', async () => {
    const page = await openAs(journey, lena.username, '/mine')
    await page.evaluate('navigator.serviceWorker.ready.then(() => {})')
    const cached = await page.evaluate<string>(CACHED_PAGE)
    expect(cached).toContain('<div id="root"></div>')
    expect(cached).not.toContain(lena.username)
    await page.close()
  })

  it('a command on Team reads each resource once', async () => {
    const page = await openAs(journey, lena.username, '/mine')
    const pushes = teamPushTimes(page)
    await page.goto('/team')
    await connection(page, 'Live').waitFor()
    await page.waitForLoadState('networkidle')
    const seen = watch(page)
    const answer = page.waitForResponse('**/api/referral/generate-code')
    await button(page, 'Generate referral code').click()
    await answer
    const answeredAt = Date.now()
    await seeToast(page, 'Success!')
    await expect.poll(() => pushes.length).toBe(1)
    await expect.poll(() => seen.count('/api/referral/info')).toBeGreaterThan(0)
    // Longer than a second read would take to begin.
    await sleep(1_000)
    // Answer and push share a read if they come together; on a slow machine they may not.
    const isLate = Math.abs((pushes[0] ?? 0) - answeredAt) > TOGETHER_MS
    expect(seen.count('/api/referral/info')).toBeLessThanOrEqual(isLate ? 2 : 1)
    expect(seen.twice().filter((path) => path !== '/api/referral/info')).toEqual([])
    await page.close()
  })

  it('a logout leaves a page that asks nothing', async () => {
    const page = await openAs(journey, lena.username, '/mine')
    await button(page, lena.username).click()
    await page.getByRole('menuitem', { name: 'Logout' }).click()
    await page.waitForURL('/auth')
    const seen = watch(page)
    await page.reload()
    await page.getByRole('tab', { name: 'Login' }).waitFor()
    await page.waitForLoadState('networkidle')
    expect(seen.count('/api/user')).toBe(0)
    expect(seen.errors).toEqual([])
  })
})

describe('the prerendered sign-in page', () => {
  const journey = useJourney()
  const mia = identity('mia')

  it('the sign-in page is readable without JavaScript', async () => {
    const page = await journey.open('/auth', { javaScriptEnabled: false })
    await page.getByRole('heading', { name: 'TESP Network' }).waitFor()
    await page.getByLabel('Username or email').waitFor()
    expect(await page.content()).toContain('<noscript>TESP Network needs JavaScript to run.')
    await page.context().close()
  })

  it('React takes the sign-in page over as it is', async () => {
    const page = await journey.open('about:blank')
    await page.addInitScript(COUNT_VIOLATIONS)
    const seen = watch(page)
    await page.goto('/auth')
    // An element that React had created again would be another one.
    const before = await page.getByLabel('Username or email').elementHandle()
    await page.getByLabel('Username or email').focus()
    await page.waitForLoadState('networkidle')
    await button(page, 'Show password').click()
    await button(page, 'Hide password').waitFor()
    const after = await page.getByLabel('Username or email').elementHandle()
    expect(await page.evaluate(([one, other]) => one === other, [before, after])).toBe(true)
    expect(seen.errors).toEqual([])
    expect(await page.evaluate('window.violations')).toBe(0)
    await page.context().close()
  })

  it('a login that is pressed before its code is loaded happens when it is', async () => {
    await journey.visitor().register(mia)
    const page = await journey.open('about:blank')
    let release = () => {}
    const held = new Promise<void>((resolve) => {
      release = resolve
    })
    await page.route('**/assets/start-*.js', async (route) => {
      await held
      await route.continue()
    })
    await page.goto('/auth')
    await page.getByLabel('Username or email').fill(mia.username)
    await page.getByLabel('Password', { exact: true }).fill(mia.password)
    await button(page, 'Login', true).click()
    expect(new URL(page.url()).search).toBe('')
    release()
    await page.waitForURL('/mine')
    await page.context().close()
  })

  // Browsers tie passkeys to a domain, so an IP address has none.
  it.each([
    ['localhost', true],
    ['127.0.0.1', false],
  ])('the passkey button on %s is shown before the page is used: %s', async (host, isShown) => {
    const page = await journey.open('about:blank')
    await page.addInitScript(RECORD_SHIFTS)
    await page.goto(`${journey.url.replace('127.0.0.1', host)}/auth`)
    await page.waitForLoadState('networkidle')
    const passkey = button(page, 'Log in with a passkey')
    expect(await page.locator('#root[data-page]').count()).toBe(1)
    expect(await passkey.isVisible()).toBe(isShown)
    await page.getByLabel('Username or email').focus()
    await interactive(page)
    expect(await passkey.isVisible()).toBe(isShown)
    // Where there are none the footer moves if the page is painted before the entry runs.
    if (isShown) expect(await layoutShifts(page)).toEqual([])
    await page.context().close()
  })

  it('a referral link opens the registration with its code', async () => {
    const page = await journey.open('/auth?ref=TESPABC234')
    await expect.poll(() => page.getByLabel('Referral code').inputValue()).toBe('TESPABC234')
    await page.context().close()
  })
})

/** Collects every text that the page shows from its first HTML on, as `window.shownTexts`. */
const RECORD_TEXTS = `
  window.shownTexts = new Set()
  const record = () => {
    if (document.body) window.shownTexts.add(document.body.innerText)
  }
  new MutationObserver(record).observe(document, { childList: true, subtree: true, characterData: true })`

describe('the first page in the language of the visitor', () => {
  const journey = useJourney()
  const minh = identity('minh')
  const shown = async (page: Page) =>
    (await page.evaluate<string[]>('[...window.shownTexts]')).join('\n')

  it('the sign-in page of a Vietnamese browser is never in English', async () => {
    const page = await journey.open('about:blank', { locale: 'vi-VN' })
    await page.addInitScript(RECORD_TEXTS)
    const seen = watch(page)
    await page.goto('/auth')
    await page.getByLabel('Tên người dùng hoặc email').focus()
    await interactive(page)
    expect(await shown(page)).toContain('Quên mật khẩu')
    expect(await shown(page)).not.toContain('Forgot password')
    expect(seen.errors).toEqual([])
    await page.context().close()
  })

  it('the choice on the device decides the language of the next page', async () => {
    const page = await journey.open('/auth', { locale: 'vi-VN' })
    await button(page, 'English').click()
    await page.getByLabel('Username or email').waitFor()
    await page.addInitScript(RECORD_TEXTS)
    await page.reload()
    await page.getByLabel('Username or email').focus()
    await interactive(page)
    expect(await shown(page)).not.toContain('Quên mật khẩu')
    await page.context().close()
  })

  it('the shell and the screen of a Vietnamese member are never in English', async () => {
    await journey.visitor().register(minh)
    const signedIn = await openAs(journey, minh.username, '/mine')
    const { cookies } = await signedIn.context().storageState()
    await signedIn.close()
    const { db } = journey.product
    await db('users').where({ username: minh.username }).update({ language: 'vi' })
    const page = await journey.open('about:blank', { storageState: { cookies, origins: [] } })
    await page.addInitScript(RECORD_TEXTS)
    await page.goto('/mine')
    await page.getByRole('status').filter({ hasText: 'Kết nối: Trực tiếp' }).waitFor()
    expect(await shown(page)).toContain('Xin chào, minh!')
    expect(await shown(page)).not.toContain('Hello, minh!')
    await page.context().close()
  })
})
