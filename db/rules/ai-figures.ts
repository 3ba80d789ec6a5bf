import { HOUR_MS, MINUTE_MS, SECOND_MS } from './constants.ts'

/** Bounds and start of the AI optimization figure, percent (Specification §9). */
export const AI_DEFAULT = 35
export const AI_MIN = 30
export const AI_MAX = 50
/** How often the displayed jitter changes. */
export const JITTER_MS = 10 * SECOND_MS
/** Figures of the dashboard without a running session (Specification §2). */
export const IDLE_STATS = { neuralLinks: 4616, dataProcessed: 26.97, networkPower: 18.9 } as const

/** A deterministic fraction in [0, 1) of two integers (an integer hash). */
function noise(seed: number, step: number): number {
  let x = Math.imul(seed | 0, 0x9e3779b1) ^ Math.imul(step | 0, 0x85ebca6b)
  x = Math.imul(x ^ (x >>> 16), 0x7feb352d)
  x = Math.imul(x ^ (x >>> 15), 0x846ca68b)
  return ((x ^ (x >>> 16)) >>> 0) / 2 ** 32
}

/** A smooth wave in [-1, 1] that is 0 when the session starts. */
function wave(seed: number, elapsedMs: number, periodMs: number): number {
  const phase = noise(seed, periodMs) * 2 * Math.PI
  return (Math.sin((elapsedMs / periodMs) * 2 * Math.PI + phase) - Math.sin(phase)) / 2
}

/** Limits a displayed AI optimization to 30…50 percent. */
export function clampAi(percent: number): number {
  return Math.min(AI_MAX, Math.max(AI_MIN, percent))
}

/** Simulated AI optimization, whole percent in 30…50; 35 at a session's start (rules.md: The simulation). */
export function aiOptimization(sessionId: number, elapsedMs: number): number {
  const slow = wave(sessionId, elapsedMs, 95 * MINUTE_MS)
  const quick = wave(sessionId + 1, elapsedMs, 17 * MINUTE_MS)
  return clampAi(Math.round(AI_DEFAULT + 10 * slow + 4 * quick))
}

/** Jitter that the display adds, -1, 0 or 1; it changes each 10 real seconds. */
export function aiJitter(sessionId: number, realNow: number): number {
  return Math.floor(noise(sessionId, Math.floor(realNow / JITTER_MS)) * 3) - 1
}

/** The three stat cards: connections, TB processed, TH/s. Figures of a simulation. */
export type SimulatedStats = { neuralLinks: number; dataProcessed: number; networkPower: number }

/** The simulated stat cards of a session after `elapsedMs` of product time. */
export function simulatedStats(sessionId: number, elapsedMs: number): SimulatedStats {
  const links = wave(sessionId, elapsedMs, 31 * MINUTE_MS)
  const power = wave(sessionId + 2, elapsedMs, 43 * MINUTE_MS)
  const round = (value: number) => Math.round(value * 100) / 100
  return {
    neuralLinks: Math.round(IDLE_STATS.neuralLinks * (1 + 0.04 * links)),
    dataProcessed: round(IDLE_STATS.dataProcessed + (0.37 * elapsedMs) / HOUR_MS),
    networkPower: round(IDLE_STATS.networkPower * (1 + 0.06 * power)),
  }
}

/** Simulated state of the network's AI at `now`, percent; the four shares add up to 100. */
export function networkAi(now: number) {
  const percent = (seed: number, middle: number, swing: number) =>
    Math.round(middle + swing * wave(seed, now, 7 * HOUR_MS))
  const security = percent(11, 25, 3)
  const analytics = percent(12, 20, 3)
  const research = percent(13, 15, 2)
  return {
    training: percent(21, 78, 9),
    dataProcessing: percent(22, 84, 8),
    accuracy: percent(23, 92, 4),
    allocation: { mining: 100 - security - analytics - research, security, analytics, research },
  }
}
