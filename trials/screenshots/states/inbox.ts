import type { Announcement, InboxPage, InboxRow, InboxState } from '#rules/inbox'
import { see } from '#trials/screenshots/steps'
import { FAILS, memberStates, type State } from './state.ts'

const AT = '2026-03-01T12:00:00.000Z'
const HOUR_MS = 3_600_000
const inMs = (ms: number) => new Date(Date.now() + ms).toISOString()

const facts: Pick<InboxRow, 'kind' | 'facts'>[] = [
  { kind: 'session-ended', facts: { tesp: '2.52000000', usdt: '0.12600000' } },
  { kind: 'member-joined', facts: { username: 'thanh.huyen' } },
  { kind: 'team-reminder', facts: { username: 'thanh.huyen' } },
  { kind: 'milestone-ready', facts: { members: 25 } },
  { kind: 'milestone-paid', facts: { members: 10, tesp: '5.00000000', usdt: '0.10000000' } },
  { kind: 'identity-decided', facts: { accepted: false, reason: 'The picture is blurred' } },
  { kind: 'new-browser', facts: { device: 'Firefox on Windows' } },
  { kind: 'mail-refused', facts: {} },
  { kind: 'corrected', facts: { token: 'TESP', amount: '-12.50000001', reason: 'an outage' } },
  { kind: 'frozen', facts: { reason: 'a check of several accounts that share a device' } },
  { kind: 'released', facts: { reason: 'the check is complete' } },
]

const rows = facts.map((fact, at) => ({ ...fact, id: 100 - at, at: AT, read: at > 2 }) as InboxRow)

const announcement = (id: number, kind: Announcement['kind'], from = AT): Announcement => ({
  id,
  kind,
  texts: {
    en: 'Mining pauses for an hour while we move to new servers. Nothing is lost.',
    vi: 'Khai thác tạm dừng một giờ trong khi chúng tôi chuyển máy chủ. Không mất gì cả.',
  },
  from,
  until: inMs(3 * HOUR_MS),
  at: AT,
})

const page = (more: Partial<InboxPage>): Partial<State> => {
  const json: InboxPage = { rows: [], next: null, announcements: [], ...more }
  return { stubs: { 'GET /api/inbox': { json } } }
}
const state = (announcements: Announcement[], newest = 0): Partial<State> => {
  const unread = newest ? 1 : 0
  const json: InboxState = {
    unread,
    newest,
    readAnnouncement: 0,
    announcements,
    asOf: Date.now(),
  }
  return { stubs: { 'GET /api/inbox/state': { json } } }
}

export const INBOX_STATES: State[] = [
  ...memberStates('inbox', '/inbox', {
    all: { ...page({ rows, announcements: [announcement(1, 'news')] }), whole: true },
    'large-text': { ...page({ rows }), largeText: true, whole: true },
    empty: page({}),
    loading: { loading: 'screen', stubs: { 'GET /api/inbox': 'never' } },
    error: { stubs: { 'GET /api/inbox': FAILS } },
  }),
  ...memberStates('announcement', '/swap', {
    unread: { ...state([], 9), act: see('header .bg-amber') },
    urgent: { ...state([announcement(1, 'urgent')]), act: see('main [role=alert]') },
    maintenance: {
      ...state([announcement(1, 'maintenance', inMs(HOUR_MS))]),
      act: see('main [role=timer]'),
    },
  }),
]
