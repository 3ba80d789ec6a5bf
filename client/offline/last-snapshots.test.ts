import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { anActiveStatus, aUser, aWallet, NOW } from '#client/testing/fixtures.ts'
import { json, lost, refusal, serve } from '#client/testing/server.ts'
import { MINUTE_MS } from '#rules/constants'

// Each test loads the modules anew.
vi.setConfig({ testTimeout: 20_000 })

const AGE_MS = 10 * MINUTE_MS
let stops: (() => void)[] = []

/** The app as a freshly loaded page has it, with what the device has kept. */
async function load() {
  for (const stop of stops) stop()
  vi.resetModules()
  const data = await import('#client/data/member-data.ts')
  const { startKeeping } = await import('./keep-snapshots.ts')
  const { connectionAtom, socketUp } = await import('#client/live/connection-state.ts')
  const { productNow } = await import('#client/data/product-clock.ts')
  const { store } = data
  const open = () => {
    stops = [
      startKeeping(),
      store.sub(data.userAtom, () => {}),
      store.sub(connectionAtom, () => {}),
    ]
  }
  const settle = () => vi.advanceTimersByTimeAsync(1_100)
  return {
    ...data,
    open,
    settle,
    socketUp,
    productNow,
    connection: () => store.get(connectionAtom),
  }
}

/** A page that showed a wallet and a running session, and was closed. */
async function visit() {
  const page = await load()
  serve({ 'GET /api/user': () => json(aUser()) })
  page.open()
  await page.settle()
  page.socketUp()
  page.receiveSnapshot(page.WALLET_URL, aWallet('5'))
  page.receiveSnapshot(page.MINING_URL, anActiveStatus())
  await page.settle()
  return page
}

beforeEach(() => {
  vi.useFakeTimers({ now: NOW })
  localStorage.clear()
  // biome-ignore lint/suspicious/noDocumentCookie: ends the sign-in of the test before.
  document.cookie = 'lastKnownOf=; Path=/; Max-Age=0'
})
afterEach(() => {
  for (const stop of stops) stop()
  vi.unstubAllGlobals()
  vi.useRealTimers()
})

describe('a start without a network', () => {
  it('shows what was known last, as old as it is, and counts on', async () => {
    const before = await visit()
    const productBefore = before.productNow() ?? 0
    vi.setSystemTime(Date.now() + AGE_MS)
    const page = await load()
    serve({ 'GET /api/user': lost })
    page.open()
    await page.settle()
    expect(page.currentUser()?.username).toBe('mai')
    expect(page.snapshotOf(page.WALLET_URL)?.tesp[0]?.balance).toBe('5')
    expect(page.connection().state).toBe('offline')
    expect(page.connection().ageMs).toBeGreaterThanOrEqual(AGE_MS)
    expect((page.productNow() ?? 0) - productBefore).toBeGreaterThanOrEqual(AGE_MS)
    expect((page.productNow() ?? 0) - productBefore).toBeLessThan(AGE_MS + 5_000)
  })

  it('asks about all of it once somebody answers', async () => {
    await visit()
    const page = await load()
    serve({ 'GET /api/user': lost })
    page.open()
    await page.settle()
    serve({ 'GET /api/user': () => refusal(401, 'Please sign in') })
    page.confirmRestored()
    await page.settle()
    expect(page.currentUser()).toBeNull()
    expect(localStorage).toHaveLength(0)
  })

  it('fails as before where nothing is kept', async () => {
    const page = await load()
    serve({ 'GET /api/user': lost })
    page.open()
    await page.settle()
    expect(page.store.get(page.userAtom).isError).toBe(true)
  })
})

describe('what is kept', () => {
  it('is forgotten at the end of the sign-in', async () => {
    const page = await visit()
    expect(localStorage.getItem('lastKnown')).toContain('"balance":"5"')
    page.setUser(null)
    await page.settle()
    expect(localStorage).toHaveLength(0)
    expect(document.cookie).not.toContain('lastKnownOf=7')
  })

  it('is never shown to another member', async () => {
    const page = await visit()
    page.setUser(aUser({ id: 8, username: 'linh' }))
    await page.settle()
    expect(localStorage.getItem('lastKnown')).not.toContain('"username":"mai"')
    const next = await load()
    serve({ 'GET /api/user': lost })
    next.open()
    await next.settle()
    expect(next.currentUser()?.username).toBe('linh')
    expect(next.snapshotOf(next.WALLET_URL)).toBeUndefined()
  })

  it('ends with the browser where the sign-in does', async () => {
    await visit()
    // biome-ignore lint/suspicious/noDocumentCookie: what a browser does when it closes.
    document.cookie = 'lastKnownOf=; Path=/; Max-Age=0'
    const page = await load()
    serve({ 'GET /api/user': lost })
    page.open()
    await page.settle()
    expect(page.currentUser()).toBeNull()
  })
})
