import { inOrder, openDialog, openTab, press, see } from '#trials/screenshots/steps'
import { memberStates, ofReading, type State } from './state.ts'

const rowOfMarch = {
  id: 'credit:7:7',
  type: 'mining_reward',
  amount: '0.05166666',
  tokenType: 'TESP',
  description: '',
  timestamp: '2026-03-01T10:00:00.000Z',
  balanceAfter: '7.53967793',
}

export const WALLET_STATES: State[] = [
  ...memberStates('wallet', '/wallet', {
    assets: {},
    empty: { as: 'demo-new' },
    'large-amounts': { as: 'demo-rich' },
    activity: { act: openTab(1), whole: true },
    'activity-empty': { as: 'demo-new', act: openTab(1) },
    'activity-large-amounts': { as: 'demo-rich', act: openTab(1) },
    'activity-loading': {
      loading: 'screen',
      stubs: { 'GET /api/wallet/activity': 'never' },
      // A press on the shell, before its code is loaded, would be lost.
      act: inOrder(see('header .animate-pulse-dot'), openTab(1)),
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
    'empty-shell': { as: 'demo-new', shell: true },
    'activity-large-text': { largeText: true, act: openTab(1), whole: true },
    ...ofReading('GET /api/wallet'),
  }),
]
