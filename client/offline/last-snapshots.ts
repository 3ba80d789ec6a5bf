import type { DehydratedState } from '@tanstack/react-query'
import { memberInCookie } from '#client/data/member-cookie.ts'
import { isRecord, storage } from '#client/data/storage.ts'
import type { User } from '#rules/members/account-snapshots'

/**
 * The last snapshots of a member, stored on the device for a start without a network. They live
 * exactly as long as the sign-in: the marker cookie names their owner.
 */
export type LastSnapshots = {
  user: User
  /** The member's queries, with the time of each. */
  cache: DehydratedState
  /** When the server last answered, real ms. */
  lastContactAt: number
  /** When the snapshots were stored, real ms. */
  savedAt: number
  /** Product time at `savedAt`, ms; null before the first status. */
  productNow: number | null
}

/** The stored form. Only the client version that wrote it reads it. */
type Stored = LastSnapshots & { version: string }

/** The stored snapshots of the member who may be signed in; null if there are none. */
export function readLastSnapshots(): LastSnapshots | null {
  const owner = memberInCookie()
  const stored = owner === undefined ? undefined : storage.readFor(owner, 'snapshots')
  if (!isRecord(stored) || stored.version !== __APP_VERSION__) return null
  if (!isRecord(stored.user) || stored.user.id !== owner || !isRecord(stored.cache)) return null
  const { version: _, ...last } = stored as Stored
  return last
}

export function saveLastSnapshots(last: LastSnapshots): void {
  const stored: Stored = { version: __APP_VERSION__, ...last }
  storage.writeFor(last.user.id, 'snapshots', stored)
}
