import { onUnauthorized } from '#client/data/api.ts'
import {
  clearMemberCookie,
  currentUser,
  memberIdAtom,
  memberInCookie,
  reasonOfEnd,
  setUser,
} from '#client/data/member-data.ts'
import { store } from '#client/data/query-cache.ts'
import { recheckUser } from '#client/data/refresh.ts'
import { storage } from '#client/data/storage.ts'
import { i18n } from '#client/language/language.ts'
import { toast } from '#client/ui/toasts/toast.ts'
import type { SignedOutReason } from '#contract/events'

/** Message between the tabs of a browser, which share a sign-in; `signedIn` is a member id. */
type TabMessage = { signedIn: number | undefined; reason: SignedOutReason }

/** The member whose sign-out has not been announced yet. */
let memberId: number | undefined
let isSigningOut = false
let lastReason: SignedOutReason = 'logout'

/** Ends the notifications of a member on this browser. If that fails, the next start repeats it. */
async function endNotifications(memberId: number): Promise<void> {
  if (storage.read('pushMember') !== memberId) return
  try {
    const { endPush } = await import('#client/push/push-device.ts')
    await endPush()
  } catch (error) {
    console.warn('push subscription not ended', error)
  }
}

/** A sign-out by the member, or a password reset, shows its own message. */
const isSignOutExpected = () => isSigningOut || window.location.pathname === '/reset-password'

/** Signs out after the sign-in has ended elsewhere; the guards redirect to /auth. */
export function endSignIn(reason: SignedOutReason): void {
  if (memberId !== undefined) {
    if (reason === 'account-deleted') storage.forgetMember(memberId)
    // A sign-in that has expired still reminds: that is when a member comes back.
    if (reason !== 'expired') void endNotifications(memberId)
    // The event may come before the answer that removes the marker, or without it.
    if (isSigningOut && memberInCookie() === memberId) clearMemberCookie()
    memberId = undefined
    lastReason = reason
    if (!isSignOutExpected()) {
      toast({ title: i18n.t('signedOut.title'), description: i18n.t(`signedOut.${reason}`) })
    }
  }
  setUser(null)
}

export async function signOutHere(
  end: () => Promise<unknown>,
  reason: SignedOutReason = 'logout',
): Promise<void> {
  isSigningOut = true
  try {
    await end()
    endSignIn(reason)
  } finally {
    isSigningOut = false
  }
}

/** Undefined in a browser that refuses channels, as Firefox does where it blocks storage. */
function channelOfTabs(): BroadcastChannel | undefined {
  try {
    return new BroadcastChannel('sign-in')
  } catch {
    return undefined
  }
}

/** Checks the sign-in after a rejected call, and keeps the tabs in step, with or without a socket. */
export function followSignIn(): () => void {
  const tabs = channelOfTabs()
  memberId = currentUser()?.id
  /** The sign-in of this tab as last handled here. */
  let handled = memberId
  /** The sign-in of the last message between the tabs. */
  let published = memberId

  const follow = () => {
    // The atom only signals a change; its value may lag behind the cache.
    const next = currentUser()?.id
    if (next === undefined && memberId !== undefined) endSignIn(reasonOfEnd())
    memberId = next
    if (next === handled) return
    handled = next
    if (next === published) return
    tabs?.postMessage({ signedIn: next, reason: lastReason } satisfies TabMessage)
    published = next
  }
  const take = ({ data: { signedIn, reason } }: MessageEvent<TabMessage>) => {
    const own = currentUser()?.id
    // A frozen tab reads messages late: the member of the cookie may be signed in again.
    if (signedIn !== own && own === memberInCookie()) return recheckUser()
    published = signedIn
    if (signedIn === own) return
    // Answers may already belong to the other tab's member: sign out before they arrive.
    if (own !== undefined) endSignIn(signedIn === undefined ? reason : 'logout')
    // Not an own change: a message about it would sign out the tab that has just signed in.
    handled = undefined
    if (signedIn !== undefined) recheckUser()
  }
  if (tabs) tabs.onmessage = take
  const stops = [store.sub(memberIdAtom, follow), onUnauthorized(recheckUser), () => tabs?.close()]
  return () => {
    for (const stop of stops) stop()
  }
}
