import { isRecord } from '#client/data/is-record.ts'
import type { User } from '#rules/snapshots'

/**
 * What a member was shown last, kept on the device for a start without a network. It lives exactly
 * as long as the sign-in: a cookie marks that, so it ends with the browser where that does.
 */
export type LastKnown = {
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

function mark(value: string, attributes = ''): void {
  const secure = window.location.protocol === 'https:' ? '; Secure' : ''
  // biome-ignore lint/suspicious/noDocumentCookie: no other storage ends with the browser, for all its tabs.
  document.cookie = `${MARK}=${value}; Path=/; SameSite=Strict${secure}${attributes}`
}

const markedFor = () => Number(document.cookie.match(/(?:^|; )lastKnownOf=(\d+)/)?.[1])

/** A member signed in here, for good or until the browser closes. */
export function markSignIn(memberId: number, remembered: boolean): void {
  mark(String(memberId), remembered ? `; Max-Age=${REMEMBERED_S}` : '')
}

/** What is kept of whoever is signed in, if anything is. */
export function readLastKnown(): LastKnown | null {
  try {
    const known: unknown = JSON.parse(localStorage.getItem(KEY) ?? 'null')
    if (!isRecord(known) || !isRecord(known.user) || !isRecord(known.snapshots)) return null
    const lastKnown = known as LastKnown
    const isOurs = lastKnown.version === __APP_VERSION__ && lastKnown.user.id === markedFor()
    return isOurs ? lastKnown : null
  } catch {
    return null
  }
}

export function keepLastKnown(known: Omit<LastKnown, 'version'>): void {
  if (markedFor() !== known.user.id) markSignIn(known.user.id, false)
  try {
    localStorage.setItem(KEY, JSON.stringify({ version: __APP_VERSION__, ...known }))
  } catch {
    // Private windows may have no storage, or too little.
  }
}

/** Forgets what is kept, unless it is that member's. */
export function forgetLastKnown(exceptOf?: number): void {
  if (exceptOf !== undefined && markedFor() === exceptOf) return
  mark('', '; Max-Age=0')
  try {
    localStorage.removeItem(KEY)
  } catch {
    // Nothing is kept where nothing can be.
  }
}
