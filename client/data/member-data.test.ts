import { createStore } from 'jotai'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { activities, anIdleStatus, aUser, aWallet, NOW } from '#client/testing/fixtures.ts'
import { startAs } from '#client/testing/render.tsx'
import { json, lost, refusal, serve, setMemberCookie } from '#client/testing/server.ts'
import {
  ACTIVITY_URL,
  activityAtom,
  clearMemberCookie,
  currentUser,
  MINING_URL,
  memberInCookie,
  miningAtom,
  NO_ACTIVITY,
  receiveSnapshot,
  setUser,
  snapshotOf,
  userAtom,
  WALLET_URL,
  walletAtom,
} from './member-data.ts'
import { queryClient, store } from './query-cache.ts'
import { refresh } from './refresh.ts'

describe('member data', () => {
  beforeEach(() => startAs())
  afterEach(() => vi.unstubAllGlobals())

  /** Time for an answer to arrive that must have no effect. */
  const rest = () => new Promise((resolve) => setTimeout(resolve, 50))

  it('refresh repeats a running request and ignores its late answer', async () => {
    const waiting: ((response: Response) => void)[] = []
    serve({ 'GET /api/wallet': () => new Promise((resolve) => waiting.push(resolve)) })
    const unsubscribe = store.sub(walletAtom, () => {})
    await vi.waitFor(() => expect(waiting).toHaveLength(1))
    void refresh(WALLET_URL)
    await vi.waitFor(() => expect(waiting).toHaveLength(2))
    waiting[1]?.(json(aWallet('2', '0', NOW + 1)))
    await vi.waitFor(() => expect(snapshotOf(WALLET_URL)?.asOf).toBe(NOW + 1))
    waiting[0]?.(json(aWallet('1', '0', NOW)))
    await rest()
    expect(snapshotOf(WALLET_URL)?.tesp[0]?.balance).toBe('2')
    unsubscribe()
  })

  it('an atom shows a snapshot that arrived while it was not mounted from its first frame', () => {
    receiveSnapshot(WALLET_URL, aWallet('1', '0', NOW))
    store.sub(walletAtom, () => {})()
    receiveSnapshot(WALLET_URL, aWallet('2', '0', NOW + 1))
    expect(store.get(walletAtom).data?.tesp[0]?.balance).toBe('2')
  })

  describe('a failed read', () => {
    it('a failed read keeps the cached snapshot on the screen', async () => {
      receiveSnapshot(WALLET_URL, aWallet('5'))
      serve({ 'GET /api/wallet': lost })
      const unsubscribe = store.sub(walletAtom, () => {})
      await refresh(WALLET_URL)
      await rest()
      expect(store.get(walletAtom)).toMatchObject({
        isError: false,
        data: { tesp: [{ balance: '5' }] },
      })
      unsubscribe()
    })

    it('a failed first read shows its error', async () => {
      serve({ 'GET /api/wallet': () => refusal(500, 'Something went wrong') })
      const unsubscribe = store.sub(walletAtom, () => {})
      await vi.waitFor(() => expect(store.get(walletAtom).isError).toBe(true))
      unsubscribe()
    })

    it('a failed read of the activity shows an empty list unless one is cached', async () => {
      serve({ 'GET /api/wallet/activity': lost })
      const unsubscribe = store.sub(activityAtom, () => {})
      await vi.waitFor(() => expect(store.get(activityAtom).data).toEqual(NO_ACTIVITY))
      receiveSnapshot(ACTIVITY_URL, { items: activities(0, 3), next: null, asOf: NOW })
      await vi.waitFor(() => expect(store.get(activityAtom).data?.items).toHaveLength(3))
      await refresh(ACTIVITY_URL)
      await rest()
      expect(store.get(activityAtom).data?.items).toHaveLength(3)
      unsubscribe()
    })

    it('a read rejected with 401 triggers a re-check of the signed-in user', async () => {
      serve({
        'GET /api/mining/status': () => refusal(401, 'Please sign in'),
        'GET /api/user': () => refusal(401, 'Please sign in'),
      })
      const unsubscribe = [store.sub(userAtom, () => {}), store.sub(miningAtom, () => {})]
      await vi.waitFor(() => expect(store.get(userAtom).data).toBeNull())
      for (const stop of unsubscribe) stop()
    })
  })

  it('the time and the cursor of an activity page are read from headers', async () => {
    serve({
      'GET /api/wallet/activity': () =>
        json(activities(0, 2), { 'X-As-Of': `${NOW}.25`, 'X-Next-Cursor': 'c2' }),
    })
    const unsubscribe = store.sub(activityAtom, () => {})
    await vi.waitFor(() =>
      expect(store.get(activityAtom).data).toMatchObject({ next: 'c2', asOf: NOW + 0.25 }),
    )
    unsubscribe()
  })

  describe('signing out', () => {
    it('a sign-out clears all snapshots of the member', () => {
      receiveSnapshot(MINING_URL, anIdleStatus())
      setUser(null)
      expect(snapshotOf(MINING_URL)).toBeUndefined()
      setUser(aUser())
      expect(snapshotOf(MINING_URL)).toBeUndefined()
    })

    it('the next member never sees a snapshot of the previous one', () => {
      receiveSnapshot(WALLET_URL, aWallet('99'))
      setUser(aUser({ id: 8 }))
      expect(store.get(walletAtom).data).toBeUndefined()
    })

    it('a snapshot that arrives after the sign-out is ignored', () => {
      setUser(null)
      receiveSnapshot(WALLET_URL, aWallet('99'))
      setUser(aUser())
      expect(snapshotOf(WALLET_URL)).toBeUndefined()
    })

    it('an older answer about the user does not undo a sign-in', async () => {
      let answer: ((response: Response) => void) | undefined
      serve({
        'GET /api/user': () =>
          new Promise((resolve) => {
            answer = resolve
          }),
      })
      const unsubscribe = store.sub(userAtom, () => {})
      void store.get(userAtom).refetch()
      await vi.waitFor(() => expect(answer).toBeDefined())
      setUser(aUser({ id: 9 }))
      answer?.(refusal(401, 'Please sign in'))
      await rest()
      expect(store.get(userAtom).data?.id).toBe(9)
      unsubscribe()
    })
  })
})

describe('the marker cookie', () => {
  beforeEach(() => void queryClient.clear())
  afterEach(() => {
    setMemberCookie(undefined)
    vi.unstubAllGlobals()
  })

  it('the marker cookie names the member until it is cleared', () => {
    expect(memberInCookie()).toBeUndefined()
    setMemberCookie(7)
    expect(memberInCookie()).toBe(7)
    clearMemberCookie()
    expect(memberInCookie()).toBeUndefined()
  })

  it('a page without the marker cookie does not ask who is signed in', async () => {
    const server = serve({ 'GET /api/user': json(aUser()) })
    setMemberCookie(undefined)
    const store = createStore()
    const stop = store.sub(userAtom, () => {})
    await vi.waitFor(() => expect(store.get(userAtom).data).toBeNull())
    expect(server.sent).toEqual([])
    stop()
  })

  it('a page with the marker cookie asks who is signed in', async () => {
    const server = serve({ 'GET /api/user': json(aUser()) })
    const store = createStore()
    const stop = store.sub(userAtom, () => {})
    await vi.waitFor(() => expect(currentUser()?.id).toBe(7))
    expect(server.count('GET /api/user')).toBe(1)
    stop()
  })
})
