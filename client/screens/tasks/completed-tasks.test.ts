import { waitFor } from '@testing-library/react'
import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import {
  ACTIVITY_URL,
  activityAtom,
  queryClient,
  receiveSnapshot,
  store,
  WALLET_URL,
  walletAtom,
} from '#client/data/member-data.ts'
import { aWallet, NOW } from '#client/testing/fixtures.ts'
import { startAs } from '#client/testing/render.tsx'
import { json, serve } from '#client/testing/server.ts'
import { completedAtom } from './completed-tasks.ts'
import { claimTask } from './task-actions.ts'

let server: ReturnType<typeof serve>
const asked = () => server.count('GET /api/tasks/completed')
const settled = () => waitFor(() => expect(queryClient.isFetching()).toBe(0))

beforeEach(async () => {
  localStorage.clear()
  server = serve({
    'GET /api/tasks/completed': () => json({ completedTasks: [] }),
    'POST /api/tasks/complete': () =>
      json({ success: true, message: '', reward: { amount: 1, type: 'TESP' } }),
    'GET /api/wallet': () => json(aWallet('1', '0', NOW + 1)),
    'GET /api/wallet/activity': () => json([], { 'X-As-Of': `${NOW + 1}` }),
  })
  startAs()
  await new Promise((resolve) => setTimeout(resolve))
})
afterEach(() => {
  vi.useRealTimers()
  vi.unstubAllGlobals()
})

it('are good for 60 seconds, and not read again when the window gets the focus', async () => {
  const appear = () => store.sub(completedAtom, () => {})
  appear()()
  const leave = appear()
  await waitFor(() => expect(asked()).toBe(1))
  await settled()
  window.dispatchEvent(new Event('focus'))
  leave()
  appear()()
  await settled()
  expect(asked()).toBe(1)
  vi.useFakeTimers({ now: Date.now() + 61_000, toFake: ['Date'] })
  const leaveAgain = appear()
  await vi.waitFor(() => expect(asked()).toBe(2))
  leaveAgain()
})

it('are read again after a claim, and so are wallet and activity', async () => {
  receiveSnapshot(WALLET_URL, aWallet())
  receiveSnapshot(ACTIVITY_URL, { items: [], next: null, asOf: NOW })
  const leave = [completedAtom, walletAtom, activityAtom].map((atom) => store.sub(atom, () => {}))
  await waitFor(() => expect(asked()).toBe(1))
  await settled()
  await claimTask('join_telegram')
  await waitFor(() => expect(asked()).toBe(2))
  expect(server.count('GET /api/wallet')).toBe(1)
  expect(server.count('GET /api/wallet/activity')).toBe(1)
  for (const end of leave) end()
})
