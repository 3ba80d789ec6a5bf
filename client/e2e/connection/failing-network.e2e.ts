import { setTimeout as sleep } from 'node:timers/promises'
import type { Page } from 'playwright-core'
import { afterAll, describe, expect, it } from 'vitest'
import {
  button,
  connection,
  countToasts,
  identity,
  openAs,
  signInByApi,
} from '#client/e2e/testing/actions.ts'
import { expectMatchesDatabase } from '#client/e2e/testing/expect-matches-database.ts'
import { useJourney } from '#client/e2e/testing/journey.ts'
import {
  headerSince,
  reportTime,
  statesSince,
  useNetwork,
  watchHeader,
} from '#client/e2e/testing/network.ts'
import { INTERVAL_MS, MINUTE_MS } from '#rules/constants'
import { advance } from '#scripts/testing/db/clock'
import { expectCleanAudit } from '#scripts/testing/gateway/expect-clean-audit'
import { ChaosProxy } from '#scripts/testing/gateway/wire/chaos-proxy'

/** How long commands run over the lossy network. */
const LOSSY_MS = 20_000
/** Longer than every timer of the client: heartbeat 15 s, longest pause between polls 30 s. */
const SILENCE_MS = 61_000

describe('failing network', () => {
  const journey = useJourney({}, { gateways: 2, serviceWorker: true })
  const network = useNetwork(journey)
  const [nora, fay] = [identity('nora'), identity('fay')]
  /** Fay connects through a second proxy with separate faults. */
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

  it('a silent network starts for one member', async () => {
    far = await ChaosProxy.start(journey.product.urls.map((url) => Number(new URL(url).port)))
    await network.visitor().register(fay)
    farPage = await journey.open('about:blank', { baseURL: far.url })
    await signInByApi(journey, farPage, fay.username)
    await farPage.goto('/mine')
    await connection(farPage, 'Live').waitFor()
    await start(farPage)
    await watchHeader(farPage)
    far.set({ silent: true })
    silentSince = Date.now()
  })

  it('an outage of 10 s shows Offline and loses no command', async () => {
    await network.visitor().register(nora)
    page = await openAs(journey, nora.username, '/mine')
    await watchHeader(page)
    await start()
    const goneAt = Date.now()
    network.proxy.set({ refusing: true })
    network.proxy.cut()
    await advance(db(), INTERVAL_MS)
    await connection(page, 'Offline').waitFor()
    reportTime('cut: Offline shown after', Date.now() - goneAt)
    await sleep(goneAt + 6_000 - Date.now())
    await button(page, 'Stop mining').click()
    await sleep(goneAt + 10_000 - Date.now())
    network.proxy.set({})
    const backAt = Date.now()
    await page.getByText('Mining Inactive').waitFor()
    reportTime('cut: command answered after the return within', Date.now() - backAt)
    await connection(page, 'Live').waitFor()
    reportTime('cut: Live shown after the return within', Date.now() - backAt)
    expect(await statesSince(page, goneAt)).toEqual(expect.arrayContaining(['Live', 'Offline']))
    // Its steps load the page: code that the outage has cut is loaded again.
    await expectMatchesDatabase(page, db(), nora.username)
    expect(await countToasts(page, 'Failed')).toBe(0)
    expect(await rowsOf('mining_sessions', nora)).toHaveLength(1)
    // A page that was loaded again has a service worker, and a test cannot answer its requests.
    await page.context().close()
    page = await openAs(journey, nora.username, '/mine')
    await watchHeader(page)
  })

  it('a command whose answer is lost takes effect once', async () => {
    network.proxy.set({ deaf: true })
    await button(page, 'Start mining').click()
    await expect.poll(async () => (await rowsOf('mining_sessions', nora)).length).toBe(2)
    network.proxy.set({})
    network.proxy.cut()
    const lostAt = Date.now()
    await page.getByText('Mining Active').waitFor()
    reportTime('lost answer: first answer shown after', Date.now() - lostAt)
    await expectMatchesDatabase(page, db(), nora.username)
    await stop()
    expect(await countToasts(page, 'Failed')).toBe(0)
    expect(await rowsOf('mining_sessions', nora)).toHaveLength(2)
  })

  it('a command answered 503 by a proxy is retried and takes effect once', async () => {
    journey.allow(/status of 503 .*\/api\/mining\/start$/)
    const sessions = (await rowsOf('mining_sessions', nora)).length
    let answers = 0
    await page.route('**/api/mining/start', async (route) => {
      const response = await route.fetch()
      answers += 1
      if (answers > 1) await route.fulfill({ response })
      else await route.fulfill({ status: 503, headers: { 'Retry-After': '5' }, body: 'Busy' })
    })
    const pressedAt = Date.now()
    const retrying = page.getByText('Retrying…', { exact: true }).waitFor()
    await Promise.all([retrying, button(page, 'Start mining').click()])
    await page.getByText('Mining Active').waitFor()
    await expect.poll(() => answers).toBe(2)
    reportTime('503: first answer shown after', Date.now() - pressedAt)
    await expectMatchesDatabase(page, db(), nora.username)
    await page.unroute('**/api/mining/start')
    await stop()
    expect(await countToasts(page, 'Failed')).toBe(0)
    expect(await rowsOf('mining_sessions', nora)).toHaveLength(sessions + 1)
  })

  it('commands take effect once at 400 ms latency and 30 % loss', async () => {
    const [sessions, claims] = [await rowsOf('mining_sessions', nora), await claimsOf(nora)]
    const since = Date.now()
    network.proxy.set({ latencyMs: 400, loss: 0.3 })
    let rounds = 0
    let slowest = 0
    const timed = async (command: () => Promise<void>) => {
      const from = Date.now()
      await command()
      slowest = Math.max(slowest, Date.now() - from)
    }
    for (; Date.now() - since < LOSSY_MS; rounds++) {
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
    reportTime('loss: slowest command answered after', slowest)
    network.proxy.set({})
    reportTime(
      'loss: screen matches the database after its end within',
      await expectMatchesDatabase(page, db(), nora.username),
    )
    await connection(page, 'Live').waitFor()
    expect(await rowsOf('mining_sessions', nora)).toHaveLength(sessions.length + rounds)
    expect(await claimsOf(nora)).toHaveLength(claims.length + rounds)
    expect(await countToasts(page, 'Failed')).toBe(0)
  })

  it('the client recovers after a long silence without a closed connection', async () => {
    await sleep(silentSince + SILENCE_MS - 15_000 - Date.now())
    await button(farPage, 'Stop mining').click()
    await sleep(silentSince + SILENCE_MS - Date.now())
    const seen = await headerSince(farPage, silentSince)
    expect(seen.map(({ state }) => state)).toEqual(['Live', 'Polling', 'Offline'])
    for (const { state, at } of seen.slice(1)) {
      reportTime(`silence: ${state} shown after`, at - silentSince)
    }
    far.set({})
    const backAt = Date.now()
    // A request that left during the silence is lost after 15 s, and only then sent again.
    await farPage.getByText('Mining Inactive').waitFor({ timeout: 60_000 })
    reportTime('silence: command answered after the return within', Date.now() - backAt)
    await expectMatchesDatabase(farPage, db(), fay.username)
    await connection(farPage, 'Live').waitFor()
    reportTime('silence: Live shown after the return within', Date.now() - backAt)
    expect(await rowsOf('mining_sessions', fay)).toHaveLength(1)
    await expectCleanAudit(journey.product)
  })
})
