import type { SignInFactors } from '#rules/snapshots'
import {
  chooseJson,
  fill,
  fillFirst,
  goOffline,
  inOrder,
  openDialog,
  openTab,
  press,
  scrollTo,
  see,
  seeChecked,
  seeToast,
  submit,
} from './acts.ts'
import { LEADER_CODE } from './member-names.ts'
import { aForgedProof, aProof } from './proof.ts'
import type { State, Stub } from './state.ts'

const OK = { json: { ok: true, success: true, message: 'OK' } }

const refused = (status: number, message: string, code: string): Stub => ({
  status,
  json: { message, code },
})

const FAILS = refused(500, 'Something went wrong', 'internal')

const app = (more: object): Stub => ({
  json: { flags: [], minimumVersion: null, taskLinks: {}, ...more },
})

const withKyc = { 'GET /api/app': app({ flags: ['kyc'] }) }
const rejection = { reason: 'The picture is too dark', decidedAt: '2026-03-01T10:00:00Z' }

const rowOfMarch = {
  id: 'credit:7:7',
  type: 'mining_reward',
  amount: '0.05166666',
  tokenType: 'TESP',
  description: '',
  timestamp: '2026-03-01T10:00:00.000Z',
  balanceAfter: '7.53967793',
}
/** Passkeys and one-time codes of a member. */
const FACTORS: SignInFactors = {
  passkeys: [
    {
      id: 1,
      name: 'iPhone with a long name of its own',
      addedAt: '2026-03-01T10:00:00Z',
      lastUsedAt: '2026-03-04T10:00:00Z',
      backedUp: true,
    },
    { id: 2, name: 'YubiKey', addedAt: '2026-03-02T10:00:00Z', lastUsedAt: null, backedUp: false },
  ],
  authenticator: { since: '2026-03-01T10:00:00Z', recoveryCodesLeft: 8 },
}
const FACTORS_PANEL = '[aria-labelledby=factors-title]'
const factorsOf = (factors: SignInFactors) => ({ 'GET /api/user/factors': { json: factors } })

const secret = 'GEZDGNBVGY3TQOJQGEZDGNBVGY3TQOJQ'
const SET_UP = {
  ...factorsOf({ passkeys: [], authenticator: null }),
  'POST /api/user/authenticator/set-up': {
    json: { secret, uri: `otpauth://totp/TESP%20Network:demo?secret=${secret}` },
  },
  'POST /api/user/authenticator/confirm': {
    json: { recoveryCodes: Array.from({ length: 10 }, (_, n) => `k3mw${'abcdefghij'[n]}-x7pda`) },
  },
}
const scan = inOrder(
  openDialog(1, FACTORS_PANEL),
  fill({ password: 'secret' }),
  press('[role=dialog] button[type=submit]'),
  see('[role=dialog] code'),
)
const confirmCode = inOrder(
  fill({ code: '123456' }),
  press('[role=dialog] button[type=submit]'),
  see('[role=dialog] li'),
)

const newcomer = {
  username: 'newcomer',
  email: 'newcomer@demo.example',
  password: 'A long password',
  confirmPassword: 'A long password',
}
const fillIn = inOrder(openTab(1), fill(newcomer), seeChecked('username'), seeChecked('email'))
const sendCode = inOrder(press('main .order-last button'), seeToast)

/** Scrolled into view before it is pressed, because scrolling closes a tooltip. */
const statCard = 'main section:last-of-type > button'

/** The states of a screen by name; each may change what is common to them. */
function statesOf(
  screen: string,
  common: Pick<State, 'path' | 'as'>,
  states: Record<string, Partial<State>>,
): State[] {
  return Object.entries(states).map(([state, own]) => ({ screen, state, ...common, ...own }))
}

