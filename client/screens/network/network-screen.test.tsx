import { act, screen, waitFor, within } from '@testing-library/react'
import { userEvent } from '@testing-library/user-event'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { changeLanguage, loadTexts } from '#client/language/load-texts.ts'
import { showRestored } from '#client/live/connection-state.ts'
import { drawnOptions } from '#client/screens/testing/fake-echarts.ts'
import { pass } from '#client/screens/testing/retrying.ts'
import { NOW } from '#client/testing/fixtures.ts'
import { show, startAs } from '#client/testing/render.tsx'
import { json, refusal, serve } from '#client/testing/server.ts'
import { HOUR_MS, MINUTE_MS } from '#rules/constants'
import type { NetworkStatus } from '#rules/snapshots'
import { activityOption } from './activity-chart.tsx'
import { NetworkScreen } from './network-screen.tsx'
import { StatusCard } from './status-card.tsx'

vi.mock('echarts-for-react/esm/core', async () => {
  return (await import('#client/screens/testing/fake-echarts.ts')).echartsForReact
})

const network: NetworkStatus = {
  nodes: 1_204,
  blockHeight: 98_765,
  hashrate: 120.5,
  activity: Array.from({ length: 24 }, (_, hour) => {
    return { hour: new Date(NOW + (hour - 23) * HOUR_MS).toISOString(), credits: hour * 10 }
  }),
  aiStatus: {
    training: 71,
    dataProcessing: 80,
    accuracy: 96,
    allocation: { mining: 40, security: 25, analytics: 20, research: 15 },
  },
  asOf: NOW,
}

function open(answer: () => Response | Promise<Response> = () => json(network)) {
  const server = serve({ 'GET /api/network': answer })
  show(<NetworkScreen />)
  return server
}

beforeEach(() => startAs())
afterEach(() => {
  vi.useRealTimers()
  vi.unstubAllGlobals()
})

describe('network screen', () => {
  it('the network screen shows nodes, blocks, rate and the fixed texts', async () => {
    open()
    expect(await screen.findByText('1,204')).toBeTruthy()
    expect(screen.getByText('98,765')).toBeTruthy()
    expect(screen.getByText('120.500')).toBeTruthy()
    for (const text of [
      'Network Status',
      'TESP/h',
      '+12% from last week',
      'Average block time: 2.4s',
      'Last updated: 2 min ago',
    ]) {
      expect(screen.getByText(text)).toBeTruthy()
    }
  })

  it('the activity chart has a text alternative and a table', async () => {
    open()
    const chart = await screen.findByRole('img', { name: /^Bar chart: 2,760 credits/ })
    expect(chart).toBeTruthy()
    const rows = within(screen.getByRole('table')).getAllByRole('row')
    expect(rows).toHaveLength(25)
    expect(rows[24]?.textContent).toMatch(/230$/)
  })

  it('the chart library is loaded when a pointer reaches the bars', async () => {
    drawnOptions.length = 0
    open()
    const bars = await screen.findByRole('img', { name: /^Bar chart/ })
    expect(bars.querySelectorAll('rect')).toHaveLength(24)
    expect(drawnOptions).toEqual([])
    await userEvent.hover(bars)
    await waitFor(() => expect(drawnOptions).not.toEqual([]))
    expect(screen.getByRole('img', { name: /^Bar chart: 2,760 credits/ })).toBeTruthy()
  })

  it('an activity without credits is reported as such', async () => {
    const activity = network.activity.map((one) => ({ ...one, credits: 0 }))
    open(() => json({ ...network, activity }))
    expect(await screen.findByText('No credits in the last 24 hours')).toBeTruthy()
  })

  it('a single credit is reported in the singular', async () => {
    const activity = network.activity.map((one, hour) => ({ ...one, credits: hour === 3 ? 1 : 0 }))
    open(() => json({ ...network, activity }))
    await screen.findByRole('img', {
      name: /^Bar chart: 1 credit in the last 24 hours, at .+ [AP]M$/,
    })
  })

  it('the AI card shows progress and resource allocation', async () => {
    open()
    await screen.findByText('1,204')
    expect(screen.getByRole('heading', { name: 'AI Integration Status' })).toBeTruthy()
    const value = (name: string) =>
      screen.getByRole('progressbar', { name }).getAttribute('aria-valuenow')
    expect(value('Training')).toBe('71')
    expect(value('Data Processing')).toBe('80')
    expect(value('Accuracy')).toBe('96')
    const shares = ['Mining', 'Security', 'Analytics', 'Research'].map(
      (name) => screen.getByText(name).parentElement?.textContent,
    )
    expect(shares).toEqual(['Mining40%', 'Security25%', 'Analytics20%', 'Research15%'])
  })

  it('the network screen lists three updates and the coming features', async () => {
    open()
    await screen.findByText('1,204')
    const updates = screen.getByRole('heading', { name: 'Latest Updates' }).nextElementSibling
    expect(updates?.children).toHaveLength(3)
    const coming = within(screen.getByRole('region', { name: 'Coming Soon' }))
    expect(coming.getAllByRole('listitem').map(({ textContent }) => textContent)).toEqual([
      'Team chat and messaging',
      'Transaction explorer',
      'Network participation rewards',
      'Advanced mining statistics',
    ])
  })

  it('the network screen shows no figure before the answer', async () => {
    const server = open(() => new Promise(() => {}))
    await waitFor(() => expect(server.count('GET /api/network')).toBe(1))
    expect(screen.getByText('Nodes')).toBeTruthy()
    expect(screen.queryByText('0')).toBeNull()
    expect(screen.queryByText('TESP/h')).toBeNull()
    expect(screen.queryByText('0%')).toBeNull()
  })

  it('figures of an open screen are read again after two minutes', async () => {
    vi.useFakeTimers()
    const server = open()
    await pass(MINUTE_MS)
    expect(server.count('GET /api/network')).toBe(1)
    await pass(1.5 * MINUTE_MS)
    expect(server.count('GET /api/network')).toBe(2)
  })

  it('figures that were read hours ago say so when the network is lost, not when it was', async () => {
    show(<StatusCard network={{ ...network, asOf: Date.now() - 3 * HOUR_MS }} />)
    act(() => showRestored(Date.now() - 20_000))
    expect(await screen.findByText('Last known 3 h ago')).toBeTruthy()
  })

  it('a failed network read offers Try Again', async () => {
    let isDown = true
    open(() => (isDown ? refusal(500, 'Something went wrong') : json(network)))
    expect(await screen.findByText('Failed to load network information')).toBeTruthy()
    isDown = false
    await userEvent.click(screen.getByRole('button', { name: 'Try Again' }))
    expect(await screen.findByText('1,204')).toBeTruthy()
  })
})

it('the activity chart draws a bar for every hour, even without credits', () => {
  const hours = network.activity.map((_, hour) => ({
    label: `${hour}`,
    credits: hour === 3 ? 0 : 7,
  }))
  const [bars] = activityOption(hours).series
  expect(bars?.type).toBe('bar')
  expect(bars?.data).toEqual(hours.map(({ credits }) => credits))
  expect(bars?.barMinHeight).toBeGreaterThan(0)
})

it('the credits that the activity chart tells of a touched bar are grouped as the language does', async () => {
  await loadTexts('network')
  const [bars] = activityOption([{ label: '8', credits: 1_234 }]).series
  expect(bars?.tooltip.valueFormatter(1_234)).toBe('1,234')
  await changeLanguage('vi')
  expect(bars?.tooltip.valueFormatter(1_234)).toBe('1.234')
  await changeLanguage('en')
})
