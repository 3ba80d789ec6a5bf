import type { Page } from 'playwright-core'
import { afterAll, beforeAll } from 'vitest'
import type { Product } from '#scripts/testing/gateway/product'
import type { Visitor } from '#scripts/testing/gateway/visitor'
import { ChaosProxy } from '#scripts/testing/gateway/wire/chaos-proxy'
import type { Journey } from './journey.ts'

/** Console errors that an injected network fault causes. */
export const NETWORK_ERRORS = [/ERR_(CONNECTION|EMPTY|SOCKET|NETWORK|INTERNET)/, /WebSocket/]

/** The proxy between browsers and gateways; members connect only to its URL. */
export type Network = { proxy: ChaosProxy; product: Product; visitor(): Visitor }

const portOf = (url: string) => Number(new URL(url).port)

/** Puts a fault-injecting proxy in front of all gateways of a journey; call it after `useJourney`. */
export function useNetwork(journey: Journey): Network {
  const network = {} as Network
  beforeAll(async () => {
    const proxy = await ChaosProxy.start(journey.product.urls.map(portOf))
    const product = { ...journey.product, urls: [proxy.url] }
    Object.assign(network, { proxy, product, visitor: () => journey.visitor(product) })
    journey.url = proxy.url
    journey.allow(...NETWORK_ERRORS)
  })
  afterAll(() => network.proxy?.close())
  return network
}

/** A connection state of the header and when it appeared, real ms. */
export type Seen = { state: string; at: number }

const WATCH = `if (!window.connectionSeen) {
  window.connectionSeen = []
  const look = () => {
    const shown = document.querySelector('header [role=status]')?.textContent ?? ''
    const state = shown.replace('Connection: ', '')
    if (state !== window.connectionSeen.at(-1)?.state)
      window.connectionSeen.push({ state, at: Date.now() })
  }
  look()
  setInterval(look, 100)
}`

/** Records the connection state of the header from now on, in every document of the page. */
export async function watchHeader(page: Page): Promise<void> {
  await page.addInitScript(WATCH)
  await page.evaluate(WATCH)
}

/** The connection states since `at`, in order, beginning with the state at that time. */
export async function headerSince(page: Page, at: number): Promise<Seen[]> {
  const seen = await page.evaluate<Seen[]>('window.connectionSeen')
  const before = seen.filter((one) => one.at <= at).slice(-1)
  return [...before, ...seen.filter((one) => one.at > at)]
}

/** The connection states since `at`, without times. */
export const statesSince = async (page: Page, at: number): Promise<string[]> =>
  (await headerSince(page, at)).map(({ state }) => state)

/** Prints a measured time if `E2E_TIMES` is set; docs/performance.md quotes these. */
export function reportTime(what: string, ms: number): void {
  if (process.env.E2E_TIMES) console.log(`${what}: ${(ms / 1_000).toFixed(1)} s`)
}
