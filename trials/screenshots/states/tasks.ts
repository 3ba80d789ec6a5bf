import { inOrder, openTab, press, seeToast } from '#trials/screenshots/steps'
import { FAILS, type State, statesOf } from './state.ts'

export const TASK_STATES: State[] = [
  ...statesOf(
    'tasks',
    { path: '/tasks', as: 'demo' },
    {
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
      shell: { shell: true },
      'large-text': { largeText: true, whole: true },
      loading: { loading: 'screen', stubs: { 'GET /api/tasks/completed': 'never' } },
      error: { stubs: { 'GET /api/tasks/completed': FAILS } },
    },
  ),
]