/** Every state of every screen that `npm run screenshots` takes a picture of. */
export const STATES: State[] = [
  ...statesOf(
    'auth',
    { path: '/auth' },
    {
      loading: { path: '/mine', as: 'demo', loading: 'page', stubs: { 'GET /api/user': 'never' } },
      'member-not-loaded': {
        path: '/mine',
        as: 'demo',
        stubs: { 'GET /api/user': FAILS },
        withoutSocket: true,
      },
      login: {},
      'login-errors': { act: submit },
      'login-refused': {
        stubs: {
          'POST /api/login': refused(401, 'Invalid username or password', 'bad_credentials'),
        },
        act: inOrder(fill({ identifier: 'demo', password: 'wrong' }), submit, seeToast),
      },
      'login-code': {
        stubs: {
          'POST /api/login': refused(401, 'Enter the code', 'second_factor_required'),
        },
        act: inOrder(fill({ identifier: 'demo', password: 'secret' }), submit, see('[name=code]')),
      },
      register: { act: openTab(1), whole: true },
      'register-invited': {
        path: `/auth?ref=${LEADER_CODE}`,
        act: seeChecked('referralCode'),
        whole: true,
      },
      'register-unknown-code': {
        path: '/auth?ref=TESPZZZZZZ',
        act: see('main form p.text-coral'),
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
    },
  ),
  ...statesOf(
    'reset-password',
    { path: '/reset-password' },
    {
      forgot: {},
      'forgot-errors': { act: submit },
      reset: {
        stubs: { 'POST /api/password/forgot': OK },
        act: inOrder(fill({ email: newcomer.email }), submit, seeToast),
        whole: true,
      },
    },
  ),
  ...statesOf(
    'mine',
    { path: '/mine', as: 'demo' },
    {
      idle: { as: 'demo-new', whole: true },
      active: { whole: true },
      completed: { as: 'demo-finished', whole: true },
      loading: { loading: 'screen', stubs: { 'GET /api/mining/status': 'never' } },
      error: { stubs: { 'GET /api/mining/status': FAILS } },
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
      offline: { act: goOffline },
      'command-waiting': { act: inOrder(goOffline, press('.dial-face'), see('main ul.sticky li')) },
      polling: { withoutSocket: true, act: see('header .text-amber') },
      tooltip: { act: inOrder(scrollTo(statCard), press(statCard), see('[role=tooltip]')) },
      'new-version': { stubs: { 'GET /api/app': app({ minimumVersion: '99.0.0' }) } },
    },
  ),
  ...statesOf(
    'wallet',
    { path: '/wallet', as: 'demo' },
    {
      assets: {},
      empty: { as: 'demo-new' },
      'large-amounts': { as: 'demo-rich' },
      activity: { act: openTab(1), whole: true },
      'activity-empty': { as: 'demo-new', act: openTab(1) },
      'activity-large-amounts': { as: 'demo-rich', act: openTab(1) },
      'activity-loading': {
        loading: 'screen',
        stubs: { 'GET /api/wallet/activity': 'never' },
        act: openTab(1),
      },
      transactions: { act: openTab(2) },
      chart: { act: openDialog(0) },
      receipt: { act: inOrder(openTab(1), openDialog(0, 'li')) },
      'receipt-not-sealed': {
        stubs: {
          'GET /api/wallet/activity': { json: [rowOfMarch] },
          'GET /api/ledger/receipt': { json: { receipt: null } },
        },
        act: inOrder(
          openTab(1),
          openDialog(0, 'li'),
          press('[role=dialog] dd button.w-full'),
          see('[role=dialog] [role=status]:not(:empty)'),
        ),
      },
      statement: { act: inOrder(openTab(1), openDialog(1)) },
      loading: { loading: 'screen', stubs: { 'GET /api/wallet': 'never' } },
      error: { stubs: { 'GET /api/wallet': FAILS } },
    },
  ),
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
      loading: { loading: 'screen', stubs: { 'GET /api/tasks/completed': 'never' } },
      error: { stubs: { 'GET /api/tasks/completed': FAILS } },
    },
  ),
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
      loading: { loading: 'screen', stubs: { 'GET /api/referral/info': 'never' }, whole: true },
      error: { stubs: { 'GET /api/referral/info': FAILS } },
    },
  ),
  ...statesOf(
    'network',
    { path: '/network', as: 'demo' },
    {
      status: { whole: true },
      loading: { loading: 'screen', stubs: { 'GET /api/network': 'never' } },
      error: { stubs: { 'GET /api/network': FAILS } },
    },
  ),
  ...statesOf(
    'account',
    { path: '/account', as: 'demo' },
    {
      profile: { whole: true },
      avatar: { act: openDialog(0) },
      'avatar-upload': { act: inOrder(openDialog(0), press('[role=dialog] [role=tab]', 1)) },
      identity: { stubs: withKyc, act: openTab(1), whole: true },
      'identity-rejected': {
        stubs: { ...withKyc, 'GET /api/user/kyc': { json: { retentionDays: 30, rejection } } },
        act: openTab(1),
        whole: true,
      },
      'change-password': { act: openDialog(1) },
      factors: { stubs: factorsOf(FACTORS), whole: true },
      'factors-add': { stubs: factorsOf(FACTORS), act: openDialog(4, FACTORS_PANEL) },
      'factors-remove': { stubs: factorsOf(FACTORS), act: openDialog(1, FACTORS_PANEL) },
      'factors-scan': { stubs: SET_UP, act: scan, whole: true },
      'factors-recovery': { stubs: SET_UP, act: inOrder(scan, confirmCode) },
      'factors-off': { stubs: factorsOf(FACTORS), act: openDialog(6, FACTORS_PANEL) },
      export: { act: openDialog(0, 'section:last-of-type') },
      delete: { act: openDialog(1, 'section:last-of-type') },
    },
  ),
  ...statesOf(
    'menu',
    { path: '/mine', as: 'demo' },
    {
      member: { act: inOrder(press('header [aria-haspopup=menu]'), see('[role=menu]')) },
      more: { act: inOrder(press('nav button'), see('[role=tooltip]')) },
    },
  ),
  ...statesOf(
    'verify',
    { path: '/verify' },
    {
      page: {},
      valid: { act: inOrder(chooseJson({ receipt: aProof() }), see('main h2')), whole: true },
      forged: { act: inOrder(chooseJson(aForgedProof()), see('main h2')), whole: true },
      'no-proof': { act: inOrder(chooseJson([]), see('main p.text-coral')) },
    },
  ),
  ...statesOf('status', { path: '/status' }, { page: {} }),
  ...statesOf('swap', { path: '/swap', as: 'demo' }, { 'coming-soon': {} }),
  ...statesOf('not-found', { path: '/nowhere' }, { visitor: {} }),
]
