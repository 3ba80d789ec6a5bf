import type { Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
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
import { reportTime, statesSince, useNetwork, watchHeader } from '#client/e2e/testing/network.ts'
import { INTERVAL_MS } from '#rules/constants'
import { freePort } from '#runtime/config/free-port'
import { advance } from '#scripts/testing/db/clock'
import { type GatewayProcess, gatewayProcess } from '#scripts/testing/db/role-process'
import { expectCleanAudit } from '#scripts/testing/gateway/expect-clean-audit'

const REWARD_TITLE = 'TESP has been added to your wallet!'

describe('gateway restart', () => {
  const journey = useJourney()
  const network = useNetwork(journey)
  const rita = identity('rita')
  let gateways: GatewayProcess[] = []
  let page: Page

  const open = () => network.proxy.upgrades.filter((one) => one.open)
  const startGateways = async (ports: number[]) => {
    const started = ports.map((port) => gatewayProcess(journey.product.config, port))
    gateways = [...gateways, ...started]
    await Promise.all(started.map(({ ready }) => ready))
  }

  beforeAll(async () => {
    const ports = [await freePort(), await freePort()]
    await startGateways(ports)
    network.proxy.route(ports)
  })
  afterAll(() => Promise.all(gateways.map((one) => one.end('SIGKILL'))))

  it('another gateway takes over the socket of a killed gateway', async () => {
    await network.visitor().register(rita)
    page = await openAs(journey, rita.username, '/mine')
    await watchHeader(page)
    await button(page, 'Start mining').click()
    await page.getByText('Mining Active').waitFor()
    const [held] = open()
    const killedAt = Date.now()
    const killed = gateways.find(({ port }) => port === held?.port)
    await killed?.end('SIGKILL')
    await expect.poll(() => open().map(({ port }) => port)).not.toContain(held?.port)
    await expect.poll(() => open().length, { interval: 50 }).toBe(1)
    await connection(page, 'Live').waitFor()
    reportTime('kill: socket open again after', Date.now() - killedAt)
    expect(await statesSince(page, killedAt)).not.toContain('Offline')
    gateways = gateways.filter((one) => one !== killed)
    await startGateways([killed?.port ?? 0])
  })

  it('the next credit is pushed through the remaining gateway', async () => {
    const asked: string[] = []
    page.on('request', (request) => asked.push(request.url()))
    const since = Date.now()
    await advance(journey.product.db, INTERVAL_MS)
    await seeToast(page, REWARD_TITLE)
    reportTime('push: credit shown after', Date.now() - since)
    expect(asked.filter((url) => url.includes('/api/mining/status'))).toEqual([])
    await expectMatchesDatabase(page, journey.product.db, rita.username)
    expect(await countToasts(page, REWARD_TITLE)).toBe(1)
  })

  it('the socket of the page is open again after a restart of all gateways', async () => {
    const ports = gateways.map(({ port }) => port)
    const restartedAt = Date.now()
    await Promise.all(gateways.map((one) => one.end('SIGTERM')))
    gateways = []
    await startGateways(ports)
    const upAt = Date.now()
    reportTime('restart: gateways unavailable for', upAt - restartedAt)
    await expect.poll(() => open().length, { interval: 50 }).toBe(1)
    reportTime('restart: socket open again after the start within', Date.now() - upAt)
  })

  it('screen and audit are correct after the restarts', async () => {
    await connection(page, 'Live').waitFor()
    await expectMatchesDatabase(page, journey.product.db, rita.username)
    await expectCleanAudit(journey.product)
  })
})
