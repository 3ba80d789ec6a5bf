import type { Page } from 'playwright-core'
import { afterAll, beforeAll } from 'vitest'
import type { Product } from '#gateway/testing/product'
import type { Visitor } from '#gateway/testing/visitor'
import { ChaosProxy } from '#scripts/chaos/chaos-proxy'
import type { Journey } from './journey.ts'

/** What a browser reports of a network that is as bad as the tests want it. */
export const NETWORK_ERRORS = [/ERR_(CONNECTION|EMPTY|SOCKET|NETWORK|INTERNET)/, /WebSocket/]

/** The network between browsers and gateways: members know the address of the proxy alone. */
export type Network = { proxy: ChaosProxy; product: Product; visitor(): Visitor }

const portOf = (url: string) => Number(new URL(url).port)

/** Puts a proxy in front of all gateways of a journey; call it after `useJourney`. */
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

/** A state of the header, from that moment on, real ms. */
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

/** Notes from now on what the header says, anew with each document. */
export async function watchHeader(page: Page): Promise<void> {
  await page.addInitScript(WATCH)
  await page.evaluate(WATCH)
}

/** What the header said since then, in order: the state of that moment, and each that followed. */
export async function headerSince(page: Page, at: number): Promise<Seen[]> {
  const seen = await page.evaluate<Seen[]>('window.connectionSeen')
  const before = seen.filter((one) => one.at <= at).slice(-1)
  return [...before, ...seen.filter((one) => one.at > at)]
}

/** The states alone. */
export const statesSince = async (page: Page, at: number): Promise<string[]> =>
  (await headerSince(page, at)).map(({ state }) => state)

/** Measured times that go into the documentation; printed where `E2E_TIMES` is set. */
export function tell(what: string, ms: number): void {
  if (process.env.E2E_TIMES) console.log(`${what}: ${(ms / 1_000).toFixed(1)} s`)
}
