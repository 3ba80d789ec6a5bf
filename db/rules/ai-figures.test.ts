import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { aiJitter, aiOptimization, clampAi, simulatedStats } from './ai-figures.ts'
import { DAY_MS, MINUTE_MS } from './constants.ts'

const sessionId = fc.integer({ min: 1, max: 2 ** 31 })
const elapsed = fc.integer({ min: 0, max: DAY_MS })

describe('aiOptimization', () => {
  it('aiOptimization starts at 35', () => {
    fc.assert(fc.property(sessionId, (id) => aiOptimization(id, 0) === 35))
  })

  it('aiOptimization is a whole percent in 30…50', () => {
    fc.assert(
      fc.property(sessionId, fc.integer({ min: -DAY_MS, max: 2 * DAY_MS }), (id, ms) => {
        const percent = aiOptimization(id, ms)
        return Number.isInteger(percent) && percent >= 30 && percent <= 50
      }),
    )
  })

  it('aiOptimization varies within a session and between sessions', () => {
    const day = (id: number) =>
      Array.from({ length: 288 }, (_, i) => aiOptimization(id, i * 5 * MINUTE_MS))
    expect(new Set(day(1)).size).toBeGreaterThan(5)
    expect(day(1)).not.toEqual(day(2))
  })

  it('aiOptimization is deterministic', () => {
    expect([1, 2, 3].map((id) => aiOptimization(id, 60 * MINUTE_MS))).toEqual([30, 39, 43])
  })
})

describe('aiJitter', () => {
  it('aiJitter is -1, 0 or 1, and each value occurs', () => {
    const values = new Set(Array.from({ length: 100 }, (_, i) => aiJitter(9, i * 10_000)))
    expect([...values].sort()).toEqual([-1, 0, 1])
    fc.assert(
      fc.property(sessionId, fc.nat(2 ** 41), (id, now) => [-1, 0, 1].includes(aiJitter(id, now))),
    )
  })

  it('aiJitter is constant for 10 seconds', () => {
    fc.assert(
      fc.property(sessionId, fc.nat(2 ** 30), fc.nat(9_999), (id, step, within) => {
        expect(aiJitter(id, step * 10_000 + within)).toBe(aiJitter(id, step * 10_000))
      }),
    )
  })
})

it('clampAi limits percentages to 30…50', () => {
  expect([29, 30, 41, 50, 51].map(clampAi)).toEqual([30, 30, 41, 50, 50])
})

it('simulatedStats start at the idle stats and stay near them', () => {
  expect(simulatedStats(5, 0)).toEqual({
    neuralLinks: 4616,
    dataProcessed: 26.97,
    networkPower: 18.9,
  })
  fc.assert(
    fc.property(sessionId, elapsed, (id, ms) => {
      const { neuralLinks, dataProcessed, networkPower } = simulatedStats(id, ms)
      expect(Math.abs(neuralLinks - 4616)).toBeLessThan(4616 * 0.05)
      expect(Math.abs(networkPower - 18.9)).toBeLessThan(18.9 * 0.07)
      expect(dataProcessed).toBeGreaterThanOrEqual(26.97)
    }),
  )
})
