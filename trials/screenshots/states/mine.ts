import {
  goOffline,
  inFirstSession,
  inOrder,
  press,
  scrollTo,
  see,
  seeToast,
} from '#trials/screenshots/steps'
import { app, memberStates, ofReading, refused, reminders, type State } from './state.ts'

/** Scrolled into view before it is pressed, because scrolling closes a tooltip. */
const statCard = 'main section:last-of-type > div > button'

export const MINE_STATES: State[] = [
  ...memberStates('mine', '/mine', {
    idle: { as: 'demo-new', whole: true },
    active: { whole: true },
    completed: { as: 'demo-finished', whole: true },
    ...ofReading('GET /api/mining/status'),
    starting: {
      as: 'demo-new',
      stubs: { 'POST /api/mining/start': 'never' },
      act: press('.dial-face'),
    },
    'start-refused': {
      as: 'demo-new',
      stubs: {
        'POST /api/mining/start': refused(409, 'Mining is already active', 'mining_active'),
      },
      act: inOrder(press('.dial-face'), seeToast),
    },
    claimed: {
      stubs: {
        'POST /api/mining/claim': { json: { claimedTesp: '0.0206', claimedUsdt: '0.02' } },
      },
      act: inOrder(press('section[aria-labelledby=pending-title] > button'), seeToast),
    },
    'push-offer': {
      canPush: true,
      stubs: { 'GET /api/reminders': reminders({ kinds: null }) },
      act: inOrder(inFirstSession, see('[aria-labelledby=offer-title]')),
      whole: true,
    },
    offline: { act: goOffline },
    'command-waiting': { act: inOrder(goOffline, press('.dial-face'), see('main ul.sticky li')) },
    polling: { withoutSocket: true, act: see('header .text-amber') },
    tooltip: { act: inOrder(scrollTo(statCard), press(statCard), see('[role=tooltip]')) },
    'new-version': { stubs: { 'GET /api/app': app({ minimumVersion: '99.0.0' }) } },
  }),
  ...memberStates('menu', '/mine', {
    member: { act: inOrder(press('header [aria-haspopup=menu]'), see('[role=menu]')) },
    more: { act: inOrder(press('nav button'), see('[role=tooltip]')) },
  }),
]
