import { act, fireEvent, screen, waitFor, within } from '@testing-library/react'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { receiveSnapshot } from '#client/data/member-data.ts'
import { activities, anActivity, anIdleStatus, aWallet, NOW } from '#client/testing/fixtures.ts'
import { show, startAs } from '#client/testing/render.tsx'
import { json, lost, refusal, serve } from '#client/testing/server.ts'
import { DAY_MS } from '#rules/constants'
import type { Activity } from '#rules/snapshots'
// Loaded before the tests: the screen imports the chart lazily, which is slow on a busy machine.
import './allocation-chart.tsx'
import { WalletScreen } from './wallet-screen.tsx'

vi.mock('echarts-for-react/esm/core', async () => {
  return (await import('#client/screens/testing/fake-echarts.ts')).echartsForReact
})

const chart = () => screen.getByRole('button', { name: 'Chart' })

async function openTab(name: string) {
  fireEvent.click(screen.getByRole('tab', { name }))
  await screen.findByRole('tabpanel', { name })
}

beforeEach(() => {
  startAs()
  window.history.replaceState(null, '')
})
afterEach(() => vi.unstubAllGlobals())

describe('assets', () => {
  it('TESP has four decimals and USDT two, both cut towards zero', () => {
    receiveSnapshot('/api/wallet', aWallet('18.40279999', '4.21999999'))
    show(<WalletScreen />)
    expect(screen.getByText('18.4027')).toBeTruthy()
    expect(screen.getAllByText('$4.21')).toHaveLength(2)
    expect(chart()).toHaveProperty('disabled', false)
  })

  it('an empty wallet explains how to start and disables the chart', () => {
    receiveSnapshot('/api/wallet', { tesp: [], usdtBalance: '0.00000000', asOf: NOW })
    show(<WalletScreen />)
    expect(screen.getByText('0.0000')).toBeTruthy()
    expect(screen.getAllByText('$0.00')).toHaveLength(2)
    expect(
      screen.getByText('Start mining to receive cryptocurrency into your wallet!'),
    ).toBeTruthy()
    expect(chart()).toHaveProperty('disabled', true)
  })

  it('an unknown balance is never shown as zero', async () => {
    const server = serve({ 'GET /api/wallet': () => new Promise(() => {}) })
    show(<WalletScreen />)
    await waitFor(() => expect(server.count('GET /api/wallet')).toBe(1))
    expect(screen.queryByText(/0\.00/)).toBeNull()
    expect(chart()).toHaveProperty('disabled', true)
  })

  it('Back from a page that the activity leads to returns to the activity', async () => {
    receiveSnapshot('/api/wallet', aWallet('1.5'))
    serve({ 'GET /api/wallet/activity': json([]) })
    const { unmount } = show(<WalletScreen />)
    await openTab('Activity')
    unmount()
    show(<WalletScreen />)
    expect(screen.getByRole('tab', { name: 'Activity' }).getAttribute('aria-selected')).toBe('true')
  })

  it('a failed wallet read keeps the heading and offers Try Again', async () => {
    let isUp = false
    serve({
      'GET /api/wallet': () => (isUp ? json(aWallet('1.5')) : refusal(500, 'Something')),
    })
    show(<WalletScreen />)
    await screen.findByText('Failed to load wallet information')
    expect(screen.getByRole('heading', { level: 1, name: 'My Wallet' })).toBeTruthy()
    isUp = true
    fireEvent.click(screen.getByRole('button', { name: 'Try Again' }))
    await screen.findByText('1.5000')
  })

  it('the allocation dialog shows a chart and a table of the assets with their total', async () => {
    receiveSnapshot('/api/wallet', aWallet('18.40276331', '0'))
    show(<WalletScreen />)
    fireEvent.click(chart())
    const dialog = await screen.findByRole('dialog', { name: 'Asset Allocation' })
    await within(dialog).findByRole('img', { name: 'Donut chart: 18.4027 TESP' })
    const rows = within(dialog).getAllByRole('row', { hidden: true })
    expect(rows.map((row) => row.textContent)).toEqual([
      'AssetValue',
      'TESP18.4027',
      'Total value$0.00',
    ])
  })
})

