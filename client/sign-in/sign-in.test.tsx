import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { call } from '#client/data/api.ts'
import {
  currentUser,
  memberIdAtom,
  memberInCookie,
  setUser,
  userAtom,
} from '#client/data/member-data.ts'
import { store } from '#client/data/query-cache.ts'
import { storage } from '#client/data/storage.ts'
import { signOut } from '#client/layout/header/member-menu.tsx'
import { eventually } from '#client/testing/eventually.ts'
import { installPush, removePush } from '#client/testing/fake-push.ts'
import { aUser } from '#client/testing/fixtures.ts'
import { startAs } from '#client/testing/render.tsx'
import { json, lost, refusal, serve, setMemberCookie } from '#client/testing/server.ts'
import { recordToasts } from '#client/testing/toasts.ts'
import { clearToast } from '#client/ui/toasts/toast.ts'
import type { SignedOutReason } from '#contract/events'
import { endSignIn, followSignIn } from './sign-in.ts'

let stops: (() => void)[] = []
let otherTab: BroadcastChannel
let toasts: string[]

const EXPIRED = 'Signed out: Your session has expired. Please sign in again.'
const SIGNED_OUT_HERE = 'Signed out: You have been signed out on this device.'

/** Waits for the toasts so far; a toast shows a moment after the call that causes it. */
const expectToasts = (...texts: string[]) => eventually(() => expect(toasts).toEqual(texts))
/** Long enough for a toast to show that must not. */
const rest = () => new Promise((resolve) => setTimeout(resolve, 50))

beforeEach(() => {
  window.history.replaceState(null, '', '/wallet')
  clearToast()
  startAs()
  const recorder = recordToasts()
  toasts = recorder.texts
  otherTab = new BroadcastChannel('sign-in')
  stops = [store.sub(userAtom, () => {}), followSignIn(), () => otherTab.close(), recorder.stop]
})
afterEach(() => {
  for (const stop of stops) stop()
  vi.unstubAllGlobals()
})

describe('the end of a sign-in', () => {
  it.each<[SignedOutReason, string]>([
    ['logout', SIGNED_OUT_HERE],
    ['password-reset', 'Signed out: Your password was changed. Please sign in again.'],
    ['account-deleted', 'Signed out: Your account has been deleted.'],
    ['account-frozen', 'Signed out: Your account is frozen. Sign in to see why.'],
    ['expired', EXPIRED],
    ['ended', 'Signed out: You were signed out from another device.'],
  ])('the reason of a sign-out is shown: %s', async (reason, text) => {
    endSignIn(reason)
    expect(currentUser()).toBeNull()
    await expectToasts(text)
  })

  const ENDS: Record<SignedOutReason, boolean> = {
    logout: true,
    ended: true,
    'password-reset': true,
    'account-deleted': true,
    'account-frozen': true,
    expired: false,
  }
  it.each(Object.entries(ENDS) as [SignedOutReason, boolean][])(
    'the reason %s ends the notifications of this browser: %s',
    async (reason, ends) => {
      const push = installPush()
      push.subscription = push.newSubscription()
      storage.write('pushMember', currentUser()?.id)
      endSignIn(reason)
      if (ends) await eventually(() => expect(push.subscription).toBeNull())
      else await rest()
      expect(push.subscription === null).toBe(ends)
      storage.write('pushMember', undefined)
      removePush()
    },
  )

  it('parallel calls rejected with 401 sign out once, after one re-check', async () => {
    const server = serve({
      'GET /api/user': refusal(401, 'Please sign in'),
      'POST /api/mining/claim': refusal(401, 'Please sign in'),
    })
    await Promise.allSettled([call('POST /api/mining/claim'), call('POST /api/mining/claim')])
    await eventually(() => expect(currentUser()).toBeNull())
    await expectToasts(EXPIRED)
    await rest()
    expect(toasts).toEqual([EXPIRED])
    expect(server.count('GET /api/user')).toBe(1)
  })

  it('a rejected call says that another device ended the sign-in, if the server knows', async () => {
    const rejection = { message: 'Please sign in', params: { reason: 'ended' } }
    serve({
      'GET /api/user': () => new Response(JSON.stringify(rejection), { status: 401 }),
      'POST /api/mining/claim': refusal(401, 'Please sign in'),
    })
    await call('POST /api/mining/claim').catch(() => {})
    await expectToasts('Signed out: You were signed out from another device.')
  })

  it("the member's own logout shows only its own message, even if the event arrives first", async () => {
    serve({
      'POST /api/logout': () => {
        endSignIn('logout')
        return json({ ok: true })
      },
    })
    await signOut()
    await expectToasts("Logged out: You've been successfully logged out.")
    expect(currentUser()).toBeNull()
  })

  it('a logout whose answer is lost after the event is done, and removes the marker', async () => {
    setMemberCookie(currentUser()?.id)
    serve({
      'POST /api/logout': () => {
        endSignIn('logout')
        return lost()
      },
    })
    await signOut()
    await expectToasts("Logged out: You've been successfully logged out.")
    expect(memberInCookie()).toBeUndefined()
  })

  it('a logout forgets the page that it was pressed on', async () => {
    serve({ 'POST /api/logout': json({ ok: true }) })
    window.history.replaceState({ from: '/account?view=security' }, '', '/auth')
    await signOut()
    expect([window.location.pathname, window.history.state?.from]).toEqual(['/auth', undefined])
    window.history.replaceState(null, '', '/')
  })

  it('a failed logout keeps the sign-in, and its later end is shown', async () => {
    serve({ 'POST /api/logout': lost })
    await signOut()
    const failure =
      'Logout failed: The server could not be reached. Check your connection and try again.'
    await expectToasts(failure)
    expect(currentUser()).not.toBeNull()
    endSignIn('expired')
    await expectToasts(failure, EXPIRED)
  })

  it('a sign-out on the password reset page shows no message', async () => {
    window.history.replaceState(null, '', '/reset-password')
    endSignIn('password-reset')
    expect(currentUser()).toBeNull()
    await rest()
    expect(toasts).toEqual([])
  })

  it.each<[SignedOutReason, boolean]>([
    ['expired', true],
    ['account-deleted', false],
  ])('stored items of the member after %s are kept: %s', (reason, kept) => {
    storage.writeFor(7, 'completedTasks', { join_telegram: '2026-01-01T00:00:00.000Z' })
    endSignIn(reason)
    expect(storage.readFor(7, 'completedTasks') !== undefined).toBe(kept)
  })
})

