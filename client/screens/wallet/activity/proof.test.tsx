import { fireEvent, screen, waitFor } from '@testing-library/react'
import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { receiveSnapshot } from '#client/data/member-data.ts'
import { anActivity, anIdleStatus, NOW } from '#client/testing/fixtures.ts'
import { show, startAs } from '#client/testing/render.tsx'
import { catchSavedFiles } from '#client/testing/saved-files.ts'
import { json, lost, serve } from '#client/testing/server.ts'
import { DAY_MS } from '#rules/constants'
import { ReceiptDialog } from './receipt-dialog.tsx'

const row = anActivity(0, { id: 'credit:71:3' })
const openReceipt = (productNow: number) => {
  receiveSnapshot(
    '/api/mining/status',
    anIdleStatus({ serverNow: new Date(productNow).toISOString(), asOf: productNow }),
  )
  show(<ReceiptDialog activity={row} open onClose={() => {}} />)
}
const press = () => fireEvent.click(screen.getByRole('button', { name: /^Download proof/ }))

beforeEach(() => startAs())
afterEach(() => {
  vi.restoreAllMocks()
  vi.unstubAllGlobals()
})

it('the proof of a row is saved as the receipt that /verify reads', async () => {
  const files = catchSavedFiles()
  const receipt = { format: 'tesp-receipt-1', row: 'credit:71:3|5' }
  const { sent } = serve({ 'GET /api/ledger/receipt': () => json({ receipt }) })
  openReceipt(NOW + DAY_MS)
  press()
  await screen.findByText('Saved as tesp-proof-credit-71-3.json')
  expect(sent.at(-1)?.url.search).toBe('?id=credit%3A71%3A3')
  expect(files.map(({ name }) => name)).toEqual(['tesp-proof-credit-71-3.json'])
  expect(JSON.parse((await files[0]?.blob.text()) ?? '')).toEqual(receipt)
  expect(screen.getByRole('link', { name: 'Verify a proof' }).getAttribute('href')).toBe('/verify')
})

it('a row of today explains when its proof is ready and offers no download', () => {
  openReceipt(NOW)
  expect(screen.getByText('Sealed after midnight UTC. The proof is ready then.')).toBeTruthy()
  expect(screen.queryByRole('button', { name: /^Download proof/ })).toBeNull()
})

it('a day that is not sealed yet is explained and saves nothing', async () => {
  const files = catchSavedFiles()
  serve({ 'GET /api/ledger/receipt': () => json({ receipt: null }) })
  openReceipt(NOW + DAY_MS)
  press()
  await screen.findByText('The ledger of this day is not sealed yet. Try again later.')
  expect(files).toEqual([])
})

it('a proof that cannot be read names the missing connection', async () => {
  serve({ 'GET /api/ledger/receipt': lost })
  openReceipt(NOW + DAY_MS)
  press()
  await screen.findByText(/Check your connection and try again/)
})

it('the answer is scrolled into sight, below a button at the edge of a small phone', async () => {
  const scrolled = vi.spyOn(Element.prototype, 'scrollIntoView')
  serve({ 'GET /api/ledger/receipt': () => json({ receipt: null }) })
  openReceipt(NOW + DAY_MS)
  expect(scrolled).not.toHaveBeenCalled()
  press()
  const answer = await screen.findByText(/not sealed yet/)
  await waitFor(() => expect(scrolled.mock.contexts).toEqual([answer]))
})