describe('activity', () => {
  const page = (items: Activity[], next: string | null = null) =>
    receiveSnapshot('/api/wallet/activity', { items, next, asOf: NOW })

  beforeEach(() => receiveSnapshot('/api/wallet', aWallet()))

  it('an activity row shows title, signed amount and time', async () => {
    page([
      anActivity(0),
      anActivity(1, { type: 'usdt_reward', tokenType: 'USDT', amount: '0.05230000' }),
      anActivity(2, { type: 'other', description: 'Task reward', amount: '2.00000000' }),
      anActivity(3, { type: 'transfer', description: '', amount: '-1.50000000' }),
      anActivity(4, { amount: '0.00002777' }),
    ])
    show(<WalletScreen />)
    await openTab('Activity')
    const rows = screen.getAllByRole('listitem')
    const parts = rows.map((row) => [
      row.querySelector('p')?.textContent,
      row.querySelector('.figure')?.textContent,
    ])
    expect(parts).toEqual([
      ['Mining Reward', '+0.0333'],
      ['USDT Reward', '+0.05'],
      ['Task reward', '+2.0000'],
      ['Transaction', '−1.5000'],
      ['Mining Reward', '+<0.0001'],
    ])
    expect(rows[0]?.querySelector('time')?.dateTime).toBe(anActivity(0).timestamp)
  })

  it('an empty activity shows a notice', async () => {
    page([])
    show(<WalletScreen />)
    await openTab('Activity')
    expect(screen.getByText('No transactions yet')).toBeTruthy()
    expect(screen.queryByRole('button', { name: 'Try Again' })).toBeNull()
  })

  it('an activity that could not be read offers Try Again', async () => {
    serve({ 'GET /api/wallet/activity': lost })
    show(<WalletScreen />)
    await openTab('Activity')
    await screen.findByText('No transactions yet')
    serve({ 'GET /api/wallet/activity': () => json([anActivity(0)], { 'X-As-Of': `${NOW}` }) })
    fireEvent.click(await screen.findByRole('button', { name: 'Try Again' }))
    await screen.findByText('Mining Reward')
  })

  it.each([
    ['rows', [anActivity(0)], 'Mining Reward'],
    ['no rows', [], 'No transactions yet'],
  ])('Try Again that reads %s leaves the focus in the panel', async (_, items, text) => {
    serve({ 'GET /api/wallet/activity': lost })
    show(<WalletScreen />)
    await openTab('Activity')
    const button = await screen.findByRole('button', { name: 'Try Again' })
    serve({ 'GET /api/wallet/activity': () => json(items, { 'X-As-Of': `${NOW}` }) })
    act(() => button.focus())
    fireEvent.click(button)
    await waitFor(() => expect(button.isConnected).toBe(false))
    expect(screen.getByText(text)).toBeTruthy()
    const panel = screen.getByRole('region', { name: 'Recent Activity' })
    await waitFor(() => expect(document.activeElement).toBe(panel))
  })

  it('Load more appends older rows while new rows still come on top', async () => {
    const server = serve({
      'GET /api/wallet/activity': () => json(activities(50, 60), { 'X-As-Of': `${NOW}` }),
    })
    page(activities(0, 50), 'after 50')
    show(<WalletScreen />)
    await openTab('Activity')
    fireEvent.click(screen.getByRole('button', { name: 'Load more' }))
    await waitFor(() => expect(screen.getAllByRole('listitem')).toHaveLength(60))
    const read = server.sent.find(({ route }) => route === 'GET /api/wallet/activity')
    expect(read?.url.search).toBe('?before=after+50')
    expect(screen.queryByRole('button', { name: 'Load more' })).toBeNull()
    act(() =>
      receiveSnapshot('/api/wallet/activity', {
        items: activities(-1, 19),
        next: 'x',
        asOf: NOW + 1,
      }),
    )
    await waitFor(() => expect(screen.getAllByRole('listitem')).toHaveLength(61))
  })

  it('a failed read of older rows offers Try Again', async () => {
    page(activities(0, 50), 'after 50')
    serve({ 'GET /api/wallet/activity': lost })
    show(<WalletScreen />)
    await openTab('Activity')
    fireEvent.click(screen.getByRole('button', { name: 'Load more' }))
    await screen.findByText('Older activity could not be loaded')
    expect(screen.getByRole('button', { name: 'Try Again' })).toBeTruthy()
  })
})

