import { ApiError } from '#client/data/api.ts'
import type { RouteName } from '#contract/routes'
import type { ClaimResult } from '#rules/snapshots'
import type { Claimed } from '#trials/torture/player'
import type { StepFigures } from './protocol.ts'

/** Codes of the rules that random presses break. */
const REFUSALS = [
  'mining_active',
  'mining_inactive',
  'nothing_to_claim',
  'claim_cooldown',
  'task_claimed',
]

type Figures = Omit<StepFigures, 'credits'>

const noFigures = (): Figures => ({
  requests: 0,
  retried: {},
  waited: 0,
  failed: [],
  slowestMs: 0,
  socketsLost: 0,
  longestAwayMs: 0,
})

/** What all members saw. */
export class Tally {
  figures = noFigures()
  /** Amounts of the acknowledged claims by idempotency key. */
  readonly claims = new Map<string, Claimed>()

  /** Returns the figures since the last call. */
  take(): Figures {
    const { figures } = this
    this.figures = noFigures()
    return figures
  }

  answered(route: RouteName, key: string, answer: unknown): void {
    if (route !== 'POST /api/mining/claim') return
    const { claimedTesp, claimedUsdt } = answer as ClaimResult
    this.claims.set(key, { claimedTesp, claimedUsdt })
  }

  /** A rule of the economy may refuse a press; anything else is a failure. */
  refused(route: RouteName, error: unknown): void {
    const code = error instanceof ApiError ? error.answer?.code : undefined
    if (code !== undefined && REFUSALS.includes(code)) return
    this.figures.failed.push(`${route}: ${error instanceof Error ? error.message : error}`)
  }

  retried(cause: string): void {
    const { retried } = this.figures
    retried[cause] = (retried[cause] ?? 0) + 1
  }

  /** Time from a press to its outcome, ms. */
  ended(ms: number): void {
    this.figures.requests++
    this.figures.slowestMs = Math.max(this.figures.slowestMs, ms)
  }

  /** Time that a member was without a socket, ms. */
  away(ms: number): void {
    this.figures.longestAwayMs = Math.max(this.figures.longestAwayMs, ms)
  }
}
