import { MILESTONES } from '#rules/money/milestones'
import type { BoardRow, TeamMining, WeekBoard, WeekBoards } from '#rules/snapshots'
import {
  fillFirst,
  inOrder,
  openDialog,
  press,
  scrollTo,
  see,
  seeToast,
} from '#trials/screenshots/steps'
import {
  FAILS,
  LEADER_CODE,
  memberStates,
  ofReading,
  refused,
  type State,
  type Stub,
} from './state.ts'

const NAMES = ['thanh.huyen', 'an', 'minh_quan_nguyen_van_a_very_long', 'bao', 'chi', 'dung']

const teamMembers = NAMES.map((username, at) => ({
  id: 100 - at,
  username,
  email: `${username}@demo.example`,
  createdAt: '2026-02-14T08:00:00.000Z',
}))

const team: Stub = {
  json: {
    referralCode: LEADER_CODE,
    frozenReason: null,
    referrer: { username: 'linh' },
    teamSize: NAMES.length,
    miningBoost: 0.3,
    milestones: MILESTONES.map((one) => ({ ...one, achieved: false })),
    teamMembers,
    usdtRewards: [],
    asOf: Date.now(),
  },
}
const mining = (more: Partial<TeamMining> = {}): Stub => ({
  json: { total: 1, memberIds: [100], wakeable: [99, 98], reminded: [97], ...more },
})

const boardRow = (rank: number | null, name: string | null, tesp: string): BoardRow => ({
  rank,
  who: 'member',
  name,
  tesp: `${tesp}0000`,
  gap: false,
})
const board: WeekBoard = {
  members: 41,
  rows: [
    boardRow(1, 'minh_quan_nguyen_van_a_very_long', '1204.5000'),
    { ...boardRow(2, 'linh', '18.2000'), who: 'inviter' },
    boardRow(3, 'an', '17.9166'),
    boardRow(4, 'bao', '16.8000'),
    boardRow(5, 'chi', '16.1000'),
    { ...boardRow(12, 'dung', '9.0333'), gap: true },
    boardRow(13, 'hoa', '9.0000'),
    { ...boardRow(14, 'demo', '8.7666'), who: 'self' },
    boardRow(15, 'khanh', '8.1000'),
    boardRow(null, 'lan', '0.0000'),
  ],
}
const alone: WeekBoard = {
  members: 1,
  rows: [{ ...boardRow(null, 'demo', '0.0000'), who: 'self' }],
}
const everyone: WeekBoard = {
  members: 184_203,
  rows: [
    boardRow(1, null, '2310.0500'),
    boardRow(2, 'thanh.huyen', '1980.0000'),
    boardRow(3, null, '1204.5000'),
    { ...boardRow(103_441, 'hoa', '8.8000'), gap: true },
    { ...boardRow(103_442, 'demo', '8.7666'), who: 'self' },
    boardRow(103_443, null, '8.7665'),
  ],
}
const week = (more: Partial<WeekBoards> = {}): Stub => ({
  json: {
    week: '2026-11-23',
    readAt: '2026-11-24T10:00:00.000Z',
    team: board,
    listing: null,
    everyone: null,
    ...more,
  },
})
const atEveryone = inOrder(
  openDialog(0),
  see('[aria-labelledby=week-everyone]'),
  scrollTo('[aria-labelledby=week-everyone]'),
)

const boards = (answer: Stub, act = openDialog(0)): Partial<State> => ({
  stubs: { 'GET /api/referral/week': answer },
  act,
})

const WAKEABLE = { 'GET /api/referral/info': team, 'GET /api/referral/mining': mining() }
const waking = (answer: Stub): Partial<State> => ({
  stubs: { ...WAKEABLE, 'POST /api/referral/wake': answer },
  act: inOrder(press('main ul[aria-label] li button'), seeToast),
})

export const TEAM_STATES: State[] = [
  ...memberStates('team', '/team', {
    leader: { whole: true },
    new: { as: 'demo-new', whole: true },
    invited: { as: 'demo-ada', whole: true },
    'milestone-ready': { as: 'demo-leader', whole: true },
    'member-list': {
      as: 'demo-leader',
      act: inOrder(
        press('main ul[aria-label] + div button'),
        scrollTo('main ul[aria-label] li', 18),
      ),
      whole: true,
    },
    'qr-code': { act: openDialog(1) },
    'code-known': {
      as: 'demo-new',
      act: inOrder(fillFirst(LEADER_CODE), see('main form p.text-mint'), scrollTo('main form')),
    },
    'code-unknown': {
      as: 'demo-new',
      act: inOrder(fillFirst('TESPZZZZZZ'), see('main form p.text-coral'), scrollTo('main form')),
    },
    'code-frozen': { as: 'demo-frozen' },
    'generate-refused': {
      as: 'demo-new',
      stubs: { 'POST /api/referral/generate-code': FAILS },
      act: inOrder(press('[aria-labelledby=invite-title] > div > button'), seeToast),
    },
    wake: { stubs: WAKEABLE, act: scrollTo('main ul[aria-label] li', 3), whole: true },
    'wake-done': waking(mining({ wakeable: [98], reminded: [99, 97] })),
    'wake-refused': waking(refused(409, 'This member takes no reminders', 'reminder_refused')),
    'wake-large-text': {
      stubs: WAKEABLE,
      act: scrollTo('main ul[aria-label] li', 2),
      largeText: true,
    },
    week: boards(week()),
    'week-offer': boards(week(), atEveryone),
    'week-named': boards(week({ listing: 'name', everyone }), atEveryone),
    'week-anonymous': boards(
      week({ listing: 'anonymous', everyone: { members: 0, rows: [] } }),
      atEveryone,
    ),
    'week-alone': boards(week({ team: alone })),
    'week-loading': { loading: 'screen', ...boards('never') },
    'week-unavailable': boards(
      refused(503, 'The board is not available right now', 'board_unavailable'),
    ),
    'week-large-text': { ...boards(week({ listing: 'name', everyone })), largeText: true },
    ...ofReading('GET /api/referral/info'),
    'large-text': { as: 'demo-leader', largeText: true, whole: true },
    loading: { loading: 'screen', stubs: { 'GET /api/referral/info': 'never' }, whole: true },
  }),
]