it('the Transactions tab announces the feature', async () => {
  receiveSnapshot('/api/wallet', aWallet())
  show(<WalletScreen />)
  await openTab('Transactions')
  expect(screen.getByText('Transaction feature will be available in the future')).toBeTruthy()
})

it('large amounts have thousands separators and show eight decimals on tap', async () => {
  receiveSnapshot('/api/wallet', aWallet('98765432109.87654321', '987654321.76543210'))
  show(<WalletScreen />)
  expect(screen.getAllByText('$987,654,321.76')).toHaveLength(2)
  fireEvent.click(
    screen.getByRole('button', { name: '98,765,432,109.8765 TESP, show all decimals' }),
  )
  expect((await screen.findByRole('tooltip')).textContent).toBe('98,765,432,109.87654321 TESP')
})

it('an activity row opens its receipt and gets the focus back', async () => {
  receiveSnapshot('/api/wallet', aWallet())
  const row = anActivity(0, { tokenType: 'USDT', type: 'usdt_reward', amount: '0.00123456' })
  receiveSnapshot('/api/wallet/activity', { items: [row], next: null, asOf: NOW })
  show(<WalletScreen />)
  await openTab('Activity')
  expect(within(screen.getByRole('listitem')).getByText('+<0.01')).toBeTruthy()
  const button = screen.getByRole('button', { name: 'USDT Reward' })
  act(() => button.focus())
  fireEvent.click(button)
  const receipt = within(await screen.findByRole('dialog', { name: 'USDT Reward' }))
  const facts = receipt.getAllByRole('definition').map(({ textContent }) => textContent)
  expect(facts[0]).toBe('+0.00123456 USDT')
  expect(facts).toContainEqual(expect.stringContaining(row.id))
  fireEvent.click(receipt.getByRole('button', { name: 'Close' }))
  await waitFor(() => expect(document.activeElement).toBe(button))
})

it('times of a demo clock are shown as real times and marked', async () => {
  receiveSnapshot('/api/wallet', aWallet())
  const productNow = new Date(NOW + 10 * DAY_MS).toISOString()
  receiveSnapshot('/api/mining/status', anIdleStatus({ serverNow: productNow, speed: 60 }))
  const row = anActivity(0, { timestamp: productNow })
  receiveSnapshot('/api/wallet/activity', { items: [row], next: null, asOf: NOW })
  show(<WalletScreen />)
  await openTab('Activity')
  const shown = screen.getByRole('listitem').querySelector('time')
  expect(shown?.dateTime).toBe(new Date(NOW).toISOString())
  expect(screen.getByText('Demo clock ×60')).toBeTruthy()
})

describe('a row that stands for several credits', () => {
  const rowOf = (id: string) => anActivity(0, { id, amount: '0.06666667' })
  const credits = [
    anActivity(1, { id: 'credit:71:3', amount: '0.03333334' }),
    anActivity(2, { id: 'credit:71:2', amount: '0.03333333' }),
  ]
  async function openReceipt(id: string) {
    receiveSnapshot('/api/wallet', aWallet())
    receiveSnapshot('/api/wallet/activity', { items: [rowOf(id)], next: null, asOf: NOW })
    show(<WalletScreen />)
    await openTab('Activity')
    fireEvent.click(screen.getByRole('button', { name: 'Mining Reward · 2 credits' }))
    return within(await screen.findByRole('dialog', { name: 'Mining Reward · 2 credits' }))
  }

  it('a rolled-up row names its number of credits, and its receipt lists them', async () => {
    const server = serve({ 'GET /api/wallet/credits': () => json(credits) })
    const receipt = await openReceipt('credit:71:2-3')
    const items = await receipt.findAllByRole('listitem')
    expect(items.map((item) => item.textContent)).toEqual([
      expect.stringContaining('+0.03333334'),
      expect.stringContaining('+0.03333333'),
    ])
    expect(server.sent.at(-1)?.url.search).toBe('?id=credit%3A71%3A2-3')
  })

  it('credits of a rolled-up row that cannot be read leave the rest of its receipt', async () => {
    serve({ 'GET /api/wallet/credits': () => refusal(500, 'Something went wrong') })
    const receipt = await openReceipt('credit:72:2-3')
    await receipt.findByText('The single credits could not be loaded')
    expect(receipt.getByText(/0\.06666667/)).toBeTruthy()
  })
})
