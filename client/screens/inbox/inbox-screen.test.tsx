import { act, screen, waitFor, within } from '@testing-library/react'
import { userEvent } from '@testing-library/user-event'
import { beforeAll, beforeEach, describe, expect, it, vi } from 'vitest'
import { isUnreadAtom } from '#client/data/inbox-state.ts'
import { receiveSnapshot } from '#client/data/member-data.ts'
import { store } from '#client/data/query-cache.ts'
import { refresh } from '#client/data/refresh.ts'
import { storage } from '#client/data/storage.ts'
import { InboxBell } from '#client/layout/header/inbox-bell.tsx'
import { sendReadMark } from '#client/live/inbox-read.ts'
import { findToast } from '#client/screens/testing/find-toast.ts'
import { show, startAs } from '#client/testing/render.tsx'
import { json, lost, refusal, serve } from '#client/testing/server.ts'
import { HOUR_MS } from '#rules/constants'
import type { Announcement, InboxPage, InboxRow, InboxState } from '#rules/inbox'
import { exactAmount } from './inbox-entry.tsx'
import { inboxAtom } from './inbox-list.ts'
import { InboxScreen } from './inbox-screen.tsx'

const NOW = Date.now()
const time = (minutes: number) => new Date(NOW - minutes * 60_000).toISOString()

const news: Announcement = {
  id: 4,
  kind: 'news',
  texts: { en: 'A new screen', vi: 'Màn hình mới' },
  from: time(5),
  until: time(-60),
  at: time(5),
}
const HOSTILE = '<img src=x onerror=alert(1)> {{username}} $t(common:undo)'
const rows: InboxRow[] = [
  { id: 9, kind: 'frozen', at: time(1), read: false, facts: { reason: HOSTILE } },
  { id: 8, kind: 'member-joined', at: time(10), read: false, facts: { username: 'linh' } },
  {
    id: 7,
    kind: 'session-ended',
    at: time(20),
    read: true,
    facts: { tesp: '2.40000000', usdt: '0.12345678' },
  },
]
const state = (more: Partial<InboxState> = {}): InboxState => ({
  unread: 2,
  newest: 9,
  readAnnouncement: 0,
  announcements: [news],
  asOf: NOW,
  ...more,
})
const page = (more: Partial<InboxPage> = {}): InboxPage => ({
  rows,
  next: null,
  announcements: [news],
  ...more,
})

// The bell loads it when the page is idle.
beforeAll(() => import('#client/layout/inbox-news.tsx'))
beforeEach(() => {
  localStorage.clear()
  startAs()
})

const items = () =>
  within(screen.getByRole('list', { name: 'Entries, newest first' })).getAllByRole('listitem')
const entries = () => items().map(({ textContent }) => textContent)
const marks = () => items().map((item) => within(item).queryByText('New') !== null)

