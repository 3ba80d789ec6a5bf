import { MINUTE_MS } from '#rules/constants'

/** How long a browser remembers that its network lets no WebSocket through. */
export const BLOCKED_MS = 15 * MINUTE_MS

const KEY = 'socketsBlockedAt'

/** For the life of the page, where the browser forbids storage. */
let blockedAt = 0

function read(): number {
  try {
    return Number(localStorage.getItem(KEY) ?? 0)
  } catch {
    return blockedAt
  }
}

function write(at: number): void {
  blockedAt = at
  try {
    if (at === 0) localStorage.removeItem(KEY)
    else localStorage.setItem(KEY, String(at))
  } catch {
    // Private windows may have no storage.
  }
}

/** Sockets were tried and never opened, while the same server answered by HTTP. */
export function rememberBlocked(): void {
  write(Date.now())
}

export function forgetBlocked(): void {
  if (read() !== 0) write(0)
}

/** For how many more ms sockets are not worth a try; 0 where they are. */
export function blockedForMs(): number {
  const age = Date.now() - read()
  return age >= 0 && age < BLOCKED_MS ? BLOCKED_MS - age : 0
}
