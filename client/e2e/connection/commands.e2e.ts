import type { Page } from 'playwright-core'
import { describe, expect, it } from 'vitest'
import {
  button,
  connection,
  countToasts,
  identity,
  openAs,
  seeToast,
} from '#client/e2e/testing/actions.ts'
import { expectMatchesDatabase } from '#client/e2e/testing/expect-matches-database.ts'
import { useJourney } from '#client/e2e/testing/journey.ts'
import { useNetwork } from '#client/e2e/testing/network.ts'
import { expectCleanAudit } from '#scripts/testing/gateway/expect-clean-audit'

describe('commands without an answer', () => {
  const journey = useJourney({}, { gateways: 2, serviceWorker: true })
  const network = useNetwork(journey)
  const cora = identity('cora')
  let page: Page
  let tab: Page

  const db = () => journey.product.db
  const lose = () => {
    network.proxy.set({ refusing: true })
    network.proxy.cut()
  }
  const note = (on: Page) => on.getByRole('list', { name: 'Waiting for the server' })
  const sessions = async () =>
    db()('mining_sessions').whereIn(
      'userId',
      db()('users').where({ username: cora.username }).select('id'),
    )

  it('a stop pressed while offline says that it will happen later', async () => {
    await network.visitor().register(cora)
    page = await openAs(journey, cora.username, '/mine')
    await button(page, 'Start mining').click()
    await page.getByText('Mining Active').waitFor()
    await page.evaluate('navigator.serviceWorker.ready.then(() => {})')
    lose()
    await connection(page, 'Offline').waitFor()
    await button(page, 'Stop mining').click()
    await note(page).getByText('Will stop mining when you are back online').waitFor()
    expect(await countToasts(page, 'Failed')).toBe(0)
  })

  it('the stop still waits after a reload and on every screen', async () => {
    await page.reload()
    await note(page).getByText('Will stop mining when you are back online').waitFor()
    await page.getByRole('link', { name: 'Wallet' }).click()
    await note(page).getByText('Will stop mining when you are back online').waitFor()
    expect((await sessions()).map(({ active }) => active)).toEqual([true])
  })

  it('the stop takes effect and is reported when the network returns', async () => {
    network.proxy.set({})
    await seeToast(page, 'Mining was stopped')
    await note(page).waitFor({ state: 'detached' })
    expect((await sessions()).map(({ active }) => active)).toEqual([false])
    await expectMatchesDatabase(page, db(), cora.username)
  })

  it('a start that waits in one tab can be undone in another', async () => {
    await page.getByRole('link', { name: 'Mine' }).click()
    tab = await journey.openTab(page, '/wallet')
    await connection(tab, 'Live').waitFor()
    lose()
    await connection(page, 'Offline').waitFor()
    await button(page, 'Start mining').click()
    await note(page).getByText('Will start mining when you are back online').waitFor()
    await note(tab)
      .getByText(/^Will start mining/)
      .waitFor()
    await note(tab).getByRole('button', { name: 'Undo' }).click()
    await note(page)
      .getByText(/^Undo is confirmed/)
      .waitFor()
    network.proxy.set({})
    await note(page).waitFor({ state: 'detached' })
    expect(await sessions()).toHaveLength(1)
    await expectMatchesDatabase(page, db(), cora.username)
  })

  it('a start continues in another tab after its own tab was closed', async () => {
    lose()
    await connection(page, 'Offline').waitFor()
    await button(page, 'Start mining').click()
    await note(tab)
      .getByText(/^Will start mining/)
      .waitFor()
    await page.close()
    network.proxy.set({})
    await seeToast(tab, 'Mining was started')
    expect((await sessions()).map(({ active }) => active).sort()).toEqual([false, true])
    await expectMatchesDatabase(tab, db(), cora.username)
    await expectCleanAudit(journey.product)
  })
})