describe('the inbox', () => {
  it('a mark that the server did not take is sent again when the inbox is opened again', async () => {
    const READ = 'POST /api/inbox/read'
    const answers = [refusal(503, 'Please try again', 'unavailable')]
    const server = serve({
      'GET /api/inbox': json(page()),
      [READ]: () => answers.pop() ?? json({ success: true }),
    })
    const { unmount } = show(<InboxScreen />)
    await waitFor(() => expect(server.count(READ)).toBe(1))
    unmount()
    show(<InboxScreen />)
    await waitFor(() => expect(server.count(READ)).toBe(2))
  })

  it('rows and announcements are listed newest first, in exact words', async () => {
    serve({ 'GET /api/inbox': json(page()), 'POST /api/inbox/read': json({ success: true }) })
    show(<InboxScreen />)
    await screen.findByText(HOSTILE)
    const [frozen, announced, joined, ended] = entries()
    expect(frozen).toContain(HOSTILE)
    expect(document.querySelector('img')).toBeNull()
    expect(announced).toContain('NewsNewA new screen')
    expect(joined).toContain('linh joined your team')
    expect(ended).toContain('2.4\u00a0TESP mined, 0.12345678\u00a0USDT pending')
    expect(ended).not.toContain('New')
  })

  it('the members of a milestone have thousands separators', async () => {
    const at = { at: time(1), read: true }
    const paid = { members: 1_000, tesp: '500.00000000', usdt: '0.00000000' }
    const milestones: InboxRow[] = [
      { ...at, id: 11, kind: 'milestone-paid', facts: paid },
      { ...at, id: 10, kind: 'milestone-ready', facts: { members: 1_000 } },
    ]
    serve({
      'GET /api/inbox': json(page({ rows: milestones, announcements: [] })),
      'POST /api/inbox/read': json({ success: true }),
    })
    show(<InboxScreen />)
    await screen.findByRole('link', { name: 'Milestone of 1,000 members is ready' })
    expect(screen.getByRole('link', { name: 'Milestone of 1,000 members was paid' })).toBeTruthy()
  })

  it('a row leads to the place where its advice is followed', async () => {
    const at = { at: time(1), read: true }
    const rows: InboxRow[] = [
      { ...at, id: 11, kind: 'new-browser', facts: { device: 'Firefox on Linux' } },
      { ...at, id: 10, kind: 'identity-decided', facts: { accepted: false, reason: 'blurred' } },
    ]
    serve({
      'GET /api/inbox': json(page({ rows, announcements: [] })),
      'POST /api/inbox/read': json({ success: true }),
    })
    show(<InboxScreen />)
    await screen.findByText('blurred')
    const places = screen.getAllByRole('link').map((link) => link.getAttribute('href'))
    expect(places).toEqual(['/account?view=security', '/account?view=identity'])
  })

  it('a reminder of the inviter names them and can be the last one', async () => {
    const reminder = {
      id: 10,
      kind: 'team-reminder',
      at: time(1),
      read: true,
      facts: { username: 'linh' },
    } as const
    const { sent } = serve({
      'GET /api/inbox': json(page({ rows: [reminder], announcements: [] })),
      'POST /api/inbox/read': json({ success: true }),
      'POST /api/reminders/team/block': json({}),
    })
    show(<InboxScreen />)
    expect(await screen.findByRole('link', { name: 'linh reminds you to mine' })).toBeTruthy()
    const user = userEvent.setup({ delay: null })
    await user.click(screen.getByRole('button', { name: 'No more from linh' }))
    expect(await findToast('You can allow them again under Account, Notifications.')).toBeTruthy()
    expect(screen.queryByRole('button', { name: 'No more from linh' })).toBeNull()
    expect(document.activeElement).not.toBe(document.body)
    const block = sent.find(({ route }) => route === 'POST /api/reminders/team/block')
    expect(block?.body).toEqual({ blocked: true, language: 'en' })
  })

  it('opening it marks what is shown as read, here at once and on the server once', async () => {
    const { count, sent } = serve({
      'GET /api/inbox': json(page()),
      'GET /api/inbox/state': json(state()),
      'POST /api/inbox/read': json({ success: true }),
    })
    show(<InboxBell />)
    await screen.findByRole('link', { name: /^Inbox ?unread entries$/ })
    show(<InboxScreen />)
    await screen.findByRole('link', { name: 'Inbox' })
    await waitFor(() => expect(count('POST /api/inbox/read')).toBe(1))
    expect(sent.at(-1)?.body).toEqual({ row: 9, announcement: 4 })
    await sendReadMark()
    expect(count('POST /api/inbox/read')).toBe(1)
  })

  it('the marks of new entries stay while the screen is open, and are gone on the next visit', async () => {
    let isRead = false
    serve({
      'GET /api/inbox': () =>
        json(page({ rows: rows.map((row) => ({ ...row, read: row.read || isRead })) })),
      'POST /api/inbox/read': () => {
        isRead = true
        return json({ success: true })
      },
    })
    const { unmount } = show(<InboxScreen />)
    await screen.findByText(HOSTILE)
    expect(marks()).toEqual([true, true, true, false])
    await waitFor(() => expect(isRead).toBe(true))
    await act(() => refresh('/api/inbox'))
    expect(store.get(inboxAtom).data?.rows.every(({ read }) => read)).toBe(true)
    expect(marks()).toEqual([true, true, true, false])
    unmount()
    show(<InboxScreen />)
    await screen.findByText(HOSTILE)
    expect(marks()).toEqual([false, false, false, false])
  })

  it('an entry that this browser has shown before is not new although the server says so', async () => {
    storage.writeFor(7, 'inboxRead', { row: 8, announcement: 4, sent: false })
    serve({ 'GET /api/inbox': json(page()), 'POST /api/inbox/read': () => lost() })
    show(<InboxScreen />)
    await screen.findByText(HOSTILE)
    expect(marks()).toEqual([true, false, false, false])
  })

  it('a mark that could not be sent stays read, and is sent when the server answers', async () => {
    let online = false
    const { count } = serve({
      'GET /api/inbox': json(page()),
      'GET /api/inbox/state': json(state()),
      'POST /api/inbox/read': () => (online ? json({ success: true }) : lost()),
    })
    show(<InboxBell />)
    show(<InboxScreen />)
    await screen.findByRole('link', { name: 'Inbox' })
    await waitFor(() => expect(count('POST /api/inbox/read')).toBe(1))
    online = true
    await sendReadMark()
    await sendReadMark()
    expect(count('POST /api/inbox/read')).toBe(2)
  })

  it('the mark of the bell follows pushes, other devices and announcements to all', async () => {
    serve({ 'GET /api/inbox/state': json(state({ unread: 0, newest: 0, announcements: [] })) })
    show(<InboxBell />)
    const unread = () => store.get(isUnreadAtom)
    await waitFor(() => expect(screen.getByRole('link', { name: 'Inbox' })).toBeTruthy())
    act(() => receiveSnapshot('/api/inbox/state', state({ announcements: [], asOf: NOW + 1 })))
    await waitFor(() => expect(unread()).toBe(true))
    const read = state({ newest: 0, announcements: [], asOf: NOW + 2 })
    act(() => receiveSnapshot('/api/inbox/state', read))
    await waitFor(() => expect(unread()).toBe(false))
    act(() => receiveSnapshot('announced', { announcements: [news], asOf: NOW + 3 }))
    await waitFor(() => expect(unread()).toBe(true))
  })

  it('the mark of the bell goes when the unread announcement ends by the clock of the server', async () => {
    serve({ 'GET /api/inbox/state': json(state({ announcements: [] })) })
    show(<InboxBell />)
    await screen.findByRole('link', { name: /unread/ })
    vi.useFakeTimers({
      toFake: ['Date', 'setTimeout', 'clearTimeout', 'setInterval', 'clearInterval'],
    })
    try {
      const asOf = Date.now() + HOUR_MS
      const until = new Date(asOf + 5_000).toISOString()
      const ending = state({ newest: 0, announcements: [{ ...news, until }], asOf })
      act(() => receiveSnapshot('/api/inbox/state', ending))
      act(() => void vi.advanceTimersByTime(4_999))
      expect(screen.queryByRole('link', { name: /unread/ })).toBeTruthy()
      act(() => void vi.advanceTimersByTime(1_000))
      expect(screen.queryByRole('link', { name: /unread/ })).toBeNull()
    } finally {
      vi.useRealTimers()
    }
  })

  it('an empty inbox and a failure say what to do', async () => {
    serve({
      'GET /api/inbox': json(page({ rows: [], announcements: [] })),
      'POST /api/inbox/read': json({ success: true }),
    })
    const { unmount } = show(<InboxScreen />)
    await screen.findByText('Nothing here yet')
    unmount()
    startAs(null)
    startAs()
    serve({ 'GET /api/inbox': () => lost() })
    show(<InboxScreen />)
    await screen.findByText('Failed to load your inbox')
    expect(screen.getByRole('button', { name: 'Try Again' })).toBeTruthy()
  })
})

it.each([
  ['2.40000000', '2.4 TESP'],
  ['12.00000001', '12.00000001 TESP'],
  ['-1500.00000000', '−1,500 TESP'],
  ['100', '100 TESP'],
])('%s is written as %s', (amount, text) => {
  expect(exactAmount(amount, 'TESP')).toBe(text.replace(' ', '\u00a0'))
})
