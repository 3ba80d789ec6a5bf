import { act } from '@testing-library/react'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { inboxStateAtom } from '#client/data/inbox-state.ts'
import {
  activityAtom,
  currentUser,
  receiveSnapshot,
  setUser,
  snapshotOf,
  userAtom,
  walletAtom,
} from '#client/data/member-data.ts'
import { store } from '#client/data/query-cache.ts'
import { referralAtom } from '#client/data/referral-info.ts'
import { taskListAtom } from '#client/data/tasks.ts'
import { inboxAtom } from '#client/screens/inbox/inbox-list.ts'
import { FakeSocket } from '#client/testing/fake-socket.ts'
import {
  anActiveStatus,
  anIdleStatus,
  aSession,
  aUser,
  aWallet,
  NOW,
} from '#client/testing/fixtures.ts'
import { startAs } from '#client/testing/render.tsx'
import { json, refusal, serve } from '#client/testing/server.ts'
import { taskList } from '#client/testing/tasks.ts'
import { clearToast, toastAtom } from '#client/ui/toasts/toast.ts'
import type { SignedOutReason } from '#contract/events'
import type { Announcement } from '#rules/inbox'
import { connectionAtom, GRACE_MS, socketUp } from './connection-state.ts'
import { type LoadSocket, loadSocket, startLive } from './live.ts'
import type { ClientSocket } from './open-socket.ts'
import { OVERDUE_MS } from './refetch-wallet.ts'

