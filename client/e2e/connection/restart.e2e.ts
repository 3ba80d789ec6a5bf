import { setTimeout as sleep } from 'node:timers/promises'
import type { Page } from 'playwright-core'
import type { Socket } from 'socket.io-client'
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
import { RECONNECTION } from '#client/live/open-socket.ts'
import { INTERVAL_MS } from '#rules/constants'
import { freePort } from '#runtime/config/free-port'
import { advance } from '#scripts/testing/db/clock'
import { type GatewayProcess, gatewayProcess } from '#scripts/testing/db/role-process'
import { expectCleanAudit } from '#scripts/testing/gateway/expect-clean-audit'
import type { Visitor } from '#scripts/testing/gateway/visitor'

const REWARD_TITLE = 'TESP has been added to your wallet!'
const MEMBERS = 10
const SOCKETS = 200
const BACK_MS = 60_000

/** What `socket.io-client` waits before a retry, ms; its types do not declare it. */
type WithBackoff = { backoff: { duration(): number } }

/**
 * A socket that reconnects as the client's does.
 * @param delays takes the delay of each retry, ms
 */
function reconnecting(visitor: Visitor, delays: number[]): Socket {
  const socket = visitor.socket()
  const { io } = socket
  const { backoff } = io as unknown as WithBackoff
  const duration = backoff.duration.bind(backoff)
  backoff.duration = () => {
    const delay = duration()
    delays.push(delay)
    return delay
  }
  io.reconnection(true)
  io.reconnectionDelay(RECONNECTION.reconnectionDelay)
  io.reconnectionDelayMax(RECONNECTION.reconnectionDelayMax)
  io.randomizationFactor(RECONNECTION.randomizationFactor)
  return socket
}

/** A crowd without random delays retries within this time, ms. */
const HERD_MS = 300

/** The largest number of times within HERD_MS. */
function largestHerd(times: number[]): number {
  return Math.max(
    ...times.map((from) => times.filter((at) => at >= from && at < from + HERD_MS).length),
  )
}

describe('gateway restart', () => {
  const journey = useJourney()
  const network = useNetwork(journey)
  const rita = identity('rita')
  const sockets: Socket[] = []
  let gateways: GatewayProcess[] = []
  let visitor: Visitor
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
  afterAll(async () => {
    for (const socket of sockets) socket.disconnect()
    await Promise.all(gateways.map((one) => one.end('SIGKILL')))
  })

  it('another gateway takes over the socket of a killed gateway', async () => {
    visitor = network.visitor()
    await visitor.register(rita)
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

  it('200 sockets reconnect spread over time after a restart of all gateways', async () => {
    const visitors = Array.from({ length: MEMBERS }, () => network.visitor())
    for (const one of visitors) await one.register()
    const delays: number[] = []
    for (let i = 0; i < SOCKETS; i++) {
      sockets.push(reconnecting(visitors[i % MEMBERS] as Visitor, delays))
    }
    const connected = () => sockets.filter((one) => one.connected).length
    await expect.poll(connected).toBe(SOCKETS)
    const ports = gateways.map(({ port }) => port)
    const restartedAt = Date.now()
    await Promise.all(gateways.map((one) => one.end('SIGTERM')))
    gateways = []
    await startGateways(ports)
    const upAt = Date.now()
    const waits: number[] = []
    while (connected() < SOCKETS && Date.now() - upAt < BACK_MS) {
      const asked = Date.now()
      const { status } = await visitor.call('GET /api/mining/status')
      // An overloaded gateway answers 503.
      expect([200, 503]).toContain(status)
      if (status === 200) waits.push(Date.now() - asked)
      await sleep(50)
    }
    reportTime('restart: gateways unavailable for', upAt - restartedAt)
    reportTime('restart: all sockets reconnected after the start within', Date.now() - upAt)
    expect(connected()).toBe(SOCKETS)
    const p95 = waits.sort((a, b) => a - b)[Math.floor(waits.length * 0.95)] ?? 0
    reportTime(`restart: p95 of ${waits.length} REST answers during it`, p95)
    // The first retries are spread over 1.2 s, so about a quarter fall into HERD_MS. Measured by the
    // delays, because a busy machine lets the timers of a longer time fire together.
    expect(largestHerd(delays.slice(0, SOCKETS))).toBeLessThan(SOCKETS * 0.5)
    // How many sockets each gateway holds depends on which one was ready first.
    for (const port of ports) {
      network.proxy.route([port])
      expect((await visitor.connected()).connected).toBe(true)
    }
    network.proxy.route(ports)
  })

  it('screen and audit are correct after the restarts', async () => {
    await connection(page, 'Live').waitFor()
    await expectMatchesDatabase(page, journey.product.db, rita.username)
    await expectCleanAudit(journey.product)
  })
})
