import type { Page } from 'playwright-core'
import { describe, expect, it } from 'vitest'
import {
  asset,
  button,
  connection,
  countToasts,
  figure,
  goTo,
  identity,
  seeToast,
  signInByApi,
} from '#client/e2e/testing/actions.ts'
import { useJourney } from '#client/e2e/testing/journey.ts'
import { INTERVAL_MS } from '#rules/constants'
import { advance } from '#scripts/testing/db/clock'

const REWARD_TITLE = 'TESP has been added to your wallet!'

describe('polling fallback', () => {
  const journey = useJourney()
  const bob = identity('bob')
  let page: Page
  let blocked = true

  const nextPoll = () => page.waitForResponse(/\/api\/mining\/status$/)
  const balance = () => asset(page, 'TESP')

  it('the status polls when WebSockets are blocked', async () => {
    await journey.visitor().register(bob)
    page = await journey.open('about:blank')
    await page.routeWebSocket(/\/socket\.io\//, (socket) => {
      if (blocked) socket.close()
      else socket.connectToServer()
    })
    await signInByApi(journey, page, bob.username)
    await page.goto('/mine')
    await connection(page, 'Polling').waitFor()
    await button(page, 'Start mining').click()
    await page.getByText('Mining Active').waitFor()
    const time = figure(page, 'Time')
    await expect.poll(() => time.textContent()).toMatch(/^00:\d\d:(?!00)\d\d$/)
  })

  it('a polled credit shows one toast', async () => {
    await goTo(page, 'Wallet')
    await balance().getByText('0.0000').waitFor()
    await advance(journey.product.db, INTERVAL_MS)
    await seeToast(page, REWARD_TITLE)
    await balance().getByText('0.0333').waitFor()
    await nextPoll()
    expect(await countToasts(page, REWARD_TITLE)).toBe(1)
    await connection(page, 'Polling').waitFor()
  })

  it('last known values stay visible with their age while offline', async () => {
    journey.allow(/ERR_INTERNET_DISCONNECTED/)
    await page.context().setOffline(true)
    await connection(page, 'Offline').waitFor()
    await page.getByText(/^Last known [1-5]\d s ago$/).waitFor()
    await balance().getByText('0.0333').waitFor()
    await goTo(page, 'Mine')
    await page.getByText('Mining Active').waitFor()
    await page.getByText(/^Last known \d\d s ago$/).waitFor()
  })

  it('the client is live again when WebSockets are allowed', async () => {
    blocked = false
    await page.context().setOffline(false)
    await connection(page, 'Live').waitFor()
    await page.getByText(/^Last known/).waitFor({ state: 'detached' })
    expect(await countToasts(page, REWARD_TITLE)).toBe(1)
  })

  it('a live client shows Offline when the network is cut', async () => {
    await page.context().setOffline(true)
    await connection(page, 'Offline').waitFor()
    await page.context().setOffline(false)
    await connection(page, 'Live').waitFor()
  })
})
