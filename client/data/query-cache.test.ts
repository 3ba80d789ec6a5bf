import { waitFor } from '@testing-library/react'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { anIdleStatus, aWallet } from '#client/testing/fixtures.ts'
import { startAs } from '#client/testing/render.tsx'
import { json, refusal, serve } from '#client/testing/server.ts'
import { appInfoAtom } from './app-info.ts'
import { miningAtom, walletAtom } from './member-data.ts'
import { CLOCK_SET_BACK_MS, newest, queryClient, store } from './query-cache.ts'
import { refresh } from './refresh.ts'

describe('query cache', () => {
  const settled = () => waitFor(() => expect(queryClient.isFetching()).toBe(0))
  let leave = () => {}

  async function show() {
    startAs()
    await new Promise((resolve) => setTimeout(resolve))
    leave = store.sub(walletAtom, () => {})
  }

  beforeEach(() => {
    leave = () => {}
  })
  afterEach(() => {
    leave()
    vi.useRealTimers()
    vi.unstubAllGlobals()
  })

  it('cached data never goes stale and is not read again by time', async () => {
    const server = serve({ 'GET /api/wallet': () => json(aWallet()) })
    await show()
    await waitFor(() => expect(server.count('GET /api/wallet')).toBe(1))
    await settled()
    leave()
    vi.useFakeTimers({ now: Date.now() + 86_400_000 })
    leave = store.sub(walletAtom, () => {})
    await vi.advanceTimersByTimeAsync(600_000)
    expect(server.count('GET /api/wallet')).toBe(1)
  })

  it('a failed read is not retried', async () => {
    const server = serve({ 'GET /api/wallet': () => refusal(500, 'Something went wrong') })
    await show()
    await waitFor(() => expect(store.get(walletAtom).isError).toBe(true))
    await new Promise((resolve) => setTimeout(resolve, 1_200))
    expect(server.count('GET /api/wallet')).toBe(1)
    await refresh('/api/wallet')
    expect(server.count('GET /api/wallet')).toBe(2)
  })

  it('each query key starts with the URL of its route', async () => {
    serve({ 'GET /api/wallet': () => json(aWallet()) })
    await show()
    await settled()
    const urls = queryClient
      .getQueryCache()
      .getAll()
      .map(({ queryKey: [first] }) => first)
    expect(urls).toContain('/api/wallet')
    expect(urls.every((url) => /^\/api\//.test(String(url)))).toBe(true)
  })
})

const AT = 1_800_000_000_000

it('the newer of two snapshots is kept in any order of arrival', () => {
  expect(newest({ asOf: AT, n: 1 }, { asOf: AT + 1, n: 2 })).toEqual({ asOf: AT + 1, n: 2 })
  expect(newest({ asOf: AT + 1, n: 2 }, { asOf: AT, n: 1 })).toEqual({ asOf: AT + 1, n: 2 })
})

it('snapshots are compared to the microsecond', () => {
  expect(newest({ asOf: AT + 0.25, n: 2 }, { asOf: AT + 0.125, n: 1 })).toMatchObject({ n: 2 })
})

it('a snapshot delivered twice keeps its identity', () => {
  const current = { asOf: AT, n: 1 }
  expect(newest(current, { asOf: AT, n: 1 })).toBe(current)
})

it('a snapshot older by more than a minute is accepted: the clock was set back', () => {
  const current = { asOf: AT }
  expect(newest(current, { asOf: AT - CLOCK_SET_BACK_MS })).toBe(current)
  expect(newest(current, { asOf: AT - CLOCK_SET_BACK_MS - 1 })).not.toBe(current)
})

it('a cached value without a time is replaced', () => {
  expect(newest({ id: 7, fullName: null }, { id: 7, fullName: 'Mai' })).toEqual({
    id: 7,
    fullName: 'Mai',
  })
  expect(newest({ asOf: AT }, null)).toBe(null)
})

describe('refresh', () => {
  let stops: (() => void)[] = []
  let server: ReturnType<typeof serve>
  let loaded: number[] = []

  beforeEach(async () => {
    vi.useFakeTimers()
    let asOf = AT
    server = serve({
      'GET /api/app': () => json({ flags: [], minimumVersion: null, taskLinks: {} }),
      'GET /api/mining/status': () => json(anIdleStatus({ asOf: ++asOf })),
      'GET /api/wallet': () => json(aWallet('1', '0', ++asOf)),
    })
    startAs()
    stops = [miningAtom, walletAtom, appInfoAtom].map((atom) => store.sub(atom, () => {}))
    await vi.advanceTimersByTimeAsync(200)
    loaded = counts()
  })
  afterEach(() => {
    for (const stop of stops) stop()
    vi.useRealTimers()
    vi.unstubAllGlobals()
  })

  const counts = () => [
    server.count('GET /api/mining/status'),
    server.count('GET /api/wallet'),
    server.count('GET /api/app'),
  ]
  /** How often each resource was read since the page was loaded. */
  const reads = () => counts().map((count, index) => count - (loaded[index] ?? 0))

  it('reasons to read within 100 ms lead to one read of each resource', async () => {
    const read = refresh('/api/wallet')
    void refresh('/api/wallet', '/api/mining/status')
    await vi.advanceTimersByTimeAsync(60)
    void refresh('/api/mining/status')
    await vi.advanceTimersByTimeAsync(60)
    await read
    expect(reads()).toEqual([1, 1, 0])
  })

  it('a refresh of everything leaves out the app information', async () => {
    void refresh('/api/wallet')
    void refresh()
    await vi.advanceTimersByTimeAsync(200)
    expect(reads()).toEqual([1, 1, 0])
  })

  it('a reason during a read leads to another read', async () => {
    void refresh('/api/wallet')
    await vi.advanceTimersByTimeAsync(120)
    await refreshed(refresh('/api/wallet'))
    expect(reads()).toEqual([0, 2, 0])
  })

  async function refreshed(read: Promise<void>): Promise<void> {
    await vi.advanceTimersByTimeAsync(200)
    await read
  }
})
