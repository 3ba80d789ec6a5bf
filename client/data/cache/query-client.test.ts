import { waitFor } from '@testing-library/react'
import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { queryClient, refresh, store, WALLET_URL, walletAtom } from '#client/data/member-data.ts'
import { aWallet } from '#client/testing/fixtures.ts'
import { startAs } from '#client/testing/render.tsx'
import { json, refusal, serve } from '#client/testing/server.ts'

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

it('cached data never goes stale and is not read again on focus or by time', async () => {
  const server = serve({ 'GET /api/wallet': () => json(aWallet()) })
  await show()
  await waitFor(() => expect(server.count('GET /api/wallet')).toBe(1))
  await settled()
  leave()
  vi.useFakeTimers({ now: Date.now() + 86_400_000 })
  leave = store.sub(walletAtom, () => {})
  window.dispatchEvent(new Event('focus'))
  document.dispatchEvent(new Event('visibilitychange'))
  await vi.advanceTimersByTimeAsync(600_000)
  expect(server.count('GET /api/wallet')).toBe(1)
})

it('a failed read is not retried', async () => {
  const server = serve({ 'GET /api/wallet': () => refusal(500, 'Something went wrong') })
  await show()
  await waitFor(() => expect(store.get(walletAtom).isError).toBe(true))
  await new Promise((resolve) => setTimeout(resolve, 1_200))
  expect(server.count('GET /api/wallet')).toBe(1)
  await refresh(WALLET_URL)
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
