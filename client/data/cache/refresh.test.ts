import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { appInfoAtom } from '#client/data/app-info.ts'
import {
  MINING_URL,
  miningAtom,
  refresh,
  store,
  WALLET_URL,
  walletAtom,
} from '#client/data/member-data.ts'
import { anIdleStatus, aWallet, NOW } from '#client/testing/fixtures.ts'
import { startAs } from '#client/testing/render.tsx'
import { json, serve } from '#client/testing/server.ts'

let stops: (() => void)[] = []
let server: ReturnType<typeof serve>
let loaded: number[] = []

beforeEach(async () => {
  vi.useFakeTimers()
  let asOf = NOW
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
  const read = refresh(WALLET_URL)
  void refresh(WALLET_URL, MINING_URL)
  await vi.advanceTimersByTimeAsync(60)
  void refresh(MINING_URL)
  await vi.advanceTimersByTimeAsync(60)
  await read
  expect(reads()).toEqual([1, 1, 0])
})

it('a refresh of everything leaves out what has rules of its own', async () => {
  void refresh(WALLET_URL)
  void refresh()
  await vi.advanceTimersByTimeAsync(200)
  expect(reads()).toEqual([1, 1, 0])
})

it('a reason during a read leads to another read', async () => {
  void refresh(WALLET_URL)
  await vi.advanceTimersByTimeAsync(120)
  await refreshed(refresh(WALLET_URL))
  expect(reads()).toEqual([0, 2, 0])
})

async function refreshed(read: Promise<void>): Promise<void> {
  await vi.advanceTimersByTimeAsync(200)
  await read
}
