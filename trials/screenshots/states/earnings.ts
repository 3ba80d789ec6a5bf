import { DAY_MS, EARNINGS_DAYS } from '#rules/constants'
import type { Earnings, EarningsDay } from '#rules/snapshots'
import { inOrder, openTab, press } from '#trials/screenshots/steps'
import { FAILS, memberStates, type State, type Stub } from './state.ts'

const NONE = '0.00000000'
const LAST = Date.parse('2026-03-01')

function earningsOf(sharesOf: (daysAgo: number) => Partial<EarningsDay>): Stub {
  const days = Array.from({ length: EARNINGS_DAYS }, (_, nth): EarningsDay => {
    const daysAgo = EARNINGS_DAYS - 1 - nth
    const day = new Date(LAST - daysAgo * DAY_MS).toISOString().slice(0, 10)
    const none = { mining: NONE, team: NONE, rewards: NONE, other: NONE, usdt: NONE }
    return { day, ...none, ...sharesOf(daysAgo) }
  })
  const earnings: Earnings = { days, asOf: LAST }
  return { json: earnings }
}

const REGULAR = earningsOf((daysAgo) => {
  if (daysAgo % 9 === 5) return {}
  const hours = daysAgo === 0 ? 8 : 24 - (daysAgo % 4) * 5
  return {
    mining: (hours / 10).toFixed(8),
    team: ((hours / 10) * 0.05 * Math.ceil((EARNINGS_DAYS - daysAgo) / 20)).toFixed(8),
    rewards: daysAgo % 13 === 2 ? '1.00000000' : NONE,
    other: daysAgo === 40 ? '-0.75000000' : NONE,
    usdt: daysAgo % 7 === 3 ? '0.05280000' : NONE,
  }
})

const LARGE = earningsOf((daysAgo) => {
  const large = '98765432109.87654321'
  return daysAgo === 2 ? { mining: '2.40000000', other: large, usdt: large } : {}
})

const EARNINGS = 'GET /api/wallet/earnings'
const stubs = (stub: Stub) => ({ stubs: { [EARNINGS]: stub } })
const openTable = press('main button[aria-controls=earnings-table]')

export const EARNINGS_STATES: State[] = memberStates('wallet', '/wallet?view=earnings', {
  earnings: { ...stubs(REGULAR), whole: true },
  'earnings-month': { ...stubs(REGULAR), act: openTab(1), whole: true },
  'earnings-quarter': { ...stubs(REGULAR), act: openTab(2), whole: true },
  'earnings-table': { ...stubs(REGULAR), act: inOrder(openTab(1), openTable), whole: true },
  'earnings-table-corrected': { ...stubs(REGULAR), act: inOrder(openTab(2), openTable) },
  'earnings-large-amounts': { ...stubs(LARGE), act: openTable, whole: true },
  'earnings-large-text': { ...stubs(REGULAR), act: openTable, largeText: true, whole: true },
  'earnings-month-large-text': {
    ...stubs(REGULAR),
    act: openTab(1),
    largeText: true,
    whole: true,
  },
  'earnings-empty': stubs(earningsOf(() => ({}))),
  'earnings-loading': { ...stubs('never'), loading: 'screen' },
  'earnings-error': stubs(FAILS),
})