describe('the connection of a member', () => {
  let sockets: FakeSocket[] = []
  let stop = () => {}
  let server: ReturnType<typeof serve>
  const socket = () => sockets.at(-1) ?? expect.fail('no socket was created')
  const open = () => {
    const next = new FakeSocket()
    sockets.push(next)
    return next as unknown as ClientSocket
  }

  beforeEach(async () => {
    vi.useFakeTimers()
    sockets = []
    let asOf = NOW
    server = serve({
      'GET /api/mining/status': () => json(anIdleStatus({ asOf: ++asOf })),
      'GET /api/wallet': () => json(aWallet('1', '0', ++asOf)),
      'GET /api/wallet/activity': () => json([]),
      'GET /api/tasks': () => json(taskList()),
      'GET /api/user': () => json(aUser()),
    })
    startAs()
    stop = startLive(async () => open)
    await vi.advanceTimersByTimeAsync(10)
  })
  afterEach(() => {
    stop()
    vi.restoreAllMocks()
    vi.unstubAllGlobals()
    vi.useRealTimers()
  })

  it('the socket connects at sign-in and disconnects at sign-out', async () => {
    expect(sockets).toHaveLength(1)
    expect(socket().attempts).toBe(1)
    socket().opens()
    setUser(null)
    await vi.advanceTimersByTimeAsync(10)
    expect(socket().connected).toBe(false)
    setUser(aUser({ id: 8 }))
    await vi.advanceTimersByTimeAsync(10)
    expect(sockets).toHaveLength(2)
  })

  it('the first connect of a page that has just loaded reads nothing for 20 s', async () => {
    const unsubscribe = store.sub(walletAtom, () => {})
    await vi.advanceTimersByTimeAsync(10)
    const before = server.sent.length
    socket().opens()
    await vi.advanceTimersByTimeAsync(19_000)
    expect(server.sent).toHaveLength(before)
    unsubscribe()
  })

  it('the check 20 s after the first connect finds each change whose push was lost', async () => {
    const shown = [userAtom, walletAtom, activityAtom, taskListAtom, inboxStateAtom, inboxAtom]
    const stops = [...shown, referralAtom].map((atom) => store.sub(atom, () => {}))
    await vi.advanceTimersByTimeAsync(10)
    socket().opens()
    server = serve({
      'GET /api/mining/status': json(anIdleStatus({ asOf: NOW + 9_000 })),
      'GET /api/wallet': json(aWallet('2', '0', NOW + 9_000)),
    })
    await vi.advanceTimersByTimeAsync(21_000)
    expect(server.sent.map(({ route }) => route).sort()).toEqual([
      'GET /api/inbox',
      'GET /api/inbox/state',
      'GET /api/mining/status',
      'GET /api/referral/info',
      'GET /api/tasks',
      'GET /api/user',
      'GET /api/wallet',
      'GET /api/wallet/activity',
    ])
    expect(snapshotOf('/api/wallet')?.tesp[0]?.balance).toBe('2')
    for (const leave of stops) leave()
  })

  it('a credit whose push is lost is read 20 s after it was due', async () => {
    const stops = [walletAtom, userAtom].map((atom) => store.sub(atom, () => {}))
    socket().opens()
    await vi.advanceTimersByTimeAsync(21_000)
    const due = (asOf: number) =>
      anActiveStatus({ asOf, session: aSession({ nextCreditIn: 60_000 }) })
    receiveSnapshot('/api/mining/status', due(NOW + 60_000))
    const reads = () => server.sent.filter(({ route }) => route === 'GET /api/wallet').length
    const before = reads()
    await vi.advanceTimersByTimeAsync(60_000 + OVERDUE_MS - 1_000)
    expect(reads()).toBe(before)
    await vi.advanceTimersByTimeAsync(2_000)
    expect(reads()).toBe(before + 1)
    for (const leave of stops) leave()
  })

  it('the user and mounted queries are read once after each later connect without recovery', async () => {
    const unsubscribe = store.sub(walletAtom, () => {})
    socket().opens()
    await vi.advanceTimersByTimeAsync(200)
    const reads = () => [server.count('GET /api/wallet'), server.count('GET /api/user')]
    const [wallets = 0, users = 0] = reads()
    socket().breaks()
    socket().opens()
    await vi.advanceTimersByTimeAsync(200)
    expect(reads()).toEqual([wallets + 1, users + 1])
    socket().breaks()
    socket().opens(true)
    await vi.advanceTimersByTimeAsync(200)
    expect(reads()).toEqual([wallets + 1, users + 1])
    unsubscribe()
  })

  it('a socket that opens late is followed by a read of everything', async () => {
    const unsubscribe = store.sub(walletAtom, () => {})
    await vi.advanceTimersByTimeAsync(6_000)
    const before = server.count('GET /api/wallet')
    socket().opens()
    await vi.advanceTimersByTimeAsync(200)
    expect(server.count('GET /api/wallet')).toBe(before + 1)
    unsubscribe()
  })

  it('a pushed snapshot does not replace a newer one', async () => {
    socket().opens()
    await vi.advanceTimersByTimeAsync(10)
    socket().receives('changed', { wallet: aWallet('3', '0', NOW + 9_000) })
    socket().receives('changed', { wallet: aWallet('2', '0', NOW + 8_000) })
    expect(snapshotOf('/api/wallet')?.tesp[0]?.balance).toBe('3')
  })

  it('a pushed wallet reads the activity again only while a screen shows it', async () => {
    socket().opens()
    await vi.advanceTimersByTimeAsync(10)
    const reads = () => server.count('GET /api/wallet/activity')
    socket().receives('changed', { wallet: aWallet('3', '0', NOW + 9_000) })
    await vi.advanceTimersByTimeAsync(200)
    expect(reads()).toBe(0)
    const unsubscribe = store.sub(activityAtom, () => {})
    await vi.advanceTimersByTimeAsync(10)
    expect(reads()).toBe(1)
    socket().receives('changed', { wallet: aWallet('4', '0', NOW + 10_000) })
    await vi.advanceTimersByTimeAsync(200)
    expect(reads()).toBe(2)
    unsubscribe()
  })

  it('a pushed change of the account reads the user again', async () => {
    const unsubscribe = store.sub(userAtom, () => {})
    socket().opens()
    await vi.advanceTimersByTimeAsync(10)
    server = serve({ 'GET /api/user': () => json(aUser({ kycStatus: 'verified' })) })
    socket().receives('changed', { account: true })
    await vi.advanceTimersByTimeAsync(10)
    expect(currentUser()?.kycStatus).toBe('verified')
    unsubscribe()
  })

  it('a push of announcements drops no push about the bell, in any order', async () => {
    const unsubscribe = store.sub(inboxStateAtom, () => {})
    socket().opens()
    const bell = { unread: 0, newest: 0, readAnnouncement: 0, announcements: [] }
    const soon: Announcement = {
      ...{ id: 4, kind: 'urgent', texts: { en: 'Soon', vi: 'Sắp tới' } },
      ...{ at: '2026-11-21', from: '2026-11-21', until: '2027-11-21' },
    }
    socket().receives('changed', { inbox: { ...bell, asOf: NOW + 1 } })
    socket().receives('announced', { announcements: [soon], asOf: NOW + 9 })
    socket().receives('changed', { inbox: { ...bell, newest: 5, asOf: NOW + 8 } })
    await vi.advanceTimersByTimeAsync(10)
    expect(store.get(inboxStateAtom)).toMatchObject({ newest: 5, announcements: [soon] })
    socket().receives('changed', { inbox: { ...bell, asOf: NOW + 10 } })
    await vi.advanceTimersByTimeAsync(10)
    expect(store.get(inboxStateAtom)).toMatchObject({ newest: 0, announcements: [] })
    unsubscribe()
  })

  it('polling runs from the loss of the socket until the next connect', async () => {
    socket().opens()
    await vi.advanceTimersByTimeAsync(10)
    const before = server.count('GET /api/mining/status')
    socket().breaks()
    await vi.advanceTimersByTimeAsync(12_000)
    expect(server.count('GET /api/mining/status')).toBeGreaterThanOrEqual(before + 2)
    expect(store.get(connectionAtom).state).toBe('polling')
    socket().opens(true)
    const after = server.count('GET /api/mining/status')
    await vi.advanceTimersByTimeAsync(30_000)
    expect(server.count('GET /api/mining/status')).toBe(after)
    expect(store.get(connectionAtom).state).toBe('live')
  })

  it('a socket closed by the server reconnects', async () => {
    socket().opens()
    socket().breaks(false)
    await vi.advanceTimersByTimeAsync(8_000)
    expect(socket().attempts).toBe(2)
  })

  it('a rejected handshake triggers a re-check of the signed-in user', async () => {
    const before = server.count('GET /api/user')
    const unsubscribe = store.sub(walletAtom, () => {})
    socket().active = false
    socket().receives('connect_error', new Error('not_signed_in'))
    await vi.advanceTimersByTimeAsync(10)
    expect(server.count('GET /api/user')).toBe(before + 1)
    unsubscribe()
  })

  it('a refetch event is answered within two seconds', async () => {
    socket().opens()
    await vi.advanceTimersByTimeAsync(10)
    const before = server.count('GET /api/mining/status')
    socket().receives('refetch')
    await vi.advanceTimersByTimeAsync(2_110)
    expect(server.count('GET /api/mining/status')).toBe(before + 1)
  })

  it('a refetch event reads the user once', async () => {
    socket().opens()
    await vi.advanceTimersByTimeAsync(10)
    server = serve({ 'GET /api/user': () => json(aUser({ fullName: 'Mai Tran' })) })
    socket().receives('refetch')
    await vi.advanceTimersByTimeAsync(2_200)
    expect(currentUser()?.fullName).toBe('Mai Tran')
    expect(server.count('GET /api/user')).toBe(1)
  })

  it('a read that a refetch event asks for is repeated after it failed', async () => {
    const unsubscribe = store.sub(walletAtom, () => {})
    socket().opens()
    await vi.advanceTimersByTimeAsync(10)
    let isDown = true
    server = serve({
      'GET /api/user': () => json(aUser()),
      'GET /api/wallet': () =>
        isDown ? refusal(503, 'Unavailable') : json(aWallet('2', '0', NOW + 9_000)),
    })
    socket().receives('refetch')
    await vi.advanceTimersByTimeAsync(2_200)
    expect(server.count('GET /api/wallet')).toBe(1)
    isDown = false
    await vi.advanceTimersByTimeAsync(7_000)
    expect(server.count('GET /api/wallet')).toBe(2)
    expect(snapshotOf('/api/wallet')?.tesp[0]?.balance).toBe('2')
    unsubscribe()
  })

  it('a tasks event reads the tasks on the screen within half a second', async () => {
    socket().opens()
    await vi.advanceTimersByTimeAsync(10)
    socket().receives('tasks')
    await vi.advanceTimersByTimeAsync(700)
    expect(server.count('GET /api/tasks')).toBe(0)
    const unsubscribe = store.sub(taskListAtom, () => {})
    await vi.advanceTimersByTimeAsync(200)
    const before = server.count('GET /api/tasks')
    socket().receives('tasks')
    await vi.advanceTimersByTimeAsync(700)
    expect(server.count('GET /api/tasks')).toBe(before + 1)
    unsubscribe()
  })

  it('a page that becomes visible reads the status and the user', async () => {
    socket().opens()
    await vi.advanceTimersByTimeAsync(10)
    const reads = () => [server.count('GET /api/mining/status'), server.count('GET /api/user')]
    const [statuses = 0, users = 0] = reads()
    document.dispatchEvent(new Event('visibilitychange'))
    await vi.advanceTimersByTimeAsync(110)
    expect(reads()).toEqual([statuses + 1, users + 1])
  })

  it.each<SignedOutReason>(['logout', 'password-reset', 'expired'])(
    'a signed-out event signs the member out: %s',
    (reason) => {
      socket().opens()
      socket().receives('signed-out', reason)
      expect(currentUser()).toBeNull()
    },
  )
})

