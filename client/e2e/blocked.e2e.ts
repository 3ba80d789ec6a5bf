import type { Page } from 'playwright-core'
import { describe, expect, it } from 'vitest'
import { advance } from '#db/testing/clock'
import { expectCleanAudit } from '#gateway/testing/expect-clean-audit'
import { INTERVAL_MS, MINUTE_MS } from '#rules/constants'
import { button, connection, countToasts, identity, seeToast, signIn } from './testing/actions.ts'
import { expectTruth } from './testing/expect-matches-database.ts'
import { useJourney } from './testing/journey.ts'
import { statesSince, tell, useNetwork, watchHeader } from './testing/network.ts'

const REWARD_TITLE = 'TESP has been added to your wallet!'
/** How long a browser remembers that its network blocks sockets. */
const REMEMBERED_MS = 15 * MINUTE_MS

describe('a network that lets no WebSocket through', () => {
  const journey = useJourney({}, { gateways: 2 })
  const network = useNetwork(journey)
  const bea = identity('bea')
  let page: Page

  const truth = () => expectTruth(page, journey.product.db, bea.username)
  const tries = () => network.proxy.upgrades.length
  const polls = async (count: number) => {
    for (let i = 0; i < count; i++) await page.waitForResponse(/\/api\/mining\/status$/)
  }
  /** What the header has said since the page was loaded; it is looked at now and then. */
  const shown = async () => (await statesSince(page, 0)).filter(Boolean)
  /** Opens the page anew, with a memory of the blocked network that ends that soon. */
  const reloadShortOf = async (ms: number) => {
    await page.evaluate(`localStorage.socketsBlockedAt = Date.now() - ${REMEMBERED_MS - ms}`)
    await page.reload()
  }

  it('is polled through from the first seconds on', async () => {
    await network.visitor().register(bea)
    network.proxy.set({ blocking: true })
    page = await journey.open('/auth')
    await watchHeader(page)
    await signIn(page, bea.username)
    await page.waitForURL('/mine')
    const since = Date.now()
    await connection(page, 'Polling').waitFor()
    tell('blocked: says Polling after', Date.now() - since)
    expect(Date.now() - since).toBeLessThan(6_000)
    expect(await statesSince(page, 0)).not.toContain('Live')
    await button(page, 'Start mining').click()
    await page.getByText('Mining Active').waitFor()
  })

  it('brings a credit with the next poll, and its toast once', async () => {
    const since = Date.now()
    await advance(journey.product.db, INTERVAL_MS)
    await seeToast(page, REWARD_TITLE)
    tell('blocked: a credit is shown after', Date.now() - since)
    await truth()
    expect(await countToasts(page, REWARD_TITLE)).toBe(1)
    expect(await statesSince(page, since)).toEqual(['Polling'])
  })

  it('is remembered: the next load does not try a socket', async () => {
    // A slow machine needs a while until two tries have failed, each beside a poll that was answered.
    await expect.poll(() => page.evaluate('localStorage.socketsBlockedAt')).toBeTruthy()
    const before = tries()
    await page.reload()
    await connection(page, 'Polling').waitFor()
    await polls(1)
    expect(tries()).toBe(before)
    await expect.poll(shown).toEqual(['Polling'])
  })

  it('is tried again later without a word', async () => {
    const before = tries()
    await reloadShortOf(3_000)
    await expect.poll(tries).toBe(before + 1)
    await polls(1)
    await expect.poll(shown).toEqual(['Polling'])
  })

  it('is live as soon as such a try gets through', async () => {
    network.proxy.set({})
    await reloadShortOf(2_000)
    await connection(page, 'Polling').waitFor()
    await connection(page, 'Live').waitFor()
    await truth()
    await expectCleanAudit(journey.product)
  })
})
