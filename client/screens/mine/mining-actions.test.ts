import { waitFor } from '@testing-library/react'
import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import {
  ACTIVITY_URL,
  activityAtom,
  MINING_URL,
  miningAtom,
  receiveSnapshot,
  store,
  WALLET_URL,
  walletAtom,
} from '#client/data/member-data.ts'
import { anActiveStatus, anIdleStatus, aWallet, NOW } from '#client/testing/fixtures.ts'
import { startAs } from '#client/testing/render.tsx'
import { json, serve } from '#client/testing/server.ts'
import { claimRewards, startMining, stopMining } from './mining-actions.ts'

const later = { asOf: NOW + 1_000 }
let leave: (() => void)[] = []
let server: ReturnType<typeof serve>

/** As on a screen that shows status, wallet and activity. */
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
  await new Promise((resolve) => setTimeout(resolve))
  receiveSnapshot(MINING_URL, anIdleStatus())
  receiveSnapshot(WALLET_URL, aWallet())
  receiveSnapshot(ACTIVITY_URL, { items: [], next: null, asOf: NOW })
  leave = [miningAtom, walletAtom, activityAtom].map((atom) => store.sub(atom, () => {}))
})
afterEach(() => {
  for (const end of leave) end()
  vi.unstubAllGlobals()
})

const asked = () => [
  server.count('GET /api/mining/status'),
  server.count('GET /api/wallet/activity'),
  server.count('GET /api/wallet'),
]

it('reads status and activity again after a start', async () => {
  expect(asked()).toEqual([0, 0, 0])
  await startMining()
  await waitFor(() => expect(asked()).toEqual([1, 1, 0]))
})

it('reads status, activity and wallet again after a stop', async () => {
  await stopMining()
  await waitFor(() => expect(asked()).toEqual([1, 1, 1]))
})

it('reads status, activity and wallet again after a claim', async () => {
  await claimRewards()
  await waitFor(() => expect(asked()).toEqual([1, 1, 1]))
})
