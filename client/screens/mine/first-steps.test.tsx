import { act, fireEvent, screen, waitFor, within } from '@testing-library/react'
import { userEvent } from '@testing-library/user-event'
import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { receiveSnapshot, snapshotOf } from '#client/data/member-data.ts'
import { storage } from '#client/data/storage.ts'
import {
  anActiveStatus,
  anActivity,
  anIdleStatus,
  aUser,
  aWallet,
} from '#client/testing/fixtures.ts'
import { startAs } from '#client/testing/render.tsx'
import { json, serve } from '#client/testing/server.ts'
import type { MiningStatus } from '#rules/snapshots'
import { openMine } from './testing/open-mine.tsx'

const reminders = (mail: boolean) => ({ mail, kinds: null, pushKey: null, devices: [] })

async function open(
  status: MiningStatus,
  tesp: string,
  { code = null as string | null, mail = false, rows = [anActivity(1)] } = {},
) {
  serve({
    'GET /api/reminders': () => json(reminders(mail)),
    'GET /api/wallet/activity': () => json(rows),
  })
  startAs(aUser({ referralCode: code }))
  receiveSnapshot('/api/wallet', aWallet(tesp))
  openMine(status)
  await act(async () => void (await import('./first-steps-card.tsx')))
}

const storedRows = () => snapshotOf('/api/wallet/activity')?.items.length
const card = () => screen.queryByRole('region', { name: /^First steps/ })
const doneSteps = () =>
  within(card() as HTMLElement)
    .getAllByRole('listitem')
    .map((step) => within(step).queryByText('Done') !== null)

beforeEach(() => localStorage.clear())
afterEach(() => vi.unstubAllGlobals())

it('a new member sees five steps, none of them done', async () => {
  await open(anIdleStatus(), '0')
  expect(card()?.textContent).toContain('0 of 5 done')
  expect(doneSteps()).toEqual([false, false, false, false, false])
})

it('steps fill from the session, the wallet, the referral code and the reminders', async () => {
  await open(anActiveStatus(), '0.03333333', { code: 'TESPABC234', mail: true })
  await waitFor(() => expect(doneSteps()).toEqual([true, true, false, true, true]))
})

it('reading what the points are completes its step, and the last step removes the card', async () => {
  await open(anActiveStatus(), '0.03333333', { code: 'TESPABC234', mail: true })
  await waitFor(() => expect(doneSteps()[4]).toBe(true))
  fireEvent.click(screen.getByRole('button', { name: 'Read' }))
  const dialog = await screen.findByRole('dialog', { name: 'What TESP and USDT are' })
  expect(dialog.textContent).toContain('the points have no cash value')
  fireEvent.click(within(dialog).getByRole('button', { name: 'Understood' }))
  expect(card()).toBeNull()
})

it('a card dismissed by key stays away on this device, and leaves the focus on the page', async () => {
  await open(anIdleStatus(), '0')
  act(() => screen.getByRole('button', { name: 'Dismiss the first steps' }).focus())
  await userEvent.keyboard('{Enter}')
  expect(card()).toBeNull()
  expect(document.activeElement?.id).toBe('main')
  expect(storage.readFor(7, 'firstSteps')).toEqual({ dismissed: true })
})

it('rewards of tasks are no credit, and make nobody experienced', async () => {
  const task = anActivity(1, { id: 'task:7:join_telegram', type: 'other', description: 'Task' })
  await open(anIdleStatus(), '3.00000000', { rows: [task] })
  await waitFor(() => expect(storedRows()).toBe(1))
  expect(doneSteps()).toEqual([false, false, false, false, false])
})

it('a member with more than 10 TESP is no beginner', async () => {
  await open(anIdleStatus(), '10.00000001')
  expect(card()).toBeNull()
})
