import type { Page } from 'playwright-core'
import { describe, expect, it } from 'vitest'
import {
  button,
  connection,
  countToasts,
  identity,
  seeToast,
  signIn,
} from '#client/e2e/testing/actions.ts'
import { expectMatchesDatabase } from '#client/e2e/testing/expect-matches-database.ts'
import { useJourney } from '#client/e2e/testing/journey.ts'
import { reportTime, statesSince, useNetwork, watchHeader } from '#client/e2e/testing/network.ts'
import { INTERVAL_MS, MINUTE_MS } from '#rules/constants'
import { advance } from '#scripts/testing/db/clock'
import { expectCleanAudit } from '#scripts/testing/gateway/expect-clean-audit'

const REWARD_TITLE = 'TESP has been added to your wallet!'
/** How long a browser remembers that its network blocks WebSockets. */
const REMEMBERED_MS = 15 * MINUTE_MS

/** Sets when the remembered block expires, counted from the load of the page, which takes seconds on a busy machine. */
const EXPIRE_BLOCK = `if (sessionStorage.blockExpiresIn) {
  localStorage.socketsBlockedAt = Date.now() - ${REMEMBERED_MS} + Number(sessionStorage.blockExpiresIn)
  delete sessionStorage.blockExpiresIn
}`

describe('blocked WebSockets', () => {
  const journey = useJourney({}, { gateways: 2, serviceWorker: true })
  const network = useNetwork(journey)
  const bea = identity('bea')
  let page: Page

  const matchesDatabase = () => expectMatchesDatabase(page, journey.product.db, bea.username)
  const tries = () => network.proxy.upgrades.length
  const polls = async (count: number) => {
    for (let i = 0; i < count; i++) await page.waitForResponse(/\/api\/mining\/status$/)
  }
  /** The connection states since the page was loaded, without that of the header before the code runs. */
  const shown = async () => {
    const states = (await statesSince(page, 0)).filter(Boolean)
    return states[0] === 'Connecting…' ? states.slice(1) : states
  }
  /** Reloads the page so that the remembered block expires `ms` after the load began. */
  const reloadShortOf = async (ms: number) => {
    await page.evaluate(`sessionStorage.blockExpiresIn = ${ms}`)
    await page.reload()
  }

  it('the client falls back to polling when WebSockets are blocked', async () => {
    await network.visitor().register(bea)
    network.proxy.set({ blocking: true })
    page = await journey.open('/auth')
    await watchHeader(page)
    await page.addInitScript(EXPIRE_BLOCK)
    await signIn(page, bea.username)
    await page.waitForURL('/mine')
    const since = Date.now()
    await connection(page, 'Polling').waitFor()
    reportTime('blocked: Polling shown after', Date.now() - since)
    expect(await statesSince(page, 0)).not.toContain('Live')
    await button(page, 'Start mining').click()
    await page.getByText('Mining Active').waitFor()
  })

  it('a credit arrives by poll and its toast shows once when WebSockets are blocked', async () => {
    const since = Date.now()
    await advance(journey.product.db, INTERVAL_MS)
    await seeToast(page, REWARD_TITLE)
    reportTime('blocked: credit shown after', Date.now() - since)
    await matchesDatabase()
    expect(await countToasts(page, REWARD_TITLE)).toBe(1)
    // A busy machine may answer a poll so late that the page counts as offline.
    const states = await statesSince(page, since)
    expect(states).toContain('Polling')
    expect(states).not.toContain('Live')
  })

  it('the next page load skips the socket while the block is remembered', async () => {
    // Written after two failed attempts, each with a poll answered meanwhile.
    await expect.poll(() => page.evaluate('localStorage.socketsBlockedAt')).toBeTruthy()
    const before = tries()
    await page.reload()
    await connection(page, 'Polling').waitFor()
    await polls(1)
    expect(tries()).toBe(before)
    await expect.poll(shown).toEqual(['Polling'])
  })

  it('the client retries the socket in the background when the block expires', async () => {
    const before = tries()
    await reloadShortOf(3_000)
    await expect.poll(tries).toBe(before + 1)
    await polls(1)
    await expect.poll(shown).toEqual(['Polling'])
  })

  it('the client goes live as soon as a background retry succeeds', async () => {
    network.proxy.set({})
    // A page that starts after the block has expired is live at once.
    for (let ms = 4_000; ms < 100_000 && (await shown()).length < 2; ms *= 4) {
      await reloadShortOf(ms)
      await connection(page, 'Live').waitFor({ timeout: ms + 60_000 })
    }
    expect(await shown()).toEqual(['Polling', 'Live'])
    await matchesDatabase()
    await expectCleanAudit(journey.product)
  })
})
