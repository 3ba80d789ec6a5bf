import { act, fireEvent, screen, within } from '@testing-library/react'
import { beforeEach, expect, it, vi } from 'vitest'
import { receiveSnapshot } from '#client/data/member-data.ts'
import { drawnOptions } from '#client/screens/testing/fake-echarts.ts'
import { anActivity, aWallet, NOW } from '#client/testing/fixtures.ts'
import { show, startAs } from '#client/testing/render.tsx'
import { AllocationChart } from './allocation-chart.tsx'
import { WalletScreen } from './wallet-screen.tsx'

vi.mock('echarts-for-react/esm/core', async () => {
  return (await import('#client/screens/testing/fake-echarts.ts')).echartsForReact
})

beforeEach(() => startAs())

it('the wallet screen is headed My Wallet with the total assets above three tabs', () => {
  receiveSnapshot('/api/wallet', aWallet('18.40000000', '4.21839000'))
  show(<WalletScreen />)
  const heading = screen.getByRole('heading', { name: 'My Wallet' })
  const header = heading.closest('header')
  expect(header?.textContent).toContain('Total assets')
  expect(header?.textContent).toContain('$4.21')
  expect(screen.getAllByRole('tab').map(({ textContent }) => textContent)).toEqual([
    'Assets',
    'Activity',
    'Transactions',
  ])
})

it('the total names the TESP, which has no price, and Swap has a link', () => {
  receiveSnapshot('/api/wallet', aWallet('2.40000000', '0.00000000'))
  show(<WalletScreen />)
  const header = screen.getByRole('heading', { name: 'My Wallet' }).closest('header')
  expect(header?.textContent).toContain('$0.00')
  expect(header?.textContent).toContain('and 2.4000 TESP')
  expect(screen.getByRole('link', { name: 'Swap' }).getAttribute('href')).toBe('/swap')
})

it('the TESP balance is the first entry of its list', () => {
  const wallet = aWallet('1.00000000')
  receiveSnapshot('/api/wallet', {
    ...wallet,
    tesp: [...wallet.tesp, { id: 2, name: 'B', balance: '9' }],
  })
  show(<WalletScreen />)
  expect(screen.getByText('1.0000')).toBeTruthy()
})

it('the activity tab has a heading and marks each row with its token', async () => {
  receiveSnapshot('/api/wallet', aWallet())
  const items = [anActivity(0), anActivity(1, { type: 'usdt_reward', tokenType: 'USDT' })]
  receiveSnapshot('/api/wallet/activity', { items, next: null, asOf: NOW })
  show(<WalletScreen />)
  fireEvent.click(screen.getByRole('tab', { name: 'Activity' }))
  const panel = within(await screen.findByRole('tabpanel', { name: 'Activity' }))
  expect(panel.getByRole('heading', { name: 'Recent Activity' })).toBeTruthy()
  expect(panel.getByText('Your TESP and USDT transaction history')).toBeTruthy()
  const [tesp, usdt] = panel.getAllByRole('listitem')
  expect(within(tesp as HTMLElement).getByText('TESP')).toBeTruthy()
  expect(tesp?.querySelector('svg')).toBeTruthy()
  expect(within(usdt as HTMLElement).getByText('USDT')).toBeTruthy()
})

it('the allocation lists each asset with its value and says when none is left', async () => {
  receiveSnapshot('/api/wallet', aWallet('18.40276331', '4.21839000'))
  show(<WalletScreen />)
  fireEvent.click(screen.getByRole('button', { name: 'Chart' }))
  const dialog = within(await screen.findByRole('dialog', { name: 'Asset Allocation' }))
  const rows = dialog.getAllByRole('row', { hidden: true }).map(({ textContent }) => textContent)
  expect(rows.slice(1)).toEqual(['TESP18.4027', 'USDT4.21', 'Total value$4.21'])
  act(() => receiveSnapshot('/api/wallet', aWallet('0', '0', NOW + 1)))
  expect(await dialog.findByText("You don't have any assets to display")).toBeTruthy()
})

it('the allocation chart draws a donut of the assets', () => {
  show(<AllocationChart assets={[{ token: 'TESP', amount: '18.40276331' }]} />)
  expect(screen.getByRole('img', { name: 'Donut chart: 18.4027 TESP' })).toBeTruthy()
  const [donut] = drawnOptions.at(-1)?.series ?? []
  expect(donut?.type).toBe('pie')
  expect(donut?.radius).toHaveLength(2)
  expect(donut?.data.map(({ name }) => name)).toEqual(['TESP'])
})
