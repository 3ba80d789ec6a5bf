import { isRecord, storage } from '#client/data/storage.ts'
import type { User } from '#rules/snapshots'

/**
 * The last snapshots of a member, stored on the device for a start without a network. They live
 * exactly as long as the sign-in: a cookie names their owner, so that they end with the browser if
 * the sign-in does.
 */
export type LastSnapshots = {
  user: User
  /** Snapshots by URL (Specification §3). */
  snapshots: Record<string, unknown>
  /** When the server last answered, real ms. */
  lastContactAt: number
  /** When the snapshots were stored, real ms. */
  savedAt: number
  /** Product time at `savedAt`, ms; null before the first status. */
  productNow: number | null
}

/** The stored form. Only the client version that wrote it reads it. */
type Stored = {
  version: string
  user: User
  snapshots: Record<string, unknown>
  heardAt: number
  keptAt: number
  productNow: number | null
}

const OWNER_COOKIE = 'lastKnownOf'
/** Lifetime of a remembered sign-in (rules.md: Members). */
const REMEMBERED_S = 30 * 24 * 60 * 60

function setOwnerCookie(value: string, attributes = ''): void {
  const secure = window.location.protocol === 'https:' ? '; Secure' : ''
  // biome-ignore lint/suspicious/noDocumentCookie: no other storage ends with the browser, for all its tabs.
  document.cookie = `${OWNER_COOKIE}=${value}; Path=/; SameSite=Strict${secure}${attributes}`
}

const ownerInCookie = () => Number(document.cookie.match(/(?:^|; )lastKnownOf=(\d+)/)?.[1])

/** Names the owner at sign-in: for 30 days if `remembered`, otherwise until the browser closes. */
export function setSnapshotOwner(memberId: number, remembered: boolean): void {
  setOwnerCookie(String(memberId), remembered ? `; Max-Age=${REMEMBERED_S}` : '')
}

/** The stored snapshots of the member in the owner cookie; null if there are none. */
export function readLastSnapshots(): LastSnapshots | null {
  const stored = storage.read('lastKnown')
  if (!isRecord(stored) || !isRecord(stored.user) || !isRecord(stored.snapshots)) return null
  const { version, user, snapshots, heardAt, keptAt, productNow } = stored as Stored
  if (version !== __APP_VERSION__ || user.id !== ownerInCookie()) return null
  return { user, snapshots, lastContactAt: heardAt, savedAt: keptAt, productNow }
}

export function saveLastSnapshots(last: LastSnapshots): void {
  const { user, snapshots, lastContactAt, savedAt, productNow } = last
  if (ownerInCookie() !== user.id) setSnapshotOwner(user.id, false)
  storage.write('lastKnown', {
    version: __APP_VERSION__,
    user,
    snapshots,
    heardAt: lastContactAt,
    keptAt: savedAt,
    productNow,
  } satisfies Stored)
}

/** Removes the stored snapshots unless the signed-in member owns them. */
export function forgetLastSnapshots(signedIn?: number): void {
  if (signedIn !== undefined && ownerInCookie() === signedIn) return
  setOwnerCookie('', '; Max-Age=0')
  storage.write('lastKnown', undefined)
}
