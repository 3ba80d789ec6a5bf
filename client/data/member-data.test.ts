import { createStore } from 'jotai'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { eventually } from '#client/testing/eventually.ts'
import { activities, anIdleStatus, aUser, aWallet, NOW } from '#client/testing/fixtures.ts'
import { startAs } from '#client/testing/render.tsx'
import { json, lost, refusal, serve, setMemberCookie } from '#client/testing/server.ts'
import type { Wallet } from '#rules/snapshots'
import {
  activityAtom,
  clearMemberCookie,
  currentUser,
  memberInCookie,
  miningAtom,
  NO_ACTIVITY,
  receiveAnswer,
  receiveSnapshot,
  setUser,
  snapshotOf,
  userAtom,
  walletAtom,
} from './member-data.ts'
import { queryClient, store } from './query-cache.ts'
import { refresh, retryFailedReads } from './refresh.ts'

describe('member data', () => {
  beforeEach(() => startAs())
  afterEach(() => {
    vi.restoreAllMocks()
    vi.unstubAllGlobals()
    vi.useRealTimers()
  })

  /** Time for an answer to arrive that must have no effect. */
  const rest = () => new Promise((resolve) => setTimeout(resolve, 50))

  it('refresh repeats a running request and ignores its late answer', async () => {
    const waiting: ((response: Response) => void)[] = []
    serve({ 'GET /api/wallet': () => new Promise((resolve) => waiting.push(resolve)) })
    const unsubscribe = store.sub(walletAtom, () => {})
    await eventually(() => expect(waiting).toHaveLength(1))
    void refresh('/api/wallet')
    await eventually(() => expect(waiting).toHaveLength(2))
    waiting[1]?.(json(aWallet('2', '0', NOW + 1)))
    await eventually(() => expect(snapshotOf('/api/wallet')?.asOf).toBe(NOW + 1))
    waiting[0]?.(json(aWallet('1', '0', NOW)))
    await rest()
    expect(snapshotOf('/api/wallet')?.tesp[0]?.balance).toBe('2')
    unsubscribe()
  })

  it('an atom shows a snapshot that arrived while it was not mounted from its first frame', () => {
    receiveSnapshot('/api/wallet', aWallet('1', '0', NOW))
    store.sub(walletAtom, () => {})()
    receiveSnapshot('/api/wallet', aWallet('2', '0', NOW + 1))
    expect(store.get(walletAtom).data?.tesp[0]?.balance).toBe('2')
  })

  describe('a failed read', () => {
    it('a failed read keeps the cached snapshot on the screen', async () => {
      receiveSnapshot('/api/wallet', aWallet('5'))
      serve({ 'GET /api/wallet': lost })
      const unsubscribe = store.sub(walletAtom, () => {})
      await refresh('/api/wallet')
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
      await eventually(() => expect(store.get(walletAtom).isError).toBe(true))
      unsubscribe()
    })

    it('a failed read of the activity shows an empty list unless one is cached', async () => {
      serve({ 'GET /api/wallet/activity': lost })
      const unsubscribe = store.sub(activityAtom, () => {})
      await eventually(() => expect(store.get(activityAtom).data).toEqual(NO_ACTIVITY))
      receiveSnapshot('/api/wallet/activity', { items: activities(0, 3), next: null, asOf: NOW })
      await eventually(() => expect(store.get(activityAtom).data?.items).toHaveLength(3))
      await refresh('/api/wallet/activity')
      await rest()
      expect(store.get(activityAtom).data?.items).toHaveLength(3)
      unsubscribe()
    })

    describe('that kept the cached snapshot', () => {
      let answer: () => Response
      let server: ReturnType<typeof serve>
      let leave = () => {}
      const reads = () => server.count('GET /api/wallet')

      beforeEach(async () => {
        vi.useFakeTimers()
        receiveSnapshot('/api/wallet', aWallet('1', '0', NOW))
        answer = lost
        server = serve({ 'GET /api/wallet': () => answer() })
        leave = store.sub(walletAtom, () => {})
        void refresh('/api/wallet')
        await vi.advanceTimersByTimeAsync(110)
        expect(reads()).toBe(1)
      })
      afterEach(() => leave())

      it('is repeated after about 5 s until it succeeds', async () => {
        answer = () => json(aWallet('2', '0', NOW + 1))
        await vi.advanceTimersByTimeAsync(6_400)
        expect(snapshotOf('/api/wallet')?.tesp[0]?.balance).toBe('2')
        await vi.advanceTimersByTimeAsync(600_000)
        expect(reads()).toBe(2)
      })

      it('is repeated at most each 22 s while the server does not answer', async () => {
        await vi.advanceTimersByTimeAsync(60_000)
        const before = reads()
        expect(before).toBeGreaterThanOrEqual(3)
        await vi.advanceTimersByTimeAsync(600_000)
        expect(reads() - before).toBeGreaterThanOrEqual(15)
        expect(reads() - before).toBeLessThanOrEqual(27)
      })

      it('is repeated at once when the network is back', async () => {
        await vi.advanceTimersByTimeAsync(120_000)
        const before = reads()
        answer = () => json(aWallet('2', '0', NOW + 1))
        retryFailedReads()
        await vi.advanceTimersByTimeAsync(110)
        expect(reads()).toBe(before + 1)
        await vi.advanceTimersByTimeAsync(600_000)
        expect(reads()).toBe(before + 1)
      })

      it('is not repeated while the page is hidden', async () => {
        const hidden = vi.spyOn(document, 'hidden', 'get').mockReturnValue(true)
        await vi.advanceTimersByTimeAsync(600_000)
        expect(reads()).toBe(1)
        hidden.mockReturnValue(false)
        await vi.advanceTimersByTimeAsync(40_000)
        expect(reads()).toBeGreaterThan(1)
      })

      it('is not repeated once no screen shows it, but on its next mount', async () => {
        leave()
        await vi.advanceTimersByTimeAsync(600_000)
        expect(reads()).toBe(1)
        leave = store.sub(walletAtom, () => {})
        await vi.advanceTimersByTimeAsync(10)
        expect(reads()).toBe(2)
      })

      it('is not repeated for the next member', async () => {
        leave()
        setUser(aUser({ id: 8 }))
        await vi.advanceTimersByTimeAsync(10)
        receiveSnapshot('/api/wallet', aWallet('8', '0', NOW))
        leave = store.sub(walletAtom, () => {})
        await vi.advanceTimersByTimeAsync(600_000)
        expect(reads()).toBe(1)
        expect(vi.getTimerCount()).toBe(0)
      })
    })

    it('a first read of the activity that failed is repeated', async () => {
      vi.useFakeTimers()
      await vi.advanceTimersByTimeAsync(10)
      serve({ 'GET /api/wallet/activity': lost })
      const unsubscribe = store.sub(activityAtom, () => {})
      await vi.advanceTimersByTimeAsync(10)
      expect(store.get(activityAtom).data).toEqual(NO_ACTIVITY)
      serve({ 'GET /api/wallet/activity': () => json(activities(0, 3), { 'X-As-Of': `${NOW}` }) })
      await vi.advanceTimersByTimeAsync(6_400)
      expect(store.get(activityAtom).data?.items).toHaveLength(3)
      unsubscribe()
    })

    it('a read rejected with 401 triggers a re-check of the signed-in user', async () => {
      serve({
        'GET /api/mining/status': () => refusal(401, 'Please sign in'),
        'GET /api/user': () => refusal(401, 'Please sign in'),
      })
      const unsubscribe = [store.sub(userAtom, () => {}), store.sub(miningAtom, () => {})]
      await eventually(() => expect(store.get(userAtom).data).toBeNull())
      for (const stop of unsubscribe) stop()
    })
  })

  it('the time and the cursor of an activity page are read from headers', async () => {
    serve({
      'GET /api/wallet/activity': () =>
        json(activities(0, 2), { 'X-As-Of': `${NOW}.25`, 'X-Next-Cursor': 'c2' }),
    })
    const unsubscribe = store.sub(activityAtom, () => {})
    await eventually(() =>
      expect(store.get(activityAtom).data).toMatchObject({ next: 'c2', asOf: NOW + 0.25 }),
    )
    unsubscribe()
  })

  describe('signing out', () => {
    it('a sign-out clears all snapshots of the member', () => {
      receiveSnapshot('/api/mining/status', anIdleStatus())
      setUser(null)
      expect(snapshotOf('/api/mining/status')).toBeUndefined()
      setUser(aUser())
      expect(snapshotOf('/api/mining/status')).toBeUndefined()
    })

    it('the next member never sees a snapshot of the previous one', () => {
      receiveSnapshot('/api/wallet', aWallet('99'))
      setUser(aUser({ id: 8 }))
      expect(store.get(walletAtom).data).toBeUndefined()
    })

    it('a snapshot that arrives after the sign-out is ignored', () => {
      setUser(null)
      receiveSnapshot('/api/wallet', aWallet('99'))
      setUser(aUser())
      expect(snapshotOf('/api/wallet')).toBeUndefined()
    })

    it('an answer to an earlier member does not become that of the next one', async () => {
      let answer: (wallet: Wallet) => void = () => {}
      const received = receiveAnswer(
        '/api/wallet',
        new Promise((resolve) => {
          answer = resolve
        }),
      )
      setUser(aUser({ id: 8 }))
      answer(aWallet('99'))
      expect(await received).toEqual(aWallet('99'))
      expect(snapshotOf('/api/wallet')).toBeUndefined()
      await receiveAnswer('/api/wallet', Promise.resolve(aWallet('8')))
      expect(snapshotOf('/api/wallet')?.tesp[0]?.balance).toBe('8')
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
      await eventually(() => expect(answer).toBeDefined())
      const answerOfPast = answer
      setUser(aUser({ id: 9 }))
      setMemberCookie(9)
      receiveSnapshot('/api/wallet', aWallet('9'))
      answerOfPast?.(refusal(401, 'Please sign in'))
      await rest()
      expect(store.get(userAtom).data?.id).toBe(9)
      expect(memberInCookie()).toBe(9)
      expect(snapshotOf('/api/wallet')?.tesp[0]?.balance).toBe('9')
      setMemberCookie(undefined)
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
    await eventually(() => expect(store.get(userAtom).data).toBeNull())
    expect(server.sent).toEqual([])
    stop()
  })

  it('a page with the marker cookie asks who is signed in', async () => {
    const server = serve({ 'GET /api/user': json(aUser()) })
    const store = createStore()
    const stop = store.sub(userAtom, () => {})
    await eventually(() => expect(currentUser()?.id).toBe(7))
    expect(server.count('GET /api/user')).toBe(1)
    stop()
  })
})
