import { setTimeout as sleep } from 'node:timers/promises'
import type { Page } from 'playwright-core'
import { describe, expect, it } from 'vitest'
import {
  button,
  connection,
  identity,
  openAs,
  seeToast,
  signInByApi,
} from '#client/e2e/testing/actions.ts'
import { REFUSE_SERVICE_WORKER, useJourney } from '#client/e2e/testing/journey.ts'
import { COUNT_VIOLATIONS, watch } from '#client/e2e/testing/watch-page.ts'

/** The text of the page that the service worker has cached for every member. */
const CACHED_PAGE = `caches.match('/').then((page) => page.text())`

/** Less than `PUSH_WINDOW_MS` of `client/live/team-push.ts`. */
const TOGETHER_MS = 1_500

/**
 * Puts off the timers of the first poll, 2.5 to 3 s after a page has loaded, and of the check 20 s after its
 * socket opened: on a busy machine they end before the page has read what it shows.
 */
const PUT_OFF_READS = `
  const setTimer = window.setTimeout
  window.setTimeout = (run, ms, ...rest) =>
    setTimer(run, ms === 20_000 || (ms >= 2_500 && ms <= 3_100) ? 60_000 : ms, ...rest)`

/** Collects when pushes about the team arrive on sockets that the page opens from now on. */
function teamPushTimes(page: Page): number[] {
  const times: number[] = []
  page.on('websocket', (socket) =>
    socket.on('framereceived', ({ payload }) => {
      if (String(payload).includes('"team":true')) times.push(Date.now())
    }),
  )
  return times
}

/**
 * Makes the clock of a page stand still. A socket that opens more than 5 s after its page makes the page
 * read again, as it should, and a busy machine can be so slow.
 */
async function stopClock(page: Page): Promise<void> {
  await page.clock.setFixedTime(Date.now())
  await page.addInitScript(PUT_OFF_READS)
}

async function openAtOnce(page: Page, path: string): Promise<void> {
  await page.goto(path)
  await connection(page, 'Live').waitFor()
  await page.waitForLoadState('networkidle')
}

describe('reads and console', () => {
  const journey = useJourney({}, { serviceWorker: true })
  const lena = identity('lena')
  let used: Page

  /** An empty tab of a browser that is signed in, has loaded nothing and refuses a service worker. */
  async function openFirst(): Promise<Page> {
    const page = await journey.open('about:blank')
    await signInByApi(journey, page, lena.username)
    await page.addInitScript(REFUSE_SERVICE_WORKER)
    return page
  }

  it('the page of a visitor asks nobody who is signed in and logs no error', async () => {
    const page = await journey.open('about:blank')
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
    used = await openAs(journey, lena.username, '/mine')
    await stopClock(used)
    const seen = watch(used)
    for (const path of ['/mine', '/wallet', '/team', '/tasks']) {
      // Ends the page before, which may still read what it shows late, such as the first steps.
      await used.goto('about:blank')
      seen.reset()
      await openAtOnce(used, path)
      // None if the page came from the network, one if it came from the service worker.
      expect(seen.count('/api/user')).toBeLessThanOrEqual(1)
      expect(seen.twice()).toEqual([])
    }
    expect(seen.errors).toEqual([])
  })

  it('the page that the service worker caches holds no data of a member', async () => {
    await used.evaluate('navigator.serviceWorker.ready.then(() => {})')
    const cached = await used.evaluate<string>(CACHED_PAGE)
    expect(cached).toContain('<div id="root"></div>')
    expect(cached).not.toContain(lena.username)
    await used.close()
  })

  it('a page that holds the first screen reads nothing of it again', async () => {
    const held = {
      '/mine': ['/api/mining/status', '/api/wallet', '/api/referral/info'],
      '/wallet': ['/api/mining/status', '/api/wallet'],
      '/team': ['/api/mining/status', '/api/referral/info'],
      '/tasks': ['/api/mining/status', '/api/tasks', '/api/tasks/completed'],
      '/network': ['/api/mining/status', '/api/network'],
    }
    for (const [path, urls] of Object.entries(held)) {
      const page = await openFirst()
      await page.addInitScript(COUNT_VIOLATIONS)
      await stopClock(page)
      const seen = watch(page)
      await openAtOnce(page, path)
      const read = ['/api/user', ...urls].filter((url) => seen.count(url) > 0)
      expect({ path, read }).toEqual({ path, read: [] })
      expect(await page.evaluate('document.getElementById("initial-data")')).toBeNull()
      expect(await page.evaluate('window.violations')).toBe(0)
      expect(seen.errors).toEqual([])
      await page.context().close()
    }
  })

  it('a command on Team reads each resource once', async () => {
    const page = await openFirst()
    const pushes = teamPushTimes(page)
    await stopClock(page)
    await openAtOnce(page, '/team')
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
    // Ends reads that were on their way.
    await page.goto('about:blank')
    const seen = watch(page)
    await page.goto('/auth')
    await page.getByRole('tab', { name: 'Login' }).waitFor()
    await page.waitForLoadState('networkidle')
    expect(seen.count('/api/user')).toBe(0)
    expect(seen.errors).toEqual([])
  })
})
