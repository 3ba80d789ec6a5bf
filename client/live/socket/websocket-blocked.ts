import { storage } from '#client/data/storage.ts'
import { MINUTE_MS } from '#rules/constants'

/** How long a browser polls after it found WebSockets blocked, before it tries one again. */
export const BLOCKED_MS = 15 * MINUTE_MS

/** When WebSockets were found to be blocked, real ms; 0 if they were not. */
const blockedAt = () => Number(storage.read('socketsBlockedAt') ?? 0)

/** Records that no socket opened while the same server answered HTTP. */
export function rememberBlocked(): void {
  storage.write('socketsBlockedAt', Date.now())
}

export function forgetBlocked(): void {
  if (blockedAt() !== 0) storage.write('socketsBlockedAt', undefined)
}

/** Real ms until WebSockets are worth another try; 0 if they are now. */
export function blockedForMs(): number {
  const age = Date.now() - blockedAt()
  return age >= 0 && age < BLOCKED_MS ? BLOCKED_MS - age : 0
}
