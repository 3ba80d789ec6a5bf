import { act, screen, waitFor, within } from '@testing-library/react'
import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { refresh } from '#client/data/refresh.ts'
import { findToast } from '#client/screens/testing/find-toast.ts'
import { json, refusal } from '#client/testing/server.ts'
import type { BoardListing, BoardRow, WeekBoards } from '#rules/snapshots'
import { button, leaderInfo, openTeam, startTeam } from './testing/open-team.tsx'

beforeEach(startTeam)
afterEach(() => void vi.unstubAllGlobals())

const WEEK = 'GET /api/referral/week'
const row = (rank: number | null, name: string | null, more: Partial<BoardRow> = {}): BoardRow => ({
  rank,
  who: 'member',
  name,
  tesp: rank === null ? '0.00000000' : '1.23456789',
  gap: false,
  ...more,
})
const boards: WeekBoards = {
  week: '2026-11-23',
  readAt: '2026-11-24T10:00:00.000Z',
  team: {
    members: 40,
    rows: [
      row(1, 'an', { tesp: '1204.50000000' }),
      row(2, 'linh', { who: 'inviter' }),
      row(12, 'bao', { gap: true }),
      row(13, 'mai', { who: 'self' }),
      row(null, 'chi'),
    ],
  },
  listing: null,
  everyone: null,
}
const everyone = {
  members: 2_000,
  rows: [row(1, null), row(2, 'an'), row(1_999, 'mai', { who: 'self', gap: true })],
}

/** Opens the boards over a server that keeps the choice. */
async function open(handlers: Parameters<typeof openTeam>[1] = {}) {
  let listing: BoardListing = null
  const { server, user } = openTeam(leaderInfo, {
    [WEEK]: () => json({ ...boards, listing, everyone: listing && everyone }),
    'POST /api/referral/week': ({ body }) => {
      listing = (body as { listing: BoardListing }).listing
      return json({ listing })
    },
    ...handlers,
  })
  await user.click(await button('This week'))
  const dialog = within(await screen.findByRole('dialog', { name: 'This week' }))
  return { server, user, dialog }
}

const rowsOf = (list: HTMLElement) =>
  within(list)
    .getAllByRole('listitem')
    .map(({ textContent }) => textContent)

it('the board is not read before it is opened', async () => {
  const { server } = openTeam(leaderInfo)
  await screen.findByText('60.0%')
  expect(server.count(WEEK)).toBe(0)
})

it('ranks, amounts, the inviter, the member and gaps are shown', async () => {
  const { dialog } = await open()
  expect(await dialog.findByText(/^TESP mined since Monday, November 23, 2026/)).toBeTruthy()
  const list = dialog.getByRole('list', { name: 'Your team and inviter' })
  expect(rowsOf(list)).toEqual([
    '1an1,204.5000 TESP',
    '2linhInviter1.2345 TESP',
    '⋯More members in between',
    '12bao1.2345 TESP',
    '13maiYou1.2345 TESP',
    '–no rankchi0.0000 TESP',
  ])
})

it('the board of all members is joined by a choice and left with one press', async () => {
  const { dialog, user, server } = await open()
  await dialog.findByText(/^Only members who chose to/)
  expect(dialog.queryByRole('list', { name: 'All members' })).toBeNull()
  await user.click(dialog.getByRole('button', { name: 'Join as Anonymous' }))
  expect(await findToast('You are on the board')).toBeTruthy()
  const list = await dialog.findByRole('list', { name: 'All members' })
  expect(rowsOf(list)).toEqual([
    '1Anonymous1.2345 TESP',
    '2an1.2345 TESP',
    '⋯More members in between',
    '1,999maiYou1.2345 TESP',
  ])
  expect(dialog.getByText('2,000 with a rank')).toBeTruthy()
  await user.click(dialog.getByRole('button', { name: 'Show my name' }))
  await dialog.findByText('You are on it with your name.')
  await user.click(dialog.getByRole('button', { name: 'Leave the board' }))
  expect(await findToast('You are not on the board any more')).toBeTruthy()
  await waitFor(() => expect(dialog.queryByRole('list', { name: 'All members' })).toBeNull())
  const sent = server.sent.filter(({ route }) => route === 'POST /api/referral/week')
  expect(sent.map(({ body }) => body)).toEqual([
    { listing: 'anonymous' },
    { listing: 'name' },
    { listing: null },
  ])
})

it('without a board the dialog says so, offers a retry, and the screen stays as it is', async () => {
  let isAway = true
  const { dialog, user } = await open({
    [WEEK]: () =>
      isAway
        ? refusal(503, 'The board is not available right now', 'board_unavailable')
        : json(boards),
  })
  const notice = await dialog.findByRole('alert')
  expect(notice.textContent).toContain('The board is not available right now')
  expect(screen.getByText('60.0%')).toBeTruthy()
  isAway = false
  await user.click(dialog.getByRole('button', { name: 'Try Again' }))
  expect(await dialog.findByRole('list', { name: 'Your team and inviter' })).toBeTruthy()
})

it('a board that is not available yet appears by itself after five seconds', async () => {
  const answers = [refusal(503, 'The board is not available right now', 'board_unavailable')]
  const { dialog } = await open({ [WEEK]: () => answers.pop() ?? json(boards) })
  await dialog.findByRole('alert')
  const list = { name: 'Your team and inviter' }
  expect(await dialog.findByRole('list', list)).toBeTruthy()
})

it('a board that cannot be updated keeps its rows and says so', async () => {
  let isAway = false
  const { dialog } = await open({
    [WEEK]: () => (isAway ? refusal(503, 'unavailable', 'unavailable') : json(boards)),
  })
  await dialog.findByRole('list', { name: 'Your team and inviter' })
  isAway = true
  await act(() => refresh('/api/referral/week'))
  // Only what went wrong is announced, not the time, which changes each minute.
  const status = await dialog.findByText('The board is not available right now.')
  expect(status.getAttribute('role')).toBe('status')
  expect(status.parentElement?.textContent).toMatch(/right now\. As of 10:00/)
  expect(dialog.getByRole('list', { name: 'Your team and inviter' })).toBeTruthy()
})

it('a member alone and a listed member who mined nothing read what to do', async () => {
  const alone = { members: 1, rows: [row(null, 'mai', { who: 'self' })] }
  const others = { members: 2, rows: [row(1, 'an')] }
  const { dialog } = await open({
    [WEEK]: () => json({ ...boards, team: alone, listing: 'name', everyone: others }),
  })
  expect(await dialog.findByText(/^Nobody else is on it yet/)).toBeTruthy()
  expect(dialog.getByText(/Mine this week to get a rank/)).toBeTruthy()
})
