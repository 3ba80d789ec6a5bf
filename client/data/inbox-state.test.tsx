import { act, screen, waitFor } from '@testing-library/react'
import { userEvent } from '@testing-library/user-event'
import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { dateTimeText, timeText } from '#client/format/dates.ts'
import { AnnouncementBanner } from '#client/layout/announcement-banner.tsx'
import { MainRegion } from '#client/layout/page.tsx'
import { NOW } from '#client/testing/fixtures.ts'
import { show, startAs } from '#client/testing/render.tsx'
import { json, serve } from '#client/testing/server.ts'
import { HOUR_MS, MINUTE_MS, SECOND_MS } from '#rules/constants'
import type { InboxState } from '#rules/inbox'
import { refresh } from './refresh.ts'

/** The server's clock is an hour ahead of the device's. */
const SERVER_NOW = NOW + HOUR_MS
const time = (ms: number) => new Date(SERVER_NOW + ms).toISOString()

const state: InboxState = {
  unread: 0,
  newest: 0,
  readAnnouncement: 0,
  announcements: [
    {
      id: 4,
      kind: 'maintenance',
      texts: { en: 'A new database', vi: 'Cơ sở dữ liệu mới' },
      from: time(2 * HOUR_MS),
      until: time(3 * HOUR_MS),
      at: time(0),
    },
  ],
  asOf: SERVER_NOW,
}

beforeEach(() => {
  vi.useFakeTimers({ toFake: ['Date'], now: NOW })
  startAs()
})
afterEach(() => vi.useRealTimers())

/** Shows the banner, leaves the page after an unchanged poll, and comes back. */
async function comeBack(afterMs: number): Promise<void> {
  const server = serve({
    'GET /api/inbox/state': ({ headers }) =>
      headers.get('If-None-Match') === '"1"'
        ? new Response(null, { status: 304 })
        : json(state, { ETag: '"1"' }),
  })
  const { unmount } = show(<AnnouncementBanner />)
  expect((await screen.findByRole('timer')).textContent).toBe('2:00:00')
  vi.setSystemTime(NOW + afterMs)
  await act(() => refresh('/api/inbox/state'))
  expect(server.count('GET /api/inbox/state')).toBe(2)
  unmount()
  show(<AnnouncementBanner />)
}

it('a banner dismissed by key leaves the focus on the page', async () => {
  serve({
    'GET /api/inbox/state': json(state),
    'POST /api/inbox/read': json(state),
  })
  show(
    <MainRegion>
      <AnnouncementBanner />
    </MainRegion>,
  )
  const button = await screen.findByRole('button', { name: 'Dismiss' })
  act(() => button.focus())
  await userEvent.keyboard('{Enter}')
  expect(screen.queryByRole('timer')).toBeNull()
  expect(document.activeElement?.id).toBe('main')
})

it('several banners are dismissed together, by a button that says so', async () => {
  const [maintenance] = state.announcements
  if (!maintenance) throw new Error('no announcement')
  const urgent = { ...maintenance, id: 5, kind: 'urgent' as const, from: time(0) }
  const both = { ...state, announcements: [maintenance, urgent] }
  const server = serve({ 'GET /api/inbox/state': json(both), 'POST /api/inbox/read': json(both) })
  show(<AnnouncementBanner />)
  await screen.findByRole('timer')
  const banners = () => screen.queryAllByRole('region', { name: 'Announcement' })
  expect(banners()).toHaveLength(2)
  expect(screen.queryByRole('button', { name: 'Dismiss' })).toBeNull()
  await userEvent.click(screen.getByRole('button', { name: 'Dismiss all' }))
  await waitFor(() => expect(banners()).toEqual([]))
  const [read] = server.sent.filter(({ route }) => route === 'POST /api/inbox/read')
  expect(read?.body).toMatchObject({ announcement: 5 })
})

it('the countdown to a maintenance is right on a page that shows the banner again', async () => {
  await comeBack(HOUR_MS + MINUTE_MS)
  expect((await screen.findByRole('timer')).textContent).toBe('0:59:00')
})

it('the countdown to a maintenance goes on each second', async () => {
  serve({ 'GET /api/inbox/state': json(state) })
  show(<AnnouncementBanner />)
  await screen.findByRole('timer')
  vi.setSystemTime(NOW + SECOND_MS)
  await waitFor(() => expect(screen.getByRole('timer').textContent).toBe('1:59:59'))
})

it('a banner leaves an open page at its end', async () => {
  const server = serve({ 'GET /api/inbox/state': json(state) })
  show(<AnnouncementBanner />)
  await screen.findByText('A new database')
  const reads = server.sent.length
  vi.setSystemTime(NOW + 4 * HOUR_MS)
  const isGone = () => expect(screen.queryByText('A new database')).toBeNull()
  await waitFor(isGone)
  expect(server.sent).toHaveLength(reads)
})

it.each([
  ['today says the time', MINUTE_MS, timeText],
  ['on another day says that day too', 24 * HOUR_MS, dateTimeText],
])('a running maintenance that ends %s', async (_, leftMs, text) => {
  const running = state.announcements.map((one) => ({ ...one, from: time(0), until: time(leftMs) }))
  serve({ 'GET /api/inbox/state': json({ ...state, announcements: running }) })
  show(<AnnouncementBanner />)
  await screen.findByText(`Maintenance until ${text(time(leftMs))}`)
})

it('a banner that ended is not shown again', async () => {
  await comeBack(4 * HOUR_MS)
  await waitFor(() => expect(screen.queryByText('A new database')).toBeNull())
})
