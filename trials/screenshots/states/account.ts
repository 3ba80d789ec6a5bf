import type { SignInFactors } from '#rules/members/account-snapshots'
import { fill, inOrder, openDialog, press, see } from '#trials/screenshots/steps'
import { app, memberStates, reminders, type State } from './state.ts'

const withKyc = { 'GET /api/app': app({ flags: ['kyc'] }) }
const rejection = { reason: 'The picture is too dark', decidedAt: '2026-03-01T10:00:00Z' }

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
const withFactors = { stubs: factorsOf(FACTORS) }
const withReminders = (more: Parameters<typeof reminders>[0]) => ({
  stubs: { 'GET /api/reminders': reminders(more) },
  whole: true as const,
})

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

const waiting = {
  'GET /api/user/sign-ins': 'never',
  'GET /api/user/factors': 'never',
} as const

const INVITED = { on: true, inviter: 'thanh.huyen', blocked: false }

export const ACCOUNT_STATES: State[] = [
  ...memberStates('account', '/account', {
    profile: { whole: true },
    shell: { shell: true },
    'large-text': { largeText: true, whole: true },
    rows: { stubs: withKyc, act: see('main a[href$=identity]'), whole: true },
    avatar: { act: openDialog(0) },
    'avatar-upload': { act: inOrder(openDialog(0), press('[role=dialog] [role=tab]', 1)) },
  }),
  ...memberStates('account-security', '/account?view=security', {
    shown: { whole: true },
    shell: { shell: true },
    loading: { loading: 'screen', stubs: waiting, act: see('main h1'), whole: true },
    'large-text': { ...withFactors, largeText: true, whole: true },
    'change-password': { act: openDialog(0) },
    factors: { ...withFactors, whole: true },
    'factors-add': { ...withFactors, act: openDialog(4, FACTORS_PANEL) },
    'factors-remove': { ...withFactors, act: openDialog(1, FACTORS_PANEL) },
    'factors-scan': { stubs: SET_UP, act: scan, whole: true },
    'factors-recovery': { stubs: SET_UP, act: inOrder(scan, confirmCode) },
    'factors-unsaved': {
      stubs: SET_UP,
      act: inOrder(scan, confirmCode, press('[role=dialog] button.absolute'), see('[role=alert]')),
    },
    'factors-off': { ...withFactors, act: openDialog(6, FACTORS_PANEL) },
  }),
  ...memberStates('account-notifications', '/account?view=notifications', {
    shown: { whole: true },
    switches: { canPush: true, ...withReminders({ kinds: ['session', 'milestone'] }) },
    'large-text': { canPush: true, ...withReminders({ team: INVITED }), largeText: true },
    'team-on': withReminders({ team: INVITED }),
    'team-blocked': withReminders({ team: { ...INVITED, blocked: true } }),
  }),
  ...memberStates('account-identity', '/account?view=identity', {
    shown: { stubs: withKyc, whole: true },
    rejected: {
      stubs: { ...withKyc, 'GET /api/user/kyc': { json: { retentionDays: 30, rejection } } },
      whole: true,
    },
  }),
  ...memberStates('account-data', '/account?view=data', {
    shown: {},
    export: { act: openDialog(0) },
    delete: { act: openDialog(1) },
  }),
]
