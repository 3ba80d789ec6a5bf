import { ApiError, isSignedOut, mayHaveWorked } from '#client/data/api.ts'
import { SECOND_MS } from '#rules/constants'
import type { CommandEvent } from './command-state.ts'

/** Total pause, real ms, during which a command without an answer is retried before it waits. */
export const RETRY_BUDGET_MS = 7 * SECOND_MS
/** Longest pause before a retry, even if `Retry-After` asks for more. */
export const MAX_RETRY_PAUSE_MS = 4 * SECOND_MS
/** Longest pause of a waiting command; it is also sent when the server answers something else. */
export const MAX_WAITING_PAUSE_MS = 10 * SECOND_MS
/** Jitter: largest share added to a pause, so that clients cut off together do not retry together. */
const JITTER = 0.4

/** A unique idempotency key; browsers have no `randomUUID` on pages loaded over plain HTTP. */
export function newIdempotencyKey(): string {
  if (typeof crypto.randomUUID === 'function') return crypto.randomUUID()
  const bytes = crypto.getRandomValues(new Uint8Array(16))
  return Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('')
}

/** The pause before a retry, ms: at least `Retry-After`, at most `longestMs`. */
export function pauseAfter(
  error: unknown,
  pauseMs: number,
  longestMs = MAX_RETRY_PAUSE_MS,
  random = Math.random(),
): number {
  const retryAfterMs = (error instanceof ApiError && error.retryAfterMs) || 0
  return Math.min(longestMs, Math.max(pauseMs, retryAfterMs) * (1 + JITTER * random))
}

/** The pauses of one command: they double, first within the retry budget, then while it waits. */
export function retryPauses() {
  let budgetMs = RETRY_BUDGET_MS
  let pauseMs = SECOND_MS
  return {
    isUsedUp: () => budgetMs < SECOND_MS,
    /** Ends the budget: the browser is offline, or the command waits already. */
    exhaust() {
      budgetMs = 0
    },
    next(error: unknown): number {
      const isWaiting = budgetMs < SECOND_MS
      const ms = isWaiting
        ? pauseAfter(error, pauseMs, MAX_WAITING_PAUSE_MS)
        : Math.min(budgetMs, pauseAfter(error, pauseMs))
      budgetMs -= ms
      pauseMs = Math.min(pauseMs * 2, MAX_WAITING_PAUSE_MS)
      return ms
    },
  }
}

const TOO_MANY_REQUESTS = 429

/**
 * What a failed request means. After a lost request a rate limit proves nothing: the limit is
 * checked before the key.
 */
export function eventOf(error: unknown, { afterLost }: { afterLost: boolean }): CommandEvent {
  if (mayHaveWorked(error)) return 'lost'
  if (isSignedOut(error)) return 'signed out'
  const isLimited = error instanceof ApiError && error.status === TOO_MANY_REQUESTS
  return afterLost && isLimited ? 'lost' : 'rejected'
}
