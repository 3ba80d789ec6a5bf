import { isRecord } from '#client/data/is-record.ts'
import type { User } from '#rules/snapshots'

/**
 * What a member was shown last, kept on the device for a start without a network. It lives exactly
 * as long as the sign-in: a cookie marks that, so it ends with the browser where that does.
 */
export type LastSnapshots = {
  /** Of the client that kept it: another one may read it otherwise. */
  version: string
  user: User
  /** By address, the snapshots (Specification §3). */
  snapshots: Record<string, unknown>
  /** When the server was last heard, and when this was kept, real ms. */
  heardAt: number
  keptAt: number
  /** Product time at `keptAt`; null before the first status. */
  productNow: number | null
}

const KEY = 'lastKnown'
const MARK = 'lastKnownOf'
/** As long as a sign-in that is remembered (rules.md: Members). */
const REMEMBERED_S = 30 * 24 * 60 * 60

function setOwnerCookie(value: string, attributes = ''): void {
  const secure = window.location.protocol === 'https:' ? '; Secure' : ''
  // biome-ignore lint/suspicious/noDocumentCookie: no other storage ends with the browser, for all its tabs.
  document.cookie = `${MARK}=${value}; Path=/; SameSite=Strict${secure}${attributes}`
}

const ownerInCookie = () => Number(document.cookie.match(/(?:^|; )lastKnownOf=(\d+)/)?.[1])

/** A member signed in here, for good or until the browser closes. */
export function setSnapshotOwner(memberId: number, remembered: boolean): void {
  setOwnerCookie(String(memberId), remembered ? `; Max-Age=${REMEMBERED_S}` : '')
}

/** What is kept of whoever is signed in, if anything is. */
export function readLastSnapshots(): LastSnapshots | null {
  try {
    const known: unknown = JSON.parse(localStorage.getItem(KEY) ?? 'null')
    if (!isRecord(known) || !isRecord(known.user) || !isRecord(known.snapshots)) return null
    const lastKnown = known as LastSnapshots
    const isOurs = lastKnown.version === __APP_VERSION__ && lastKnown.user.id === ownerInCookie()
    return isOurs ? lastKnown : null
  } catch {
    return null
  }
}

export function keepLastSnapshots(known: Omit<LastSnapshots, 'version'>): void {
  if (ownerInCookie() !== known.user.id) setSnapshotOwner(known.user.id, false)
  try {
    localStorage.setItem(KEY, JSON.stringify({ version: __APP_VERSION__, ...known }))
  } catch {
    // Private windows may have no storage, or too little.
  }
}

/** Forgets what is kept, unless it is that member's. */
export function forgetLastSnapshots(exceptOf?: number): void {
  if (exceptOf !== undefined && ownerInCookie() === exceptOf) return
  setOwnerCookie('', '; Max-Age=0')
  try {
    localStorage.removeItem(KEY)
  } catch {
    // Nothing is kept where nothing can be.
  }
}
