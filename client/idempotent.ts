import { SECOND_MS } from '#rules/constants'
import { isLost } from './api.ts'

/** Pauses before a request is sent again whose answer was lost. */
export const RETRY_PAUSES_MS = [SECOND_MS, 2 * SECOND_MS, 4 * SECOND_MS]

/** A key that no other request has; `randomUUID` is missing where the page came over plain HTTP. */
export function newIdempotencyKey(): string {
  if (typeof crypto.randomUUID === 'function') return crypto.randomUUID()
  const bytes = crypto.getRandomValues(new Uint8Array(16))
  return Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('')
}

/**
 * Sends a request that must take effect once. Where its answer was lost it is sent again under the
 * same key, so the server answers what it answered before; a refusal is final.
 */
export async function sendOnce<T>(
  send: (idempotencyKey: string) => Promise<T>,
  onRetry: () => void = () => {},
  key = newIdempotencyKey(),
): Promise<T> {
  for (const pauseMs of RETRY_PAUSES_MS) {
    try {
      return await send(key)
    } catch (error) {
      if (!isLost(error)) throw error
    }
    onRetry()
    await new Promise((resolve) => setTimeout(resolve, pauseMs))
  }
  return send(key)
}
