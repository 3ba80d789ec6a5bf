import { ApiError, mayHaveWorked } from '#client/data/api.ts'
import { SECOND_MS } from '#rules/constants'

/** How long, pauses added up, a request is sent again that may have worked. */
export const RETRY_BUDGET_MS = 7 * SECOND_MS
/** Longest pause before the next try, also where the server asks for more. */
export const MAX_RETRY_PAUSE_MS = 4 * SECOND_MS
/** Share by which a pause grows at most, so that all those who were cut off at once spread out. */
const SPREAD = 0.4

/** A key that no other request has; `randomUUID` is missing where the page came over plain HTTP. */
export function newIdempotencyKey(): string {
  if (typeof crypto.randomUUID === 'function') return crypto.randomUUID()
  const bytes = crypto.getRandomValues(new Uint8Array(16))
  return Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('')
}

/** The pause before the next try: never shorter than the server asked for, up to the longest. */
export function pauseAfter(error: unknown, pauseMs: number, random = Math.random()): number {
  const askedMs = (error instanceof ApiError && error.retryAfterMs) || 0
  return Math.min(MAX_RETRY_PAUSE_MS, Math.max(pauseMs, askedMs) * (1 + SPREAD * random))
}

/**
 * Sends a request that must take effect once. Where nobody knows whether it did, it is sent again
 * under the same key, so the server answers what it answered before; a refusal is final.
 */
export async function sendWithRetry<T>(
  send: (idempotencyKey: string) => Promise<T>,
  onRetry: () => void = () => {},
  key = newIdempotencyKey(),
): Promise<T> {
  let leftMs = RETRY_BUDGET_MS
  for (let pauseMs = SECOND_MS; ; pauseMs *= 2) {
    let waitMs: number
    try {
      return await send(key)
    } catch (error) {
      if (!mayHaveWorked(error) || leftMs < SECOND_MS) throw error
      waitMs = Math.min(leftMs, pauseAfter(error, pauseMs))
    }
    leftMs -= waitMs
    onRetry()
    await new Promise((resolve) => setTimeout(resolve, waitMs))
  }
}
