import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import {
  MINING_URL,
  receiveSnapshot,
  refresh,
  snapshotOf,
  store,
  WALLET_URL,
  walletAtom,
} from '#client/data/member-data.ts'
import { anActiveStatus, aWallet, NOW } from '#client/testing/fixtures.ts'
import { startAs } from '#client/testing/render.tsx'
import { json, serve } from '#client/testing/server.ts'
import type { MiningStatus } from '#rules/snapshots'
import { refetchWalletOnChange } from './refetch-wallet.ts'

let server: ReturnType<typeof serve>
let unsubscribe = () => {}
let onStatus: () => void

beforeEach(() => {
  vi.useFakeTimers()
  startAs()
  server = serve({ 'GET /api/wallet': () => json(aWallet('2', '0', NOW + 60_000)) })
  receiveSnapshot(MINING_URL, anActiveStatus({ asOf: NOW }))
  receiveSnapshot(WALLET_URL, aWallet('1', '0', NOW))
  unsubscribe = store.sub(walletAtom, () => {})
  onStatus = refetchWalletOnChange()
})
afterEach(() => {
  unsubscribe()
  vi.unstubAllGlobals()
  vi.useRealTimers()
})

function receive(changes: Partial<MiningStatus>): void {
  receiveSnapshot(MINING_URL, anActiveStatus({ asOf: NOW + 5_000, ...changes }))
  onStatus()
}
const reads = async () => {
  await vi.advanceTimersByTimeAsync(500)
  return server.count('GET /api/wallet')
}

it('a status with a credit reads a wallet that is older', async () => {
  receive({ rewardId: 'credit:5:4' })
  expect(await reads()).toBe(1)
  expect(snapshotOf(WALLET_URL)?.tesp[0]?.balance).toBe('2')
})

it.each([{ pendingRewards: '0.01000000' }, { pendingUsdtRewards: '0.01000000' }])(
  'a status with other pending amounts reads a wallet that is older: %o',
  async (changes) => {
    receive(changes)
    expect(await reads()).toBe(1)
  },
)

it('a status without a last credit reads no wallet', async () => {
  receive({ rewardId: null })
  expect(await reads()).toBe(0)
})

it('a status in which no money moved reads no wallet', async () => {
  receive({})
  expect(await reads()).toBe(0)
})

it('a wallet pushed with the status is not read again', async () => {
  receiveSnapshot(WALLET_URL, aWallet('2', '0', NOW + 5_000))
  receive({ rewardId: 'credit:5:4' })
  expect(await reads()).toBe(0)
})

it('a wallet that a command reads is not read twice', async () => {
  void refresh(WALLET_URL)
  await vi.advanceTimersByTimeAsync(100)
  receive({ pendingRewards: '0.00000000' })
  expect(await reads()).toBe(1)
})
