import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { REQUEST_TIMEOUT_MS } from '#client/data/api.ts'
import { anActiveStatus, aUser, aWallet, NOW } from '#client/testing/fixtures.ts'
import { json, lost, refusal, serve, setMemberCookie } from '#client/testing/server.ts'
import { MINUTE_MS } from '#rules/constants'
import { RESTORE_MS } from './snapshots.ts'

// Each test loads the modules again.
vi.setConfig({ testTimeout: 20_000 })

const AGE_MS = 10 * MINUTE_MS
let stops: (() => void)[] = []

/** The app of a newly loaded page; the storage of the device stays. */
async function load() {
  for (const stop of stops) stop()
  vi.resetModules()
  const data = await import('#client/data/member-data.ts')
  const { keepSnapshots, startRestore } = await import('./snapshots.ts')
  const { connectionAtom, serverAnswered, socketUp } = await import(
    '#client/live/connection-state.ts'
  )
  const { productNow } = await import('#client/data/product-clock.ts')
  const { queryClient, store } = await import('#client/data/query-cache.ts')
  const open = () => {
    stops = [
      startRestore(),
      keepSnapshots(),
      store.sub(data.userAtom, () => {}),
      store.sub(connectionAtom, () => {}),
    ]
  }
  const settle = () => vi.advanceTimersByTimeAsync(1_100)
  return {
    ...data,
    queryClient,
    store,
    open,
    settle,
    serverAnswered,
    socketUp,
    productNow,
    connection: () => store.get(connectionAtom),
  }
}

async function openOffline(memberId: number | undefined = 7) {
  const page = await load()
  serve({ 'GET /api/user': lost })
  setMemberCookie(memberId)
  page.open()
  await page.settle()
  return page
}

/** Opens a page in a network that is silent, for as long as it takes. */
async function openSilent() {
  const page = await load()
  vi.spyOn(AbortSignal, 'timeout').mockImplementation((ms) => {
    const limit = new AbortController()
    setTimeout(() => limit.abort(new DOMException('timed out', 'TimeoutError')), ms)
    return limit.signal
  })
  serve({
    'GET /api/user': ({ init: { signal } }) =>
      new Promise((_, reject) => signal?.addEventListener('abort', () => reject(signal.reason))),
  })
  setMemberCookie(7)
  page.open()
  return page
}

/** A page that showed a wallet and a running session, and was closed. */
async function visit() {
  const page = await load()
  serve({ 'GET /api/user': json(aUser()) })
  page.open()
  await page.settle()
  page.socketUp()
  page.receiveSnapshot('/api/wallet', aWallet('5'))
  page.receiveSnapshot('/api/mining/status', anActiveStatus())
  await page.settle()
  return page
}

beforeEach(() => {
  vi.useFakeTimers({ now: NOW })
  localStorage.clear()
  setMemberCookie(undefined)
})
afterEach(() => {
  for (const stop of stops) stop()
  vi.restoreAllMocks()
  vi.unstubAllGlobals()
  vi.useRealTimers()
})

