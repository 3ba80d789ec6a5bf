import fc from 'fast-check'
import { expect, it } from 'vitest'
import { miningEtag } from '#gateway/not-modified/etag'
import { CLAIM_COOLDOWN_MS, INTERVAL_MS, INTERVALS, REWARD_WINDOW_MS } from '#rules/constants'
import { type MiningFacts, miningStatus, unchangedMs } from '#rules/money/mining-status'

const START = Date.UTC(2026, 2, 8, 9, 10, 11)
const REAL = START + 40 * INTERVAL_MS

/** Members without a cooldown or a new credit: only then nothing ends the time early. */
const OFTEN_ABSENT = { freq: 1 }

const session = fc.record({
  id: fc.constant(7),
  startTime: fc.constant(START),
  status: fc.constantFrom('active' as const, 'stopped' as const, 'completed' as const),
  hashRate: fc.constant('0.10000000'),
  rateSince: fc.constant(START),
  tespAccrued: fc.constant('0'),
  reward: fc.constant('0.00000000'),
  creditedIntervals: fc.integer({ min: 0, max: INTERVALS }),
  lastRewardAmount: fc.constant('0.03333333'),
  creditedAt: fc.option(
    fc.integer({ min: -2 * REWARD_WINDOW_MS, max: 2 * REWARD_WINDOW_MS }).map((ms) => REAL + ms),
    OFTEN_ABSENT,
  ),
})
const facts: fc.Arbitrary<MiningFacts> = fc.record({
  miningBoost: fc.constant('0'),
  pendingRewards: fc.constantFrom('0.00000000', '1.00000000'),
  pendingUsdtRewards: fc.constant('0.00000000'),
  lastClaimTime: fc.option(
    fc.integer({ min: START, max: START + 30 * 60 * INTERVAL_MS }).map((ms) => new Date(ms)),
    OFTEN_ABSENT,
  ),
  session: fc.option(session),
})
const moment = fc.record({
  now: fc.integer({ min: START - INTERVAL_MS, max: START + (INTERVALS + 1) * INTERVAL_MS }),
  speed: fc.constantFrom(1, 60),
  asOf: fc.constant(REAL),
})

it('the ETag of a status stays the same for as long as unchangedMs says', () => {
  fc.assert(
    fc.property(facts, moment, fc.double({ min: 0, max: 1, noNaN: true }), (given, at, share) => {
      const longest = Math.min(unchangedMs(given, at), 30 * CLAIM_COOLDOWN_MS)
      // Whole ms before the end: at the end the status may be another one.
      const elapsed = Math.max(0, Math.ceil(longest * share) - 1)
      const later = { ...at, now: at.now + elapsed * at.speed, asOf: at.asOf + elapsed }
      expect(miningEtag(miningStatus(given, later))).toBe(miningEtag(miningStatus(given, at)))
    }),
  )
})

it('a due interval leaves no time unchanged', () => {
  const stored = {
    id: 7,
    startTime: START,
    hashRate: '0.1',
    rateSince: START,
    tespAccrued: '0',
    reward: '0',
    lastRewardAmount: '0',
    creditedAt: null,
  }
  const running = { ...stored, status: 'active' as const, creditedIntervals: 2 }
  const none = { pendingRewards: '0', pendingUsdtRewards: '0', lastClaimTime: null }
  const at = (now: number) => ({ now, speed: 60, asOf: REAL })
  const left = (now: number) =>
    unchangedMs({ miningBoost: '0', ...none, session: running }, at(now))
  expect(left(START + 2 * INTERVAL_MS)).toBe(INTERVAL_MS / 60)
  expect(left(START + 3 * INTERVAL_MS)).toBe(0)
  expect(left(START + 9 * INTERVAL_MS)).toBe(0)
})
