import { act, screen, waitFor } from '@testing-library/react'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { receiveSnapshot } from '#client/data/member-data.ts'
import { activities, anActivity, NOW } from '#client/testing/fixtures.ts'
import { show, startAs } from '#client/testing/render.tsx'
import { json, lost, serve } from '#client/testing/server.ts'
import { NEXT_CURSOR_HEADER } from '#contract/headers'
import { DAY_MS, INTERVAL_MS } from '#rules/constants'
import type { Activity } from '#rules/snapshots'
import { daysOf } from './activity-days.tsx'
import { activityList, startOfDay, sumsOf } from './activity-list.ts'
import { ActivityTab } from './activity-tab.tsx'

it('activity rows are split by day in their order, in the time zone of the browser', () => {
  const rows = activities(0, 200)
  const days = daysOf(rows)
  expect(days.flatMap(({ items }) => items)).toEqual(rows)
  for (const { day, items } of days) {
    const shown = new Set(items.map(({ timestamp }) => new Date(timestamp).getDate()))
    expect([...shown]).toEqual([new Date(day).getDate()])
  }
  expect(new Set(days.map(({ day }) => day)).size).toBe(days.length)
  // Three days and a part of a fourth one at least.
  expect(days.length).toBeGreaterThanOrEqual(3)
})

it('rows of a demo clock are split by the day of their real time', () => {
  // Ten days of product time in four hours.
  const clock = { speed: 60, offsetMs: NOW - NOW / 60 }
  const rows = activities(0, 200)
  const last = new Date(clock.offsetMs + Date.parse(rows.at(-1)?.timestamp ?? '') / 60)
  const days = daysOf(rows, clock).map(({ day }) => day)
  expect(days[0]).toBe(startOfDay(new Date(NOW).toISOString()))
  expect(days.at(-1)).toBe(startOfDay(last.toISOString()))
  expect(days.length).toBeLessThanOrEqual(2)
})

it('rows added at both ends leave the days between them unchanged', () => {
  const before = daysOf(activities(0, 200))
  const after = daysOf(activities(-1, 300))
  expect(after.slice(1, 3)).toEqual(before.slice(1, 3))
})

describe('sums of rows', () => {
  it('sums are exact, and outgoing amounts are subtracted', () => {
    const rows = [
      anActivity(0, { amount: '0.10000000' }),
      anActivity(1, { amount: '0.20000000' }),
      anActivity(2, { amount: '-0.30000001' }),
      anActivity(3, { amount: '0.00000007', tokenType: 'USDT' }),
    ]
    expect(sumsOf(rows)).toEqual([
      { amount: '-0.00000001', tokenType: 'TESP' },
      { amount: '0.00000007', tokenType: 'USDT' },
    ])
  })

  it('a token without rows has no sum, unless some are not read yet', () => {
    expect(sumsOf([anActivity(0)])).toEqual([{ amount: '0.03333333', tokenType: 'TESP' }])
    const unread = { tesp: '1.00000000', usdt: '0.50000000' }
    expect(sumsOf([anActivity(0)], unread)).toEqual([
      { amount: '1.03333333', tokenType: 'TESP' },
      { amount: '0.50000000', tokenType: 'USDT' },
    ])
  })
})

describe('days of the list', () => {
  const page = (items: Activity[], next: string | null = null, asOf = NOW) =>
    receiveSnapshot('/api/wallet/activity', { items, next, asOf })
  /** The heads of the days as `date: sums`. */
  const heads = () =>
    screen
      .getAllByRole('heading', { level: 3 })
      .map((head) => head.nextElementSibling?.textContent?.replace('Sum of the day: ', ''))

  beforeEach(() => {
    startAs()
    // The next page is not loaded by itself.
    vi.stubGlobal('IntersectionObserver', undefined)
  })
  afterEach(() => vi.unstubAllGlobals())

  it('each day of a complete list has its date and its sum', () => {
    const [today, yesterday] = [0, DAY_MS / INTERVAL_MS]
    page([anActivity(today), anActivity(yesterday), anActivity(yesterday + 1)])
    show(<ActivityTab />)
    expect(heads()).toEqual(['+0.0333 TESP', '+0.0666 TESP'])
    const dates = screen.getAllByRole('heading', { level: 3 }).map(({ id }) => id)
    const lists = screen
      .getAllByRole('list')
      .flatMap((list) => list.getAttribute('aria-labelledby') ?? [])
    expect(lists).toEqual(dates)
  })

  it('the sum of a day that the page cuts includes the rows that are not read', async () => {
    const server = serve({
      'GET /api/wallet/activity/sums': () => json({ tesp: '1.00000000', usdt: '0.05000000' }),
    })
    page(activities(0, 2), '1.2')
    show(<ActivityTab />)
    expect(heads()).toEqual(['–'])
    await waitFor(() => expect(heads()).toEqual(['+1.0666 TESP\u00a0· +0.05 USDT']))
    const start = new Date(NOW - INTERVAL_MS)
    start.setHours(0, 0, 0, 0)
    const asked = server.sent.find(({ route }) => route === 'GET /api/wallet/activity/sums')
    expect(Object.fromEntries(asked?.url.searchParams ?? [])).toEqual({
      before: '1.2',
      since: start.toISOString(),
    })
  })

  it('an older page of the same day leaves the rows on the screen as they are', async () => {
    serve({
      'GET /api/wallet/activity/sums': () => json({ tesp: '0', usdt: '0' }),
      'GET /api/wallet/activity': () => json(activities(2, 4), { [NEXT_CURSOR_HEADER]: '1.4' }),
    })
    page(activities(0, 2), '1.2')
    show(<ActivityTab />)
    const [row] = screen.getAllByRole('listitem')
    await act(activityList.loadOlder)
    await waitFor(() => expect(screen.getAllByRole('listitem')).toHaveLength(4))
    expect(row?.isConnected).toBe(true)
  })

  it('a new row on the page asks for the sum of the rows behind it again', async () => {
    const server = serve({
      'GET /api/wallet/activity/sums': ({ url }) =>
        json({ tesp: url.searchParams.get('before') === '1.2' ? '1' : '2', usdt: '0' }),
    })
    page(activities(0, 2), '1.2')
    show(<ActivityTab />)
    await waitFor(() => expect(heads()).toEqual(['+1.0666 TESP']))
    act(() => page(activities(-1, 1), '0.9', NOW + 1))
    await waitFor(() => expect(heads()).toEqual(['+2.0666 TESP']))
    expect(server.count('GET /api/wallet/activity/sums')).toBe(2)
  })

  it('a sum that cannot be read is a dash, never a part of the day', async () => {
    const server = serve({ 'GET /api/wallet/activity/sums': lost })
    page(activities(0, 2), '1.2')
    show(<ActivityTab />)
    await waitFor(() => expect(server.count('GET /api/wallet/activity/sums')).toBe(1))
    expect(heads()).toEqual(['–'])
  })
})
