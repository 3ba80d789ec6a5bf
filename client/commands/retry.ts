import { ApiError, mayHaveWorked } from '#client/data/api.ts'
import { SECOND_MS } from '#rules/constants'

/** Total pause, real ms, during which a request with an unknown outcome is retried. */
export const RETRY_BUDGET_MS = 7 * SECOND_MS
/** Longest pause before a retry, even if `Retry-After` asks for more. */
export const MAX_RETRY_PAUSE_MS = 4 * SECOND_MS
/** Jitter: largest share added to a pause, so that clients cut off together do not retry together. */
const JITTER = 0.4

/** A unique idempotency key; browsers have no `randomUUID` on pages loaded over plain HTTP. */
export function newIdempotencyKey(): string {
  if (typeof crypto.randomUUID === 'function') return crypto.randomUUID()
  const bytes = crypto.getRandomValues(new Uint8Array(16))
  return Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('')
}

/** The pause before a retry, ms: at least `Retry-After`, at most `MAX_RETRY_PAUSE_MS`. */
export function pauseAfter(error: unknown, pauseMs: number, random = Math.random()): number {
  const retryAfterMs = (error instanceof ApiError && error.retryAfterMs) || 0
  return Math.min(MAX_RETRY_PAUSE_MS, Math.max(pauseMs, retryAfterMs) * (1 + JITTER * random))
}

/**
 * Sends a request that must take effect once. If its outcome is unknown it is retried under the
 * same idempotency key, so the server repeats its first answer; a rejection is final.
 */
export async function sendWithRetry<T>(
  send: (idempotencyKey: string) => Promise<T>,
  onRetry: () => void = () => {},
  key = newIdempotencyKey(),
): Promise<T> {
  let budgetMs = RETRY_BUDGET_MS
  for (let pauseMs = SECOND_MS; ; pauseMs *= 2) {
    let waitMs: number
    try {
      return await send(key)
    } catch (error) {
      if (!mayHaveWorked(error) || budgetMs < SECOND_MS) throw error
      waitMs = Math.min(budgetMs, pauseAfter(error, pauseMs))
    }
    budgetMs -= waitMs
    onRetry()
    await new Promise((resolve) => setTimeout(resolve, waitMs))
  }
}
