import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { call } from '#client/data/api.ts'
import { currentUser, setUser, store, userAtom } from '#client/data/member-data.ts'
import { aUser } from '#client/testing/fixtures.ts'
import { startAs } from '#client/testing/render.tsx'
import { json, lost, refusal, serve } from '#client/testing/server.ts'
import type { SignedOutReason } from '#contract/events'
import { endSignIn, followSignIn } from './sign-in.ts'
import { signOut } from './sign-out.ts'

const toast = vi.hoisted(() => vi.fn())
vi.mock('#client/ui/toast.tsx', () => ({ toast }))

let stops: (() => void)[] = []
let others: BroadcastChannel

const said = () => toast.mock.calls.map(([{ title, description }]) => `${title}: ${description}`)
const EXPIRED = 'Signed out: Your session has expired. Please sign in again.'
const ELSEWHERE = 'Signed out: You have been signed out on this device.'

beforeEach(() => {
  window.history.replaceState(null, '', '/wallet')
  startAs()
  toast.mockClear()
  others = new BroadcastChannel('sign-in')
  stops = [store.sub(userAtom, () => {}), followSignIn(), () => others.close()]
})
afterEach(() => {
  for (const stop of stops) stop()
  vi.unstubAllGlobals()
})

describe('the end of a sign-in', () => {
  it.each<[SignedOutReason, string]>([
    ['logout', ELSEWHERE],
    ['password-reset', 'Signed out: Your password was changed. Please sign in again.'],
    ['account-deleted', 'Signed out: Your account has been deleted.'],
    ['expired', EXPIRED],
  ])('says in words why it came: %s', (reason, words) => {
    endSignIn(reason)
    expect(currentUser()).toBeNull()
    expect(said()).toEqual([words])
  })

  it('is noticed by any call that is refused, and told once', async () => {
    const server = serve({
      'GET /api/user': () => refusal(401, 'Please sign in'),
      'POST /api/mining/claim': () => refusal(401, 'Please sign in'),
    })
    await Promise.allSettled([call('POST /api/mining/claim'), call('POST /api/mining/claim')])
    await vi.waitFor(() => expect(currentUser()).toBeNull())
    expect(said()).toEqual([EXPIRED])
    expect(server.count('GET /api/user')).toBe(1)
  })

  it('by wish is told in its own words alone, whichever word comes first', async () => {
    serve({
      'POST /api/logout': () => {
        endSignIn('logout')
        return json({ ok: true })
      },
    })
    await signOut()
    expect(said()).toEqual(["Logged out: You've been successfully logged out."])
    expect(currentUser()).toBeNull()
  })

  it('is not told where logging out failed, but later when it comes', async () => {
    serve({ 'POST /api/logout': lost })
    await signOut()
    toast.mockClear()
    expect(currentUser()).not.toBeNull()
    endSignIn('expired')
    expect(said()).toEqual([EXPIRED])
  })

  it('needs no words where a reset of the password leads to signing in', () => {
    window.history.replaceState(null, '', '/reset-password')
    endSignIn('password-reset')
    expect(said()).toEqual([])
    expect(currentUser()).toBeNull()
  })
})

describe('two tabs of a browser', () => {
  it('end their sign-in together', async () => {
    others.postMessage({ signedIn: undefined, reason: 'logout' })
    await vi.waitFor(() => expect(currentUser()).toBeNull())
    expect(said()).toEqual([ELSEWHERE])
  })

  it('tell each other who is signed in', async () => {
    const heard: unknown[] = []
    others.onmessage = ({ data }) => heard.push(data)
    endSignIn('expired')
    await vi.waitFor(() => expect(heard).toHaveLength(1))
    setUser(aUser({ id: 8 }))
    await vi.waitFor(() =>
      expect(heard).toEqual([
        { signedIn: undefined, reason: 'expired' },
        { signedIn: 8, reason: 'expired' },
      ]),
    )
  })

  it('forget one member at once where another signed in', async () => {
    serve({ 'GET /api/user': () => json(aUser({ id: 8 })) })
    const seen: (number | undefined)[] = []
    stops.push(store.sub(userAtom, () => seen.push(store.get(userAtom).data?.id)))
    others.postMessage({ signedIn: 8, reason: 'logout' })
    await vi.waitFor(() => expect(currentUser()?.id).toBe(8))
    expect(seen).toContain(undefined)
  })
})
