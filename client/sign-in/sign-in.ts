import { forgetMember } from '#client/data/forget-member.ts'
import { currentUser, memberIdAtom, recheckUser, setUser, store } from '#client/data/member-data.ts'
import { toast } from '#client/ui/toast.tsx'
import type { SignedOutReason } from '#contract/events'

/** How a sign-in ended that nobody ended in this tab, in words. */
const REASONS: Record<SignedOutReason, string> = {
  logout: 'You have been signed out on this device.',
  'password-reset': 'Your password was changed. Please sign in again.',
  'account-deleted': 'Your account has been deleted.',
  expired: 'Your session has expired. Please sign in again.',
}

/** What the tabs of one browser, which share a sign-in, tell each other. */
type TabMessage = { signedIn: number | undefined; reason: SignedOutReason }

/** Who this tab knows to be signed in, until it was told why nobody is any more. */
let memberId: number | undefined
let ending = false
let reasonTold: SignedOutReason = 'logout'

/** A reset leads to signing in by itself, in words of its own. */
const isSignOutExpected = () => ending || window.location.pathname === '/reset-password'

/** The sign-in has ended elsewhere; the guards lead to /auth. */
export function endSignIn(reason: SignedOutReason): void {
  if (memberId !== undefined) {
    if (reason === 'account-deleted') forgetMember(memberId)
    memberId = undefined
    reasonTold = reason
    if (!isSignOutExpected()) toast({ title: 'Signed out', description: REASONS[reason] })
  }
  setUser(null)
}

/** Ends it in this tab by the member's own wish, which needs no such words. */
export async function signOutHere(
  end: () => Promise<unknown>,
  reason: SignedOutReason = 'logout',
): Promise<void> {
  ending = true
  try {
    await end()
    endSignIn(reason)
  } finally {
    ending = false
  }
}

/**
 * Follows who is signed in: tells a member whose sign-in ended unasked, and keeps the tabs of a
 * browser together, with a socket and without.
 */
export function followSignIn(): () => void {
  const tabs = new BroadcastChannel('sign-in')
  memberId = currentUser()?.id
  let told = memberId

  const follow = () => {
    // The atom tells that something changed; it may lag behind the cache by a moment.
    const next = currentUser()?.id
    if (next === undefined && memberId !== undefined) endSignIn('expired')
    memberId = next
    if (next !== told) tabs.postMessage({ signedIn: next, reason: reasonTold } satisfies TabMessage)
    told = next
  }
  tabs.onmessage = ({ data: { signedIn, reason } }: MessageEvent<TabMessage>) => {
    const own = currentUser()?.id
    if (signedIn === own) return
    told = signedIn
    // Another member's figures may already come under this member's name.
    if (own !== undefined) endSignIn(signedIn === undefined ? reason : 'logout')
    if (signedIn !== undefined) recheckUser()
  }
  const stop = store.sub(memberIdAtom, follow)
  return () => {
    stop()
    tabs.close()
  }
}