describe('a start without a network', () => {
  it('the last snapshots are shown with their age and product time counts on', async () => {
    const before = await visit()
    const productBefore = before.productNow() ?? 0
    vi.setSystemTime(Date.now() + AGE_MS)
    const page = await openOffline()
    expect(page.currentUser()?.username).toBe('mai')
    expect(page.snapshotOf('/api/wallet')?.tesp[0]?.balance).toBe('5')
    expect(page.connection().state).toBe('offline')
    expect(page.connection().ageMs).toBeGreaterThanOrEqual(AGE_MS)
    expect((page.productNow() ?? 0) - productBefore).toBeGreaterThanOrEqual(AGE_MS)
    expect((page.productNow() ?? 0) - productBefore).toBeLessThan(AGE_MS + 5_000)
  })

  it('a silent network delays the stored snapshots by a moment only', async () => {
    await visit()
    const page = await openSilent()
    await vi.advanceTimersByTimeAsync(RESTORE_MS + 10)
    expect(page.currentUser()?.username).toBe('mai')
    expect(page.connection().state).toBe('offline')
  })

  it('without stored snapshots a slow network has the time of any request', async () => {
    const page = await openSilent()
    await vi.advanceTimersByTimeAsync(REQUEST_TIMEOUT_MS - 10)
    expect(page.store.get(page.userAtom).isPending).toBe(true)
    await vi.advanceTimersByTimeAsync(20)
    expect(page.store.get(page.userAtom).isError).toBe(true)
  })

  it('restored snapshots are read again when the server answers', async () => {
    await visit()
    const page = await openOffline()
    serve({ 'GET /api/user': refusal(401, 'Please sign in') })
    page.serverAnswered()
    await page.settle()
    expect(page.currentUser()).toBeNull()
    expect(localStorage).toHaveLength(0)
  })

  it('restored snapshots are confirmed only once', async () => {
    await visit()
    const page = await openOffline()
    const server = serve({ 'GET /api/user': json(aUser()) })
    page.serverAnswered()
    await page.settle()
    page.serverAnswered()
    await page.settle()
    expect(server.count('GET /api/user')).toBe(1)
  })

  it('the read of the user fails without stored snapshots', async () => {
    const page = await openOffline()
    expect(page.store.get(page.userAtom).isError).toBe(true)
  })

  it('snapshots of another client version are not restored', async () => {
    await visit()
    const stored = JSON.parse(localStorage.getItem('snapshots:7') ?? '')
    localStorage.setItem('snapshots:7', JSON.stringify({ ...stored, version: 'other' }))
    const page = await openOffline()
    expect(page.currentUser()).toBeNull()
  })
})

describe('stored snapshots', () => {
  it('stored snapshots are removed at sign-out', async () => {
    const page = await visit()
    expect(localStorage.getItem('snapshots:7')).toContain('"balance":"5"')
    page.setUser(null)
    await page.settle()
    expect(localStorage).toHaveLength(0)
  })

  it('stored snapshots are never shown to another member', async () => {
    const page = await visit()
    page.setUser(aUser({ id: 8, username: 'linh' }))
    await page.settle()
    expect(localStorage.getItem('snapshots:7')).toBeNull()
    const next = await openOffline(8)
    expect(next.currentUser()?.username).toBe('linh')
    expect(next.snapshotOf('/api/wallet')).toBeUndefined()
  })

  it('stored snapshots end with the browser session if the sign-in does', async () => {
    await visit()
    // A closing browser drops its session cookies.
    const page = await load()
    setMemberCookie(undefined)
    page.open()
    await page.settle()
    expect(localStorage).toHaveLength(0)
    expect(page.currentUser()).toBeNull()
  })

  it('every query of the member is stored with its time, without older pages', async () => {
    const page = await visit()
    const { queryClient } = page
    queryClient.setQueryData(['/api/network', 7], { nodes: 5 })
    queryClient.setQueryData(['/api/wallet/activity', 7, 'older'], { pages: [] })
    queryClient.setQueryData(['/api/network', 8], { nodes: 8 })
    await page.settle()
    const { version, user, cache } = JSON.parse(localStorage.getItem('snapshots:7') ?? '')
    expect({ version, user }).toEqual({ version: __APP_VERSION__, user: aUser() })
    const keys = cache.queries.map(({ queryKey }: { queryKey: unknown[] }) => queryKey)
    expect(keys.sort()).toEqual([
      ['/api/mining/status', 7],
      ['/api/network', 7],
      ['/api/wallet', 7],
    ])
    expect(cache.queries[0].state.dataUpdatedAt).toBeGreaterThan(0)
  })

  it('snapshots of screens that were not opened again stay stored', async () => {
    const first = await visit()
    first.queryClient.setQueryData(['/api/network', 7], { nodes: 5 })
    await first.settle()
    await visit()
    const page = await openOffline()
    expect(page.queryClient.getQueryData(['/api/network', 7])).toEqual({ nodes: 5 })
  })
})
