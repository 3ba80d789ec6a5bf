import { waitFor } from '@testing-library/react'
import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { activityAtom, receiveSnapshot, walletAtom } from '#client/data/member-data.ts'
import { store } from '#client/data/query-cache.ts'
import { queriesNotified, queriesSettled } from '#client/screens/testing/queries.ts'
import { eventually } from '#client/testing/eventually.ts'
import { aWallet, NOW } from '#client/testing/fixtures.ts'
import { startAs } from '#client/testing/render.tsx'
import { json, serve } from '#client/testing/server.ts'
import { completedAtom } from './completed-tasks.ts'
import { claimTask } from './task-commands.ts'

let server: ReturnType<typeof serve>
const reads = () => server.count('GET /api/tasks/completed')

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
  await queriesNotified()
})
afterEach(() => {
  vi.useRealTimers()
  vi.unstubAllGlobals()
})

it('completed tasks are fresh for 60 seconds', async () => {
  const subscribe = () => store.sub(completedAtom, () => {})
  subscribe()()
  const unsubscribe = subscribe()
  await waitFor(() => expect(reads()).toBe(1))
  await queriesSettled()
  unsubscribe()
  subscribe()()
  await queriesSettled()
  expect(reads()).toBe(1)
  vi.useFakeTimers({ now: Date.now() + 61_000, toFake: ['Date'] })
  const unsubscribeAgain = subscribe()
  await eventually(() => expect(reads()).toBe(2))
  unsubscribeAgain()
})

it('a claim reads completed tasks, wallet and activity again', async () => {
  receiveSnapshot('/api/wallet', aWallet())
  receiveSnapshot('/api/wallet/activity', { items: [], next: null, asOf: NOW })
  const unsubscribes = [completedAtom, walletAtom, activityAtom].map((atom) =>
    store.sub(atom, () => {}),
  )
  await waitFor(() => expect(reads()).toBe(1))
  await queriesSettled()
  await claimTask('join_telegram')
  await waitFor(() => expect(reads()).toBe(2))
  expect(server.count('GET /api/wallet')).toBe(1)
  expect(server.count('GET /api/wallet/activity')).toBe(1)
  for (const unsubscribe of unsubscribes) unsubscribe()
})
