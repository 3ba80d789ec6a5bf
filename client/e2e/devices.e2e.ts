import { setTimeout as sleep } from 'node:timers/promises'
import type { Page } from 'playwright-core'
import { describe, expect, it } from 'vitest'
import { advance } from '#db/testing/clock'
import { expectCleanAudit } from '#gateway/testing/expect-clean-audit'
import { INTERVAL_MS, MINUTE_MS } from '#rules/constants'
import { button, connection, countToasts, identity, openAs } from './testing/actions.ts'
import { expectTruth } from './testing/expect-matches-database.ts'
import { useJourney } from './testing/journey.ts'
import { tell, useNetwork } from './testing/network.ts'

const REWARD_TITLE = 'TESP has been added to your wallet!'

/**
 * Stops everything that a page runs, as sleep does, until the returned function. Headless Chromium
 * takes no notice of a page's life cycle state (`Page.setWebLifecycleState`); its debugger does.
 */
async function sleepDeeply(page: Page): Promise<() => Promise<unknown>> {
  const session = await page.context().newCDPSession(page)
  await session.send('Debugger.enable')
  const paused = new Promise((resolve) => session.once('Debugger.paused', resolve))
  await session.send('Debugger.pause')
  await paused
  return () => session.send('Debugger.disable')
}

describe('several screens of one member', () => {
  // A gateway notices within 3 s that a page sleeps.
  const journey = useJourney(
    { SOCKET_PING_INTERVAL_MS: '2000', SOCKET_PING_TIMEOUT_MS: '1000' },
    { gateways: 2 },
  )
  const network = useNetwork(journey)
  const dora = identity('dora')
  let tab: Page
  let otherTab: Page
  let device: Page

  const db = () => journey.product.db
  const screens = () => [tab, otherTab, device]
  /** Waits until all screens show it; the time it took is told. */
  const seeEverywhere = async (what: string, text: string) => {
    const since = Date.now()
    await Promise.all(screens().map((page) => page.getByText(text, { exact: true }).waitFor()))
    tell(`devices: ${what} is on every screen after`, Date.now() - since)
  }
  const expectTruthEverywhere = () =>
    Promise.all(screens().map((page) => expectTruth(page, db(), dora.username)))

  it('are live at once: two tabs and another device, over both gateways', async () => {
    await network.visitor().register(dora)
    tab = await openAs(journey, dora.username, '/mine')
    otherTab = await journey.openTab(tab, '/mine')
    device = await openAs(journey, dora.username, '/mine')
    await connection(otherTab, 'Live').waitFor()
    const standing = () => network.proxy.upgrades.filter(({ open }) => open)
    await expect.poll(() => standing().length).toBe(screens().length)
    const gateways = async () => {
      const { size } = new Set(standing().map(({ port }) => port))
      // Which of them a socket falls to depends on what else was asked before; another may differ.
      if (size < 2) await device.reload()
      await connection(device, 'Live').waitFor()
      return size
    }
    await expect.poll(gateways).toBe(2)
    await expect.poll(() => standing().length).toBe(screens().length)
  })

  it('show a start, a stop and a claim, wherever it was pressed', async () => {
    await button(tab, 'Start mining').click()
    await seeEverywhere('a start', 'Mining Active')
    await advance(db(), 10 * MINUTE_MS)
    await button(device, 'Stop mining').click()
    await seeEverywhere('a stop', 'Mining Inactive')
    await expectTruthEverywhere()
    await button(otherTab, 'Claim Rewards').click()
    const since = Date.now()
    await expectTruthEverywhere()
    tell('devices: a claim is on every screen after', Date.now() - since)
  })

  it('take effect once where two press at the same moment', async () => {
    journey.allow(/status of 409 .*\/api\/mining\/start$/)
    await Promise.all([tab, device].map((page) => button(page, 'Start mining').click()))
    await seeEverywhere('a double start', 'Mining Active')
    expect(await db()('mining_sessions').where({ active: true })).toHaveLength(1)
  })

  it('show a credit that came while one of them slept', async () => {
    const standing = () => network.proxy.upgrades.filter(({ open }) => open).length
    const wake = await sleepDeeply(tab)
    await expect.poll(standing).toBe(2)
    await advance(db(), INTERVAL_MS)
    await expectTruth(device, db(), dora.username)
    await sleep(1_000)
    await wake()
    const since = Date.now()
    tell('sleep: the screen is right after', await expectTruth(tab, db(), dora.username))
    await expect.poll(standing).toBe(3)
    tell('sleep: the socket is back within', Date.now() - since)
    await connection(tab, 'Live').waitFor()
    expect(await countToasts(tab, REWARD_TITLE)).toBeLessThanOrEqual(1)
    await expectTruthEverywhere()
    await expectCleanAudit(journey.product)
  })
})
