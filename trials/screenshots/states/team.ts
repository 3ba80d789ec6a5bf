import {
  fillFirst,
  inOrder,
  openDialog,
  press,
  scrollTo,
  see,
  seeToast,
} from '#trials/screenshots/steps'
import { FAILS, LEADER_CODE, type State, statesOf } from './state.ts'

export const TEAM_STATES: State[] = [
  ...statesOf(
    'team',
    { path: '/team', as: 'demo' },
    {
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
      'qr-code': { act: openDialog(0) },
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
      shell: { shell: true },
      'large-text': { as: 'demo-leader', largeText: true, whole: true },
      loading: { loading: 'screen', stubs: { 'GET /api/referral/info': 'never' }, whole: true },
      error: { stubs: { 'GET /api/referral/info': FAILS } },
    },
  ),
]
