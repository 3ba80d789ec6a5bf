import { setTimeout as sleep } from 'node:timers/promises'
import type { Page } from 'playwright-core'
import { afterAll, describe, expect, it } from 'vitest'
import { advance } from '#db/testing/clock'
import { expectCleanAudit } from '#gateway/testing/expect-clean-audit'
import { INTERVAL_MS, MINUTE_MS } from '#rules/constants'
import { ChaosProxy } from '#scripts/chaos/chaos-proxy'
import { button, connection, countToasts, identity, openAs, signIn } from './testing/actions.ts'
import { expectTruth } from './testing/expect-matches-database.ts'
import { useJourney } from './testing/journey.ts'
import { headerSince, statesSince, tell, useNetwork, watchHeader } from './testing/network.ts'

const STORM_MS = 30_000
const SILENCE_MS = 121_000

describe('a network that fails', () => {
  const journey = useJourney({}, { gateways: 2 })
  const network = useNetwork(journey)
  const [nora, fay] = [identity('nora'), identity('fay')]
  /** Fay is somewhere else, with weather of her own. */
  let far: ChaosProxy
  let page: Page
  let farPage: Page
  let silentSince = 0

  afterAll(() => far?.close())

  const db = () => journey.product.db
  const rowsOf = async (table: string, { username }: { username: string }) =>
    db()(table).whereIn('userId', db()('users').where({ username }).select('id'))
  const claimsOf = async (who: { username: string }) =>
    (await rowsOf('wallet_activity', who)).filter(({ id }) => /^claim:.*:TESP$/.test(id))
  const start = async (on = page) => {
    await button(on, 'Start mining').click()
    await on.getByText('Mining Active').waitFor()
  }
  const stop = async () => {
    await button(page, 'Stop mining').click()
    await page.getByText('Mining Inactive').waitFor()
  }

  it('falls silent for one member', async () => {
    far = await ChaosProxy.start(journey.product.urls.map((url) => Number(new URL(url).port)))
    await network.visitor().register(fay)
    farPage = await journey.open('/auth', { baseURL: far.url })
    await signIn(farPage, fay.username)
    await connection(farPage, 'Live').waitFor()
    await start(farPage)
    await watchHeader(farPage)
    far.set({ silent: true })
    silentSince = Date.now()
  })

  it('is gone for 10 s, and the screen says so', async () => {
    await network.visitor().register(nora)
    page = await openAs(journey, nora.username, '/mine')
    await watchHeader(page)
    await start()
    const goneAt = Date.now()
    network.proxy.set({ refusing: true })
    network.proxy.cut()
    await advance(db(), INTERVAL_MS)
    await connection(page, 'Offline').waitFor()
    tell('cut: says Offline after', Date.now() - goneAt)
    await sleep(goneAt + 6_000 - Date.now())
    await button(page, 'Stop mining').click()
    await sleep(goneAt + 10_000 - Date.now())
    network.proxy.set({})
    const backAt = Date.now()
    await page.getByText('Mining Inactive').waitFor()
    tell('cut: a press is answered after the return within', Date.now() - backAt)
    await connection(page, 'Live').waitFor()
    tell('cut: says Live after the return within', Date.now() - backAt)
    expect(Date.now() - backAt).toBeLessThan(15_000)
    await expectTruth(page, db(), nora.username)
    expect(await statesSince(page, goneAt)).toEqual(expect.arrayContaining(['Live', 'Offline']))
    expect(await countToasts(page, 'Failed')).toBe(0)
    expect(await rowsOf('mining_sessions', nora)).toHaveLength(1)
  })

  it('loses the answer to a press, which took effect once', async () => {
    network.proxy.set({ deaf: true })
    await button(page, 'Start mining').click()
    await expect.poll(async () => (await rowsOf('mining_sessions', nora)).length).toBe(2)
    network.proxy.set({})
    network.proxy.cut()
    const lostAt = Date.now()
    await page.getByText('Mining Active').waitFor()
    tell('lost answer: the first answer is shown after', Date.now() - lostAt)
    await expectTruth(page, db(), nora.username)
    await stop()
    expect(await countToasts(page, 'Failed')).toBe(0)
    expect(await rowsOf('mining_sessions', nora)).toHaveLength(2)
  })

  it('answers 503 in the place of an answer, and the press takes effect once', async () => {
    journey.allow(/status of 503 .*\/api\/mining\/start$/)
    const sessions = (await rowsOf('mining_sessions', nora)).length
    let answers = 0
    await page.route('**/api/mining/start', async (route) => {
      const response = await route.fetch()
      answers += 1
      if (answers > 1) await route.fulfill({ response })
      else await route.fulfill({ status: 503, headers: { 'Retry-After': '2' }, body: 'Busy' })
    })
    await button(page, 'Start mining').click()
    const pressedAt = Date.now()
    await page.getByText('Retrying…', { exact: true }).waitFor()
    await page.getByText('Mining Active').waitFor()
    await expect.poll(() => answers).toBe(2)
    tell('503: the first answer is shown after', Date.now() - pressedAt)
    await expectTruth(page, db(), nora.username)
    await page.unroute('**/api/mining/start')
    await stop()
    expect(await countToasts(page, 'Failed')).toBe(0)
    expect(await rowsOf('mining_sessions', nora)).toHaveLength(sessions + 1)
  })

  it('is slow and loses a third of everything for 30 s of presses', async () => {
    const [sessions, claims] = [await rowsOf('mining_sessions', nora), await claimsOf(nora)]
    const since = Date.now()
    network.proxy.set({ latencyMs: 400, loss: 0.3 })
    let rounds = 0
    let slowest = 0
    const timed = async (press: () => Promise<void>) => {
      const from = Date.now()
      await press()
      slowest = Math.max(slowest, Date.now() - from)
    }
    for (; Date.now() - since < STORM_MS; rounds++) {
      await timed(start)
      // A credit, a minute to be claimed, and the end of the pause after the last claim.
      await advance(db(), 21 * MINUTE_MS)
      await timed(stop)
      await timed(async () => {
        await button(page, 'Claim Rewards').click()
        await page.getByText('Start mining to earn TESP').waitFor()
        await expect.poll(async () => countToasts(page, 'Rewards Claimed')).toBe(rounds + 1)
      })
    }
    tell('storm: the slowest press is answered after', slowest)
    network.proxy.set({})
    tell(
      'storm: the screen is right after its end within',
      await expectTruth(page, db(), nora.username),
    )
    await connection(page, 'Live').waitFor()
    expect(await rowsOf('mining_sessions', nora)).toHaveLength(sessions.length + rounds)
    expect(await claimsOf(nora)).toHaveLength(claims.length + rounds)
    expect(await countToasts(page, 'Failed')).toBe(0)
  })

  it('comes back after two minutes of silence', async () => {
    await sleep(silentSince + SILENCE_MS - 15_000 - Date.now())
    await button(farPage, 'Stop mining').click()
    await sleep(silentSince + SILENCE_MS - Date.now())
    const seen = await headerSince(farPage, silentSince)
    expect(seen.map(({ state }) => state)).toEqual(['Live', 'Polling', 'Offline'])
    for (const { state, at } of seen.slice(1)) {
      tell(`silence: says ${state} after`, at - silentSince)
    }
    far.set({})
    const backAt = Date.now()
    await farPage.getByText('Mining Inactive').waitFor()
    tell('silence: a press is answered after the return within', Date.now() - backAt)
    await expectTruth(farPage, db(), fay.username)
    expect(Date.now() - backAt).toBeLessThan(15_000)
    await connection(farPage, 'Live').waitFor()
    tell('silence: says Live after the return within', Date.now() - backAt)
    expect(await rowsOf('mining_sessions', fay)).toHaveLength(1)
    await expectCleanAudit(journey.product)
  })
})