describe('loading the code of the socket', () => {
  const open = () => new FakeSocket() as unknown as ClientSocket
  const state = () => store.get(connectionAtom).state
  let server: ReturnType<typeof serve>
  let stop = () => {}

  beforeEach(() => {
    vi.useFakeTimers()
    let asOf = NOW
    server = serve({ 'GET /api/mining/status': () => json(anIdleStatus({ asOf: ++asOf })) })
    startAs()
  })
  afterEach(() => {
    stop()
    vi.unstubAllGlobals()
    vi.useRealTimers()
  })

  it('the socket connects once its code is loaded', async () => {
    const connect = vi.fn(() => () => {})
    stop = loadSocket(async () => open, connect)
    expect(connect).not.toHaveBeenCalled()
    await vi.advanceTimersByTimeAsync(0)
    expect(connect).toHaveBeenCalledTimes(1)
  })

  it('a member whose socket code cannot be loaded is polled until it can', async () => {
    let reachable = false
    const load: LoadSocket = async () => {
      if (!reachable) throw new TypeError('Failed to fetch dynamically imported module')
      return open
    }
    const connect = vi.fn(() => {
      socketUp()
      return () => {}
    })
    stop = loadSocket(load, connect)
    await vi.advanceTimersByTimeAsync(GRACE_MS + 10_000)
    expect(server.count('GET /api/mining/status')).toBeGreaterThan(0)
    expect(state()).toBe('polling')
    reachable = true
    await vi.advanceTimersByTimeAsync(10_000)
    expect(connect).toHaveBeenCalledTimes(1)
    expect(state()).toBe('live')
    const polls = server.count('GET /api/mining/status')
    await vi.advanceTimersByTimeAsync(30_000)
    expect(server.count('GET /api/mining/status')).toBe(polls)
  })

  describe('of a member on the page', () => {
    let unsubscribe = () => {}
    const wallet = () => snapshotOf('/api/wallet')?.tesp[0]?.balance

    beforeEach(() => {
      let asOf = NOW
      server = serve({
        'GET /api/mining/status': () => json(anActiveStatus({ asOf: ++asOf })),
        'GET /api/wallet': () => json(aWallet('1', '0', ++asOf)),
        'GET /api/user': () => json(aUser()),
      })
      unsubscribe = store.sub(walletAtom, () => {})
    })
    afterEach(() => {
      unsubscribe()
      act(clearToast)
    })

    /** Starts with code that takes `ms` to load. */
    async function start(ms: number, socket = new FakeSocket()) {
      const load: LoadSocket = () =>
        new Promise((resolve) => setTimeout(resolve, ms, () => socket as unknown as ClientSocket))
      stop = startLive(load)
      await vi.advanceTimersByTimeAsync(10)
    }

    it('a credit in the status that the page holds is announced at once', async () => {
      const credited = { rewardAdded: true, rewardAmount: '0.03333333', rewardId: 'credit:5:8' }
      receiveSnapshot('/api/mining/status', anActiveStatus(credited))
      await vi.advanceTimersByTimeAsync(10)
      await start(3_600_000)
      expect(store.get(toastAtom)?.title).toBe('TESP has been added to your wallet!')
    })

    it('a credit is announced and in the balance while the code is still loading', async () => {
      await start(3_600_000)
      expect(wallet()).toBe('1')
      const credited = { rewardAdded: true, rewardAmount: '0.03333333', rewardId: 'credit:5:9' }
      server = serve({
        'GET /api/mining/status': json(anActiveStatus({ asOf: NOW + 9_000, ...credited })),
        'GET /api/wallet': json(aWallet('2', '0', NOW + 9_000)),
      })
      await vi.advanceTimersByTimeAsync(GRACE_MS + 2_000)
      expect(wallet()).toBe('2')
      expect(store.get(toastAtom)?.title).toBe('TESP has been added to your wallet!')
    })

    it('a page that becomes visible while the code is still loading reads everything', async () => {
      await start(3_600_000)
      const before = server.count('GET /api/wallet')
      document.dispatchEvent(new Event('visibilitychange'))
      await vi.advanceTimersByTimeAsync(110)
      expect(server.count('GET /api/wallet')).toBe(before + 1)
    })

    it('a connect with code that was loaded late is followed by a read of everything', async () => {
      const socket = new FakeSocket()
      await start(6_000, socket)
      await vi.advanceTimersByTimeAsync(6_000)
      const before = server.count('GET /api/wallet')
      socket.opens()
      await vi.advanceTimersByTimeAsync(200)
      expect(server.count('GET /api/wallet')).toBe(before + 1)
    })

    it('a connection whose code was loaded late never shows connecting again', async () => {
      const states: string[] = []
      await start(6_000)
      const stopStates = store.sub(connectionAtom, () => states.push(state()))
      await vi.advanceTimersByTimeAsync(15_000)
      stopStates()
      expect(states).toContain('polling')
      expect(states.slice(states.indexOf('polling'))).not.toContain('connecting')
    })

    it('nothing follows the page after the member has signed out', async () => {
      await start(3_600_000)
      setUser(null)
      await vi.advanceTimersByTimeAsync(10)
      const before = server.sent.length
      document.dispatchEvent(new Event('visibilitychange'))
      await vi.advanceTimersByTimeAsync(60_000)
      expect(server.sent).toHaveLength(before)
    })
  })

  it('a member who signs out while the code is loading is not connected', async () => {
    const connect = vi.fn(() => () => {})
    const end = loadSocket(async () => open, connect)
    end()
    await vi.advanceTimersByTimeAsync(10_000)
    expect(connect).not.toHaveBeenCalled()
  })
})
