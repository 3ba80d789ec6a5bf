import { setTimeout as sleep } from 'node:timers/promises'
import type { Page } from 'playwright-core'
import { describe, expect, it } from 'vitest'
import { button, connection, countToasts, identity, openAs } from '#client/e2e/testing/actions.ts'
import { expectMatchesDatabase } from '#client/e2e/testing/expect-matches-database.ts'
import { useJourney } from '#client/e2e/testing/journey.ts'
import { reportTime, useNetwork } from '#client/e2e/testing/network.ts'
import { INTERVAL_MS, MINUTE_MS } from '#rules/constants'
import { advance } from '#scripts/testing/db/clock'
import { expectCleanAudit } from '#scripts/testing/gateway/expect-clean-audit'

const REWARD_TITLE = 'TESP has been added to your wallet!'

/**
 * Pauses all scripts of a page, as a sleeping device does, until the returned function is called.
 * Headless Chromium ignores `Page.setWebLifecycleState`, so the debugger pauses the page.
 */
async function pauseScripts(page: Page): Promise<() => Promise<unknown>> {
  const session = await page.context().newCDPSession(page)
  await session.send('Debugger.enable')
  const paused = new Promise((resolve) => session.once('Debugger.paused', resolve))
  await session.send('Debugger.pause')
  await paused
  return () => session.send('Debugger.disable')
}

describe('several devices', () => {
  // With these heartbeats a gateway drops the socket of a sleeping page within 3 s.
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
  /** Waits until all screens show the text and reports the time. */
  const seeEverywhere = async (what: string, text: string) => {
    const since = Date.now()
    await Promise.all(screens().map((page) => page.getByText(text, { exact: true }).waitFor()))
    reportTime(`devices: ${what} is on every screen after`, Date.now() - since)
  }
  const paid = async (id: string) => (await db()('wallet_activity').whereLike('id', id)).length
  const expectAllMatchDatabase = () =>
    Promise.all(screens().map((page) => expectMatchesDatabase(page, db(), dora.username)))

  it('two tabs and a second device are live over both gateways', async () => {
    await network.visitor().register(dora)
    tab = await openAs(journey, dora.username, '/mine')
    otherTab = await journey.openTab(tab, '/mine')
    device = await openAs(journey, dora.username, '/mine')
    await connection(otherTab, 'Live').waitFor()
    const standing = () => network.proxy.upgrades.filter(({ open }) => open)
    await expect.poll(() => standing().length).toBe(screens().length)
    const gateways = async () => {
      const { size } = new Set(standing().map(({ port }) => port))
      // The proxy balances by request count, so a reload may reach the other gateway.
      if (size < 2) await device.reload()
      await connection(device, 'Live').waitFor()
      return size
    }
    await expect.poll(gateways).toBe(2)
    await expect.poll(() => standing().length).toBe(screens().length)
  })

  it('start, stop and claim appear on every screen of the member', async () => {
    await button(tab, 'Start mining').click()
    await seeEverywhere('a start', 'Mining Active')
    await advance(db(), 10 * MINUTE_MS)
    await button(device, 'Stop mining').click()
    await seeEverywhere('a stop', 'Mining Inactive')
    await expectAllMatchDatabase()
    await button(otherTab, 'Claim Rewards').click()
    const since = Date.now()
    await expect.poll(() => paid('claim:%')).toBeGreaterThan(0)
    await expectAllMatchDatabase()
    reportTime('devices: a claim is on every screen after', Date.now() - since)
  })

  it('a simultaneous start on two devices takes effect once', async () => {
    journey.allow(/status of 409 .*\/api\/mining\/start$/)
    const press = (found: unknown, ms: number) =>
      new Promise<void>((resolve) => {
        const click = () => {
          const dial = found as { textContent: string; click(): void }
          if (dial.textContent.includes('Start mining')) dial.click()
          resolve()
        }
        setTimeout(click, ms - Date.now())
      })
    const dials = await Promise.all(
      [tab, device].map((page) => button(page, 'Start mining').elementHandle()),
    )
    // A click of the driver that comes after the push of the other start would press Stop.
    const at = Date.now() + 500
    await Promise.all(dials.map((dial) => dial?.evaluate(press, at)))
    await seeEverywhere('a double start', 'Mining Active')
    const active = async () => (await db()('mining_sessions').where({ active: true })).length
    await expect.poll(active).toBe(1)
  })

  it('a device that slept shows the credit it missed', async () => {
    const standing = () => network.proxy.upgrades.filter(({ open }) => open).length
    const wake = await pauseScripts(tab)
    await expect.poll(standing).toBe(2)
    await advance(db(), INTERVAL_MS)
    await expect.poll(() => paid('credit:%')).toBeGreaterThan(0)
    await expectMatchesDatabase(device, db(), dora.username)
    await sleep(1_000)
    await wake()
    const since = Date.now()
    reportTime(
      'sleep: screen matches the database after',
      await expectMatchesDatabase(tab, db(), dora.username),
    )
    await expect.poll(standing).toBe(3)
    reportTime('sleep: socket open again within', Date.now() - since)
    await connection(tab, 'Live').waitFor()
    expect(await countToasts(tab, REWARD_TITLE)).toBeLessThanOrEqual(1)
    await expectAllMatchDatabase()
    await expectCleanAudit(journey.product)
  })
})
