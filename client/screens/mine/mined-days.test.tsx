import { act, cleanup, fireEvent, screen, waitFor, within } from '@testing-library/react'
import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { receiveSnapshot } from '#client/data/member-data.ts'
import { refresh } from '#client/data/refresh.ts'
import { whenIdle } from '#client/first-load/when-idle.ts'
import { anIdleStatus, aWallet, NOW } from '#client/testing/fixtures.ts'
import { startAs } from '#client/testing/render.tsx'
import { json, serve } from '#client/testing/server.ts'
import { DAY_MS } from '#rules/constants'
import { openMine } from './testing/open-mine.tsx'

const amounts = ['0', '0.50000000', '2.39999999', '0.00000500', '1200', '0', '0.03333333']
const READ = 'GET /api/wallet/earnings'
const none = '0.00000000'
const days = (last = '0.03333333', asOf = NOW) => ({
  days: amounts.map((mining, index) => ({
    day: new Date(NOW - (6 - index) * DAY_MS).toISOString().slice(0, 10),
    mining: index === 6 ? last : mining,
    // What the team added is mined too; rewards are not.
    team: index === 1 ? '0.25000000' : none,
    rewards: '5.00000000',
    other: none,
    usdt: none,
  })),
  asOf,
})
const row = () => within(screen.getByRole('region', { name: 'Mined in the last 7 days (UTC)' }))
const shown = () =>
  row()
    .getAllByRole('definition')
    .map(({ textContent }) => textContent)

/** The reads so far; a wallet unlike that of the test before causes one more, which has ended. */
async function readsOf(server: ReturnType<typeof serve>): Promise<number> {
  await act(() => refresh())
  return server.count(READ)
}

beforeEach(() => startAs())
afterEach(() => {
  vi.restoreAllMocks()
  vi.unstubAllGlobals()
})

it('the last day that is held is not called today once it is over', async () => {
  serve({ [READ]: () => json(days()) })
  openMine(anIdleStatus({ serverNow: new Date(NOW + DAY_MS).toISOString() }))
  await waitFor(() => expect(shown().at(-1)).toBe('0.03'))
  expect(row().queryByText('Today')).toBeNull()
})

it('the last seven days are listed by weekday with two decimals', async () => {
  serve({ [READ]: () => json(days()) })
  openMine(anIdleStatus())
  await waitFor(() =>
    expect(shown()).toEqual(['0.00', '0.75', '2.39', '0.00', '1,200.00', '0.00', '0.03']),
  )
  const names = row()
    .getAllByRole('term')
    .map(({ textContent }) => textContent)
  expect(names).toEqual(['Mon', 'Tue', 'Wed', 'Thu', 'Fri', 'Sat', 'Today'])
})

it('the days are not read before they are on the screen', async () => {
  const place = vi.spyOn(HTMLElement.prototype, 'getBoundingClientRect')
  place.mockReturnValue(new DOMRect(0, window.innerHeight, 300, 100))
  const server = serve({ [READ]: () => json(days()) })
  openMine(anIdleStatus())
  await act(whenIdle)
  fireEvent.scroll(window)
  expect(shown()).toEqual(Array.from({ length: 7 }, () => '–'))
  expect(server.count(READ)).toBe(0)
  place.mockReturnValue(new DOMRect(0, window.innerHeight - 1, 300, 100))
  fireEvent.scroll(window)
  await waitFor(() => expect(shown()).toContain('2.39'))
  expect(server.count(READ)).toBe(1)
  expect(server.sent.at(-1)?.url.search).toBe('?days=7')
})

it('the days are read when a card above them that goes brings them onto the screen', async () => {
  const resize = new Set<() => void>()
  vi.stubGlobal(
    'ResizeObserver',
    class {
      constructor(private readonly callback: () => void) {}
      observe = () => resize.add(this.callback)
      disconnect = () => resize.delete(this.callback)
    },
  )
  const place = vi.spyOn(HTMLElement.prototype, 'getBoundingClientRect')
  place.mockReturnValue(new DOMRect(0, window.innerHeight, 300, 100))
  serve({ [READ]: () => json(days()) })
  openMine(anIdleStatus())
  await act(whenIdle)
  place.mockReturnValue(new DOMRect(0, window.innerHeight - 1, 300, 100))
  act(() => {
    for (const callback of resize) callback()
  })
  await waitFor(() => expect(shown()).toContain('2.39'))
  expect(resize.size).toBe(0)
})

it('the days are read again when the balance changes', async () => {
  let [today, asOf] = ['0.03333333', NOW]
  const server = serve({ [READ]: () => json(days(today, asOf)) })
  receiveSnapshot('/api/wallet', aWallet('1.00000000'))
  openMine(anIdleStatus())
  await waitFor(() => expect(shown()).toContain('0.03'))
  const reads = await readsOf(server)
  ;[today, asOf] = ['0.06666666', NOW + 1]
  act(() => receiveSnapshot('/api/wallet', aWallet('1.03333333', '0', NOW + 1)))
  await waitFor(() => expect(shown()).toContain('0.06'))
  expect(server.count(READ)).toBe(reads + 1)
  act(() => receiveSnapshot('/api/wallet', aWallet('1.03333333', '0.50000000', NOW + 2)))
  await waitFor(() => expect(server.count(READ)).toBe(reads + 2))
})

it('the days are read again if the balance changed while another screen was open', async () => {
  let [today, asOf] = ['0.03333333', NOW]
  const server = serve({ [READ]: () => json(days(today, asOf)) })
  receiveSnapshot('/api/wallet', aWallet('1.00000000'))
  openMine(anIdleStatus())
  await waitFor(() => expect(shown()).toContain('0.03'))
  const reads = await readsOf(server)
  cleanup()
  ;[today, asOf] = ['0.06666666', NOW + 1]
  receiveSnapshot('/api/wallet', aWallet('1.03333333', '0', NOW + 1))
  openMine(anIdleStatus())
  await waitFor(() => expect(shown()).toContain('0.06'))
  expect(server.count(READ)).toBe(reads + 1)
})

it('the days of a demo clock are marked', () => {
  serve({ [READ]: () => json(days()) })
  openMine(anIdleStatus({ speed: 240 }))
  expect(row().getByText('Demo clock ×240')).toBeTruthy()
})

it('the row is read again when the next UTC day of product time has begun', async () => {
  const server = serve({ [READ]: () => json(days()) })
  const asOf = Math.ceil(NOW / DAY_MS) * DAY_MS - 2_000
  openMine({ ...anIdleStatus(), serverNow: new Date(asOf).toISOString(), asOf: Date.now() })
  await waitFor(() => expect(server.count(READ)).toBe(1))
  await waitFor(() => expect(server.count(READ)).toBe(2), { timeout: 90_000 })
})
