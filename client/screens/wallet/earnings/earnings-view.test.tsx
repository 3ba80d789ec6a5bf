import { act, fireEvent, screen, waitFor, within } from '@testing-library/react'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { receiveSnapshot } from '#client/data/member-data.ts'
import { refresh } from '#client/data/refresh.ts'
import { daysUntil } from '#client/screens/testing/earnings.ts'
import { drawnOptions } from '#client/screens/testing/fake-echarts.ts'
import { anIdleStatus, NOW } from '#client/testing/fixtures.ts'
import { show, startAs } from '#client/testing/render.tsx'
import { json, refusal, serve } from '#client/testing/server.ts'
import { DAY_MS, EARNINGS_DAYS } from '#rules/constants'
import type { Earnings, EarningsDay } from '#rules/snapshots'
// Loaded before the tests: the view imports the chart lazily, which is slow on a busy machine.
import './earnings-chart.tsx'
import { EarningsView } from './earnings-view.tsx'

vi.mock('echarts-for-react/esm/core', async () => {
  return (await import('#client/screens/testing/fake-echarts.ts')).echartsForReact
})

const READ = 'GET /api/wallet/earnings'

/** Ninety days up to March 1; `sharesOf` takes how many days ago a day is. */
function earningsOf(sharesOf: (daysAgo: number) => Partial<EarningsDay>): Earnings {
  const days = daysUntil('2026-03-01', EARNINGS_DAYS, (nth) => sharesOf(EARNINGS_DAYS - 1 - nth))
  return { days, asOf: NOW }
}

const RECENT = earningsOf((daysAgo) => {
  if (daysAgo === 0) return { mining: '0.80000000', usdt: '0.05500000' }
  if (daysAgo === 1) return { mining: '2.40000000', team: '0.24000000', rewards: '1.00000000' }
  if (daysAgo === 20) return { mining: '2.40000000', other: '-0.50000001' }
  return {}
})

function open(answer: () => Response | Promise<Response>) {
  const server = serve({ [READ]: answer })
  show(<EarningsView />)
  return server
}

const choose = (days: number) =>
  fireEvent.click(screen.getByRole('tab', { name: `${days} days`, hidden: true }))
const fact = (name: string) => screen.getByText(name).parentElement?.textContent
const rowsOf = (table: HTMLElement) =>
  within(table)
    .getAllByRole('row')
    .map((row) => [...row.children].map(({ textContent }) => textContent))

beforeEach(() => {
  startAs()
  drawnOptions.length = 0
})
afterEach(() => vi.unstubAllGlobals())

