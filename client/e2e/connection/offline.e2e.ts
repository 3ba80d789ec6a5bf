import type { Page } from 'playwright-core'
import { describe, expect, it } from 'vitest'
import {
  asset,
  button,
  connection,
  goTo,
  identity,
  openAs,
  signIn,
} from '#client/e2e/testing/actions.ts'
import { expectMatchesDatabase } from '#client/e2e/testing/expect-matches-database.ts'
import { useJourney } from '#client/e2e/testing/journey.ts'
import { reportTime, useNetwork } from '#client/e2e/testing/network.ts'
import { INTERVAL_MS } from '#rules/constants'
import { advance } from '#scripts/testing/db/clock'
import { expectCleanAudit } from '#scripts/testing/gateway/expect-clean-audit'

/** Everything that the browser stores for this origin and a page can read, as one text. */
const KEPT = `(async () => {
  const files = []
  for (const name of await caches.keys())
    for (const { url } of await (await caches.open(name)).keys()) files.push(url)
  const databases = (await indexedDB.databases()).map(({ name }) => name)
  const stores = [{ ...localStorage }, { ...sessionStorage }]
  return JSON.stringify([stores, document.cookie, files, databases])
})()`

describe('offline start', () => {
  const journey = useJourney({}, { gateways: 2, serviceWorker: true })
  const network = useNetwork(journey)
  const [omar, otto] = [identity('omar'), identity('otto')]
  let page: Page

  const db = () => journey.product.db
  const kept = async () => (await page.evaluate<string>(KEPT)).replaceAll('\\', '')
  const lose = () => {
    network.proxy.set({ refusing: true })
    network.proxy.cut()
  }
  /** Closes the page and opens a new one in the same browser context. */
  const openAgain = async (path: string) => {
    const opened = await journey.openTab(page, path)
    await page.close()
    page = opened
  }
  const menu = (name: string) => page.getByRole('menuitem', { name, exact: true })

  it('the service worker and the last snapshots are stored while online', async () => {
    for (const who of [omar, otto]) await network.visitor().register(who)
    page = await openAs(journey, omar.username, '/mine')
    await button(page, 'Start mining').click()
    await page.getByText('Mining Active').waitFor()
    await advance(db(), INTERVAL_MS)
    await expectMatchesDatabase(page, db(), omar.username)
    await page.evaluate('navigator.serviceWorker.ready.then(() => {})')
    await goTo(page, 'Wallet')
    await expect.poll(kept).toContain('"balance":"0.03333333"')
    await goTo(page, 'Team')
    await page.getByText('No referred members yet').waitFor()
    await goTo(page, 'Tasks')
    // The headings are there before the data.
    await page.getByRole('tablist').waitFor()
    await page.goto('/network')
    await page.getByText('Block Height').first().waitFor()
    await expect.poll(kept).toContain('"blockHeight"')
  })

  it('an offline start shows the last known values with their age', async () => {
    lose()
    const since = Date.now()
    await openAgain('/wallet')
    await asset(page, 'TESP').getByText('0.0333').waitFor()
    reportTime('offline start: wallet shown after', Date.now() - since)
    await connection(page, 'Offline').waitFor()
    await page.getByText(/^Last known .* ago$/).waitFor()
    await goTo(page, 'Mine')
    await page.getByRole('heading', { name: 'Hello, omar!' }).waitFor()
    await page.getByText(/^Last known .* ago$/).waitFor()
    expect(await button(page, 'Stop mining').isVisible()).toBe(true)
    await goTo(page, 'Team')
    await page.getByText('No referred members yet').waitFor()
    await goTo(page, 'Tasks')
    // The headings are there before the data.
    await page.getByRole('tablist').waitFor()
    await page.goto('/network')
    await page.getByText('Block Height').first().waitFor()
    await page.goto('/account?view=security')
    await page.getByRole('heading', { name: 'Sign-ins' }).waitFor()
    expect(await page.getByRole('alert').count()).toBe(0)
    await openAgain('/mine')
    await page.getByText('Mining Active').waitFor()
  })

  it('an offline start becomes live and correct when the network returns', async () => {
    await advance(db(), INTERVAL_MS)
    await expect
      .poll(async () => (await db()('wallets').where({ balance: '0.06666666' })).length)
      .toBe(1)
    network.proxy.set({})
    const backAt = Date.now()
    await expectMatchesDatabase(page, db(), omar.username)
    await connection(page, 'Live').waitFor()
    reportTime('offline start: live and correct after the return within', Date.now() - backAt)
    await page.getByText(/^Last known/).waitFor({ state: 'detached' })
  })

  it('logout removes all stored data of the member', async () => {
    await expect.poll(kept).toContain('0.06666666')
    await button(page, 'omar').click()
    await menu('Logout').click()
    await page.waitForURL('/auth')
    await page.getByText('Logged out', { exact: true }).waitFor()
    const left = await kept()
    for (const trace of ['omar', '0.0666', 'balance', '/api/', 'credit:']) {
      expect(left).not.toContain(trace)
    }
    lose()
    await openAgain('/wallet')
    await page.getByRole('button').first().waitFor()
    const shown = await page.evaluate<string>('document.body.innerText')
    for (const trace of ['omar', '0.0666']) expect(shown).not.toContain(trace)
    network.proxy.set({})
  })

  it('the next member of the browser sees no data of the previous one', async () => {
    await openAgain('/auth')
    await signIn(page, otto.username)
    await page.waitForURL('/mine')
    await connection(page, 'Live').waitFor()
    await goTo(page, 'Wallet')
    await asset(page, 'TESP').getByText('0.0000').waitFor()
    await expect.poll(kept).toContain('"balance":"0.00000000"')
    lose()
    await openAgain('/wallet')
    await asset(page, 'TESP').getByText('0.0000').waitFor()
    await connection(page, 'Offline').waitFor()
    await goTo(page, 'Mine')
    await page.getByRole('heading', { name: 'Hello, otto!' }).waitFor()
    for (const trace of ['omar', '0.0666']) expect(await kept()).not.toContain(trace)
    await expectCleanAudit(journey.product)
  })
})