describe('two tabs of a browser', () => {
  it('a sign-out in one tab signs the other tab out', async () => {
    setMemberCookie(undefined)
    otherTab.postMessage({ signedIn: undefined, reason: 'logout' })
    await eventually(() => expect(currentUser()).toBeNull())
    await expectToasts(SIGNED_OUT_HERE)
  })

  it('a sign-out that is read after the next sign-in of the member ends nothing of it', async () => {
    const push = installPush()
    push.subscription = push.newSubscription()
    storage.write('pushMember', 7)
    storage.writeFor(7, 'pushKept', 'en https://push.example/1')
    const server = serve({ 'GET /api/user': json(aUser()) })
    otherTab.postMessage({ signedIn: undefined, reason: 'logout' })
    await eventually(() => expect(server.count('GET /api/user')).toBe(1))
    await rest()
    expect(currentUser()?.id).toBe(7)
    expect(storage.readFor(7, 'pushKept')).toBe('en https://push.example/1')
    expect(push.subscription).not.toBeNull()
    storage.write('pushMember', undefined)
    removePush()
  })

  it('a sign-out that is read after the sign-in of another member ends nothing of theirs', async () => {
    const push = installPush()
    push.subscription = push.newSubscription()
    storage.write('pushMember', 8)
    storage.writeFor(8, 'pushKept', 'en https://push.example/1')
    storage.writeFor(8, 'command', { key: 'k', name: 'claim' }, 'k')
    setMemberCookie(8)
    serve({ 'GET /api/user': json(aUser({ id: 8 })), 'GET /api/reminders': lost })
    for (const signedIn of [undefined, 8]) otherTab.postMessage({ signedIn, reason: 'logout' })
    await eventually(() => expect(currentUser()?.id).toBe(8))
    await rest()
    expect(storage.listFor(8, 'command')).toHaveLength(1)
    expect(storage.readFor(8, 'pushKept')).toBe('en https://push.example/1')
    expect(push.subscription).not.toBeNull()
    storage.forgetMember(8)
    storage.write('pushMember', undefined)
    removePush()
  })

  it('a sign-out that is read before the cookie has gone signs out after one read', async () => {
    const server = serve({ 'GET /api/user': refusal(401, 'Please sign in') })
    otherTab.postMessage({ signedIn: undefined, reason: 'logout' })
    await eventually(() => expect(currentUser()).toBeNull())
    await expectToasts(EXPIRED)
    expect(server.count('GET /api/user')).toBe(1)
  })

  it('each change of the signed-in member is sent to the other tabs', async () => {
    const messages: unknown[] = []
    otherTab.onmessage = ({ data }) => messages.push(data)
    endSignIn('expired')
    await eventually(() => expect(messages).toHaveLength(1))
    setUser(aUser({ id: 8 }))
    await eventually(() =>
      expect(messages).toEqual([
        { signedIn: undefined, reason: 'expired' },
        { signedIn: 8, reason: 'expired' },
      ]),
    )
  })

  it('a sign-in in one tab signs the previous member out of the other tab first', async () => {
    serve({ 'GET /api/user': json(aUser({ id: 8 })) })
    setMemberCookie(8)
    const memberIds: (number | undefined)[] = []
    stops.push(store.sub(userAtom, () => memberIds.push(store.get(userAtom).data?.id)))
    otherTab.postMessage({ signedIn: 8, reason: 'logout' })
    await eventually(() => expect(currentUser()?.id).toBe(8))
    expect(memberIds).toContain(undefined)
  })

  it.each<[string, { signedIn: number | undefined }[]]>([
    ['a sign-in', [{ signedIn: 8 }]],
    ['a sign-out and the next sign-in at once', [{ signedIn: undefined }, { signedIn: 8 }]],
  ])('a tab that receives %s of another tab does not sign it out', async (_, received) => {
    // The atoms lag behind the cache: here they may still show the member of the test before.
    await eventually(() => expect(store.get(memberIdAtom)).toBe(7))
    serve({
      'GET /api/user': async () => {
        // The answer arrives after the page has shown that nobody is signed in.
        await eventually(() => expect(store.get(memberIdAtom)).toBeUndefined())
        return json(aUser({ id: 8 }))
      },
    })
    const messages: unknown[] = []
    otherTab.onmessage = ({ data }) => messages.push(data)
    setMemberCookie(8)
    for (const message of received) otherTab.postMessage({ ...message, reason: 'logout' })
    await eventually(() => expect(store.get(memberIdAtom)).toBe(8))
    endSignIn('expired')
    // Its own sign-out is the first message that it sends.
    const own = { signedIn: undefined, reason: 'expired' }
    await eventually(() => expect(messages).toEqual([own]))
  })
})