describe('figures of earnings', () => {
  it('total, best day and days in a row belong to the period, and one read serves every period', async () => {
    const server = open(() => json(RECENT))
    await screen.findByText('Best day')
    expect(fact('Total TESP')).toBe('Total TESP4.4400')
    expect(fact('Total USDT')).toBe('Total USDT0.05')
    expect(fact('Best day')).toBe('Best day3.6400 TESPFeb 28')
    expect(fact('Days in a row')).toBe('Days in a row2 days')
    choose(30)
    await waitFor(() => expect(fact('Total TESP')).toBe('Total TESP6.3399'))
    expect(server.count(READ)).toBe(1)
    expect(server.sent.at(-1)?.url.search).toBe('?days=90')
  })

  it('days in a row that fill what was read may be more', async () => {
    open(() => json(earningsOf(() => ({ mining: '2.40000000' }))))
    await screen.findByText('90 days or more')
  })

  it('the sources add up to the total, corrections are one where there are any', async () => {
    open(() => json(RECENT))
    const sources = await screen.findByRole('table', { name: 'By source' })
    expect(rowsOf(sources).slice(1)).toEqual([
      ['Mining', '3.2000'],
      ['Team boost', '0.2400'],
      ['Tasks and milestones', '1.0000'],
    ])
    choose(90)
    const all = await screen.findByRole('table', { name: 'By source' })
    await waitFor(() => expect(rowsOf(all)).toHaveLength(5))
    expect(rowsOf(all).at(-1)).toEqual(['Corrections', '−0.5000'])
  })

  it('bars are named for a screen reader, USDT stands apart and only if there is any', async () => {
    let answer = RECENT
    open(() => json(answer))
    await screen.findByRole('img', {
      name: 'Bar chart: 4.4400 TESP in 7 days; most on Saturday, February 28, 2026: 3.6400 TESP',
    })
    expect(screen.getByRole('img', { name: /USDT in 7 days/ })).toBeTruthy()
    const [tesp] = drawnOptions
    expect(tesp?.series.map(({ data }) => data)).toEqual([
      [0, 0, 0, 0, 0, 2.4, 0.8],
      [0, 0, 0, 0, 0, 0.24, 0],
      [0, 0, 0, 0, 0, 1, 0],
    ])
    const without = RECENT.days.map((day) => ({ ...day, usdt: '0.00000000' }))
    answer = { days: without, asOf: NOW + 1 }
    await act(() => refresh('/api/wallet/earnings?days=90'))
    await waitFor(() => expect(screen.queryByRole('img', { name: /USDT/ })).toBeNull())
  })

  it('the table shows the same days, newest first, and leaves out those without rows', async () => {
    open(() => json(RECENT))
    await screen.findByText('Best day')
    const button = screen.getByRole('button', { name: 'Show as table' })
    expect(button.getAttribute('aria-expanded')).toBe('false')
    expect(screen.queryByRole('region', { name: 'Earnings by day' })).toBeNull()
    fireEvent.click(button)
    const table = () =>
      within(screen.getByRole('region', { name: 'Earnings by day' })).getByRole('table')
    expect(rowsOf(table())).toEqual([
      ['Day', 'Mining', 'Team', 'Rewards', 'USDT'],
      ['Mar 1', '0.8000', '0.0000', '0.0000', '0.05'],
      ['Feb 28', '2.4000', '0.2400', '1.0000', '0.00'],
    ])
    // Outside of what scrolls sideways.
    expect(
      screen.getByText('Days without earnings are left out.').closest('.overflow-x-auto'),
    ).toBeNull()
    fireEvent.click(screen.getByRole('button', { name: 'Hide table' }))
    expect(screen.queryByRole('region', { name: 'Earnings by day' })).toBeNull()
  })
})

describe('earnings that are not known', () => {
  it('are announced while they load and never shown as zero', async () => {
    const server = open(() => new Promise(() => {}))
    await waitFor(() => expect(server.count(READ)).toBe(1))
    expect(screen.getByRole('status').textContent).toBe('Loading earnings')
    expect(screen.queryByText(/0\.00|Nothing earned/)).toBeNull()
  })

  it('offer Try Again after a failed read', async () => {
    let isUp = false
    open(() => (isUp ? json(RECENT) : refusal(500, 'Something')))
    await screen.findByText('Earnings could not be loaded')
    expect(screen.queryByRole('tab')).toBeNull()
    isUp = true
    fireEvent.click(screen.getByRole('button', { name: 'Try Again' }))
    await screen.findByText('Best day')
  })

  it('stay as they were if a later read fails', async () => {
    let isUp = true
    const server = open(() => (isUp ? json(RECENT) : refusal(500, 'Something')))
    await screen.findByText('Best day')
    isUp = false
    await act(() => refresh('/api/wallet/earnings?days=90'))
    await waitFor(() => expect(server.count(READ)).toBeGreaterThan(1))
    expect(fact('Total TESP')).toBe('Total TESP4.4400')
    expect(screen.queryByText('Earnings could not be loaded')).toBeNull()
  })
})

it('a period without earnings says so and leads to Mine, a longer one shows its own', async () => {
  open(() => json(earningsOf((daysAgo) => (daysAgo === 20 ? { mining: '2.40000000' } : {}))))
  await screen.findByText('Nothing earned in the last 7 days')
  expect(screen.getByRole('link', { name: 'Go to Mine' }).getAttribute('href')).toBe('/mine')
  expect(screen.queryByRole('img')).toBeNull()
  choose(30)
  await screen.findByText('Best day')
  expect(fact('Days in a row')).toBe('Days in a row0 days')
})

it('days of a demo clock are marked', async () => {
  const productNow = new Date(NOW + 10 * DAY_MS).toISOString()
  receiveSnapshot('/api/mining/status', anIdleStatus({ serverNow: productNow, speed: 60 }))
  open(() => json(RECENT))
  await screen.findByText('Best day')
  expect(screen.getByText('Demo clock ×60')).toBeTruthy()
  expect(screen.queryByText('Days are in UTC.')).toBeNull()
})
