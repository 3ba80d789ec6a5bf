import type { RuleCode } from '#rules/rule-error'
import type { Task, TaskList, TelegramAccount } from '#rules/snapshots'
import { inOrder, openTab, press, see, seeToast } from '#trials/screenshots/steps'
import { FAILS, memberStates, ofReading, refused, type State, type Stub } from './state.ts'

function published(...changes: Partial<Task>[]): { json: TaskList } {
  const task: Task = {
    id: 'join_channel',
    texts: {
      en: { title: 'Join our channel', description: 'Hear first what is new on the network.' },
      vi: {
        title: 'Tham gia kênh của chúng tôi',
        description: 'Biết trước tin mới của mạng lưới.',
      },
    },
    reward: '1.5',
    platform: 'telegram',
    action: 'subscribe',
    link: 'https://t.example/tesp',
    check: 'trust',
    state: 'open',
  }
  const tasks = changes.map((change, at) => ({ ...task, id: `task_${at}`, ...change }))
  return { json: { tasks, changesInMs: null, asOf: Date.now() } }
}

const telegram = (account: Partial<TelegramAccount>): Stub => ({
  json: { bot: 'tesp_bot', linked: null, ...account },
})
const LINKED = telegram({ linked: { name: '@thanh_huyen', since: '2026-03-01T10:00:00Z' } })

const channel = (account: Stub) => ({
  as: 'demo-new' as const,
  stubs: {
    'GET /api/tasks': published({ check: 'telegram' }),
    'GET /api/telegram': account,
    'POST /api/telegram/link': { json: { url: 'https://t.example/tesp_bot?start=x' } },
  },
  act: see('main li .min-h-11'),
})
const claimOf = (code: RuleCode, message: string) => {
  const state = channel(LINKED)
  const stubs = { ...state.stubs, 'POST /api/tasks/complete': refused(409, message, code) }
  return { ...state, stubs, act: inOrder(state.act, press('main li .grid button'), seeToast) }
}

export const TASK_STATES: State[] = [
  ...memberStates('tasks', '/tasks', {
    all: { whole: true },
    pending: { act: openTab(1) },
    completed: { act: openTab(2) },
    'completed-empty': { as: 'demo-new', act: openTab(2) },
    refreshed: { act: inOrder(press('main header button'), seeToast) },
    'claim-refused': {
      as: 'demo-new',
      stubs: { 'POST /api/tasks/complete': FAILS },
      act: inOrder(press('main li button'), seeToast),
    },
    kinds: {
      as: 'demo-new',
      stubs: {
        'GET /api/tasks': published(
          { platform: 'website', action: 'visit', check: 'code' },
          { platform: 'youtube', action: 'watch', dailyLimit: 3 },
          { platform: 'twitter', action: 'like', dailyLimit: 1, link: null },
          { platform: 'website', action: 'share', state: 'full' },
        ),
      },
      act: see('main li input'),
      whole: true,
    },
    'telegram-not-linked': channel(telegram({})),
    'telegram-waiting': {
      ...channel(telegram({})),
      act: inOrder(
        see('main li .min-h-11'),
        press('main li .min-h-11 button'),
        see('main li [role=status]'),
      ),
    },
    'telegram-linked': channel(LINKED),
    'telegram-not-member': claimOf(
      'telegram_not_member',
      'Telegram does not list you as a member. Join with the linked account, then claim again',
    ),
    'telegram-unreachable': claimOf(
      'telegram_unavailable',
      'Telegram could not be asked. Nothing was changed; try again later',
    ),
    'telegram-not-set-up': channel(telegram({ bot: null })),
    'telegram-not-loaded': channel(FAILS),
    'telegram-large-text': { ...channel(LINKED), largeText: true, whole: true },
    ...ofReading('GET /api/tasks/completed'),
  }),
]
