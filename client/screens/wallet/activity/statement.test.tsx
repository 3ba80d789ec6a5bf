import { act, fireEvent, screen, waitFor, within } from '@testing-library/react'
import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { setProductClock } from '#client/data/product-clock.ts'
import { findToast } from '#client/screens/testing/find-toast.ts'
import { NOW } from '#client/testing/fixtures.ts'
import { show, startAs } from '#client/testing/render.tsx'
import { catchSavedFiles, type SavedFile } from '#client/testing/saved-files.ts'
import { lost, refusal, serve } from '#client/testing/server.ts'
import { clearToast } from '#client/ui/toasts/toast.ts'
import { DAY_MS } from '#rules/constants'
import { ActivityTab } from './activity-tab.tsx'
// Loaded before the tests: the dialog imports the form lazily, which is slow on a busy machine.
import './statement-form.tsx'

const CSV = 'Time (UTC),Amount\r\n2026-03-01 12:00:00,0.03333333\r\n'
let saved: SavedFile[]

async function open() {
  setProductClock({ serverNow: new Date(NOW - DAY_MS).toISOString(), speed: 1 })
  setProductClock({ serverNow: new Date(NOW).toISOString(), speed: 1 })
  show(<ActivityTab />)
  fireEvent.click(screen.getByRole('button', { name: 'Statement' }))
  const dialog = within(await screen.findByRole('dialog', { name: 'Statement' }))
  await dialog.findByLabelText('First day')
  return dialog
}
const csv = () =>
  new Response(CSV, {
    headers: {
      'Content-Type': 'text/csv; charset=utf-8',
      'Content-Disposition': 'attachment; filename="tesp-statement-a-b.csv"',
    },
  })

beforeEach(() => {
  startAs()
  saved = catchSavedFiles()
})
afterEach(() => {
  act(clearToast)
  vi.restoreAllMocks()
  vi.unstubAllGlobals()
})

it('a statement of the last 30 days is proposed and saved as a file', async () => {
  const server = serve({ 'GET /api/wallet/statement': csv })
  const dialog = await open()
  expect(dialog.getByLabelText('First day')).toHaveProperty('value', '2026-01-31')
  expect(dialog.getByLabelText('Last day')).toHaveProperty('value', '2026-03-01')
  fireEvent.click(dialog.getByRole('button', { name: /^Download/ }))
  await findToast('Your statement was downloaded')
  await findToast('tesp-statement-a-b.csv')
  const asked = server.sent.find(({ route }) => route === 'GET /api/wallet/statement')
  expect(asked?.url.search).toBe('?from=2026-01-31&to=2026-03-01')
  const file = saved[0]?.blob
  expect(file?.type).toBe('text/csv')
  const bytes = new Uint8Array((await file?.arrayBuffer()) ?? [])
  expect([...bytes.slice(0, 3)]).toEqual([0xef, 0xbb, 0xbf])
  expect(new TextDecoder().decode(bytes)).toBe(CSV)
  await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull())
})

it('a last day before the first one is reported at its field and not sent', async () => {
  const server = serve({ 'GET /api/wallet/statement': csv })
  const dialog = await open()
  fireEvent.change(dialog.getByLabelText('Last day'), { target: { value: '2026-01-01' } })
  fireEvent.click(dialog.getByRole('button', { name: /^Download/ }))
  await dialog.findByText('The last day must not be before the first one')
  expect(server.count('GET /api/wallet/statement')).toBe(0)
})

it('a message of the server for a field is shown at the field', async () => {
  const fields = { from: 'Enter a date as year-month-day' }
  serve({
    'GET /api/wallet/statement': () =>
      new Response(JSON.stringify({ message: 'Bad', code: 'bad_input', fields }), { status: 400 }),
  })
  const dialog = await open()
  fireEvent.click(dialog.getByRole('button', { name: /^Download/ }))
  await dialog.findByText('Enter a date as year-month-day')
})

it.each([
  [
    'a limit',
    () => refusal(429, 'Too many requests. Please try again later'),
    /^Too many requests/,
  ],
  ['a lost connection', lost, /^No answer from the server/],
])('%s leaves the dialog open and says why', async (_, handler, message) => {
  serve({ 'GET /api/wallet/statement': handler })
  const dialog = await open()
  fireEvent.click(dialog.getByRole('button', { name: /^Download/ }))
  await findToast('Your statement could not be downloaded')
  await findToast(message)
  expect(dialog.getByRole('button', { name: /^Download/ })).toBeTruthy()
  expect(saved).toEqual([])
})
