import { randomUUID } from 'node:crypto'
import { afterAll, vi } from 'vitest'
import { browserChannel } from './browser-channel.ts'
import { type OpenWindow, openWindow } from './window.ts'

/**
 * Each file is its own browser: a new window, channels between tabs that reach no other file, and
 * modules that are evaluated again. Only packages that keep no state of a page are shared.
 */
const worker = globalThis as { __vitest_window__?: OpenWindow }
worker.__vitest_window__?.remove()
// `afterAll` does not run for a file whose tests `-t` leaves out.
vi.resetModules()
const opened = openWindow(globalThis)
worker.__vitest_window__ = opened
Object.assign(globalThis, {
  // happy-dom has none.
  BroadcastChannel: browserChannel(randomUUID()),
  // A page without a server of its test reaches none, and its request cannot end in the next test.
  fetch: () => new Promise(() => {}),
})

afterAll(async () => {
  vi.useRealTimers()
  vi.unstubAllGlobals()
  vi.unstubAllEnvs()
  await opened.close()
  vi.resetModules()
})
