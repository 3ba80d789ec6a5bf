import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { activityAtom, miningAtom, receiveSnapshot, walletAtom } from '#client/data/member-data.ts'
import { store } from '#client/data/query-cache.ts'
import { queriesNotified, queriesSettled } from '#client/screens/testing/queries.ts'
import { eventually } from '#client/testing/eventually.ts'
import { anActiveStatus, anIdleStatus, aWallet, NOW } from '#client/testing/fixtures.ts'
import { startAs } from '#client/testing/render.tsx'
import { json, refusal, serve } from '#client/testing/server.ts'
import { claimRewards, startMining, stopMining } from './mining-commands.ts'

const later = { asOf: NOW + 1_000 }
let unsubscribes: (() => void)[] = []
let server: ReturnType<typeof serve>

/** Subscribes to status, wallet and activity, as a screen that shows them does. */
beforeEach(async () => {
  server = serve({
    'POST /api/mining/start': () => json(anActiveStatus(later)),
    'POST /api/mining/stop': () => json(anIdleStatus(later)),
    'POST /api/mining/claim': () => json({ claimedTesp: '1.00000000', claimedUsdt: '0.00000000' }),
    'GET /api/mining/status': () => json(anIdleStatus(later)),
    'GET /api/wallet': () => json(aWallet('1', '0', later.asOf)),
    'GET /api/wallet/activity': () => json([], { 'X-As-Of': `${later.asOf}` }),
  })
  startAs()
  await queriesNotified()
  receiveSnapshot('/api/mining/status', anIdleStatus())
  receiveSnapshot('/api/wallet', aWallet())
  receiveSnapshot('/api/wallet/activity', { items: [], next: null, asOf: NOW })
  unsubscribes = [miningAtom, walletAtom, activityAtom].map((atom) => store.sub(atom, () => {}))
})
afterEach(() => {
  for (const unsubscribe of unsubscribes) unsubscribe()
  vi.unstubAllGlobals()
})

/** How often status, activity and wallet were read. */
const reads = () => [
  server.count('GET /api/mining/status'),
  server.count('GET /api/wallet/activity'),
  server.count('GET /api/wallet'),
]

it('a start reads status and activity again, but not the wallet', async () => {
  expect(reads()).toEqual([0, 0, 0])
  await startMining()
  await eventually(() => expect(reads()).toEqual([1, 1, 0]))
  await queriesSettled()
  expect(reads()).toEqual([1, 1, 0])
})

describe('haptics', () => {
  const vibrated = vi.fn()
  beforeEach(() => {
    vibrated.mockClear()
    Object.defineProperty(navigator, 'vibrate', { configurable: true, value: vibrated })
  })
  afterEach(() => void Reflect.deleteProperty(navigator, 'vibrate'))

  it.each([
    ['start', startMining],
    ['stop', stopMining],
    ['claim', claimRewards],
  ])('a successful %s vibrates once', async (_, command) => {
    await command()
    expect(vibrated).toHaveBeenCalledTimes(1)
  })

  it('a refused start does not vibrate', async () => {
    serve({ 'POST /api/mining/start': () => refusal(409, 'Mining is already active') })
    await startMining()
    expect(vibrated).not.toHaveBeenCalled()
  })
})

it('a stop reads status, activity and wallet again', async () => {
  await stopMining()
  await eventually(() => expect(reads()).toEqual([1, 1, 1]))
  await queriesSettled()
  expect(reads()).toEqual([1, 1, 1])
})

it('a claim reads status, activity and wallet again', async () => {
  await claimRewards()
  await eventually(() => expect(reads()).toEqual([1, 1, 1]))
  await queriesSettled()
  expect(reads()).toEqual([1, 1, 1])
})
