import type { RuleCode } from '#rules/rule-error'
import {
  type Act,
  fill,
  inOrder,
  openTab,
  press,
  see,
  seeChecked,
  seeToast,
  submit,
} from '#trials/screenshots/steps'
import { FAILS, LEADER_CODE, OK, refused, type State, visitorStates } from './state.ts'

const newcomer = {
  username: 'newcomer',
  email: 'newcomer@demo.example',
  password: 'A long password',
  confirmPassword: 'A long password',
}
const fillIn = inOrder(openTab(1), fill(newcomer), seeChecked('username'), seeChecked('email'))
const sendCode = inOrder(press('main .order-last button'), seeToast)

const login = (code: RuleCode, message: string, then: Act): Partial<State> => ({
  stubs: { 'POST /api/login': refused(401, message, code) },
  act: inOrder(fill({ identifier: 'demo', password: 'secret' }), submit, then),
})

export const AUTH_STATES: State[] = [
  ...visitorStates('auth', '/auth', {
    loading: { path: '/mine', as: 'demo', loading: 'page', stubs: { 'GET /api/user': 'never' } },
    'member-not-loaded': {
      path: '/mine',
      as: 'demo',
      stubs: { 'GET /api/user': FAILS },
      withoutSocket: true,
    },
    login: {},
    'login-large-text': { largeText: true, whole: true },
    'login-errors': { act: submit },
    'login-refused': login('wrong_credentials', 'Invalid username or password', seeToast),
    'login-code': login('second_factor_required', 'Enter the code', see('[name=code]')),
    'login-mail-code': login('otp_required', 'Enter the code', see('[name=otp]')),
    register: { act: openTab(1), whole: true },
    'register-large-text': { act: openTab(1), largeText: true, whole: true },
    'register-invited': {
      path: `/auth?ref=${LEADER_CODE}`,
      act: seeChecked('referralCode'),
      whole: true,
    },
    'register-unknown-code': {
      path: '/auth?ref=TESPZZZZZZ',
      act: see('main form .text-amber'),
      whole: true,
    },
    'register-code-sent': {
      stubs: { 'POST /api/verify/send-otp': OK },
      act: inOrder(fillIn, sendCode),
    },
    'register-code-used-up': {
      stubs: {
        'POST /api/verify/send-otp': OK,
        'POST /api/verify/verify-otp': refused(
          400,
          'This code is used up. Request a new one.',
          'otp_used_up',
        ),
      },
      act: inOrder(fillIn, sendCode, fill({ otp: '123456' }), see('main form p.text-coral')),
    },
  }),
  ...visitorStates('reset-password', '/reset-password', {
    forgot: {},
    'forgot-errors': { act: submit },
    reset: {
      stubs: { 'POST /api/password/forgot': OK },
      act: inOrder(fill({ email: newcomer.email }), submit, seeToast),
      whole: true,
    },
  }),
]
