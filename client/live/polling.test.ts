import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { ApiError } from '#client/data/api.ts'
import { inboxStateAtom } from '#client/data/inbox-state.ts'
import { activityAtom, receiveSnapshot, snapshotOf, walletAtom } from '#client/data/member-data.ts'
import { store } from '#client/data/query-cache.ts'
import { referralAtom } from '#client/data/referral-info.ts'
import { taskListAtom } from '#client/data/tasks.ts'
import { inboxAtom } from '#client/screens/inbox/inbox-list.ts'
import { aReferralInfo } from '#client/screens/team/testing/a-team.ts'
import { anActiveStatus, anIdleStatus, aWallet, NOW } from '#client/testing/fixtures.ts'
import { startAs } from '#client/testing/render.tsx'
import { json, lost, refusal, serve } from '#client/testing/server.ts'
import { taskList } from '#client/testing/tasks.ts'
import type { InboxState } from '#rules/inbox'
import { connectionAtom, socketBlocked, socketUp } from './connection-state.ts'
import { nextPause, pollDelay, SLOWEST_POLL_MS, startPolling } from './polling.ts'

beforeEach(() => {
  vi.useFakeTimers()
  startAs()
})
afterEach(() => {
  vi.restoreAllMocks()
  vi.unstubAllGlobals()
  vi.useRealTimers()
})

/** Without a socket only the polls decide whether the page is offline. */
function withoutSocket(): void {
  socketUp()
  socketBlocked()
}

describe('the pause between polls', () => {
  it('the pause between polls leaves at least 0.6 s of 5 s for the answers', () => {
    expect(pollDelay(5_000, 0)).toBe(3_900)
    expect(pollDelay(5_000, 0.5)).toBeCloseTo(4_150)
    expect(pollDelay(5_000, 1)).toBeLessThanOrEqual(4_400)
  })

  it('the pause doubles up to 30 s while the server answers 5xx, then returns to 5 s', () => {
    const failing = new ApiError(503, 'Unavailable')
    let pauseMs = 5_000
    const pauses = [1, 2, 3, 4].map(() => {
      pauseMs = nextPause(pauseMs, failing)
      return pauseMs
    })
    expect(pauses).toEqual([10_000, 20_000, SLOWEST_POLL_MS, SLOWEST_POLL_MS])
    expect(nextPause(pauseMs, new TypeError('Failed to fetch'))).toBe(5_000)
    expect(nextPause(pauseMs, undefined)).toBe(5_000)
  })
})

it('polling reads the status every 5 s until it is stopped', async () => {
  const server = serve({ 'GET /api/mining/status': () => json(anIdleStatus()) })
  const stop = startPolling()
  await vi.advanceTimersByTimeAsync(21_000)
  expect(server.count('GET /api/mining/status')).toBeGreaterThanOrEqual(4)
  expect(server.count('GET /api/mining/status')).toBeLessThanOrEqual(6)
  stop()
  const before = server.sent.length
  await vi.advanceTimersByTimeAsync(60_000)
  expect(server.sent).toHaveLength(before)
})

it('polling reads the tasks each 5 s while a screen shows them', async () => {
  const server = serve({
    'GET /api/mining/status': () => json(anIdleStatus()),
    'GET /api/tasks': () => json(taskList()),
  })
  const stop = startPolling()
  await vi.advanceTimersByTimeAsync(11_000)
  expect(server.count('GET /api/tasks')).toBe(0)
  const unsubscribe = store.sub(taskListAtom, () => {})
  await vi.advanceTimersByTimeAsync(100)
  const before = server.count('GET /api/tasks')
  await vi.advanceTimersByTimeAsync(5_700)
  unsubscribe()
  stop()
  expect(server.count('GET /api/tasks')).toBeGreaterThan(before)
  expect(server.count('GET /api/tasks')).toBeLessThanOrEqual(before + 2)
})

it('a read of the tasks that takes longer than a poll arrives', async () => {
  serve({
    'GET /api/mining/status': () => json(anIdleStatus()),
    'GET /api/tasks': () =>
      new Promise<Response>((resolve) => setTimeout(resolve, 7_000, json(taskList()))),
  })
  const unsubscribe = store.sub(taskListAtom, () => {})
  const stop = startPolling()
  await vi.advanceTimersByTimeAsync(30_000)
  unsubscribe()
  stop()
  expect(store.get(taskListAtom).data?.tasks).toEqual(taskList().tasks)
})

it('a task that is published right after a read is on a polling page within 5 s', async () => {
  vi.spyOn(Math, 'random').mockReturnValue(0.999)
  const [published] = taskList().tasks
  let list = taskList([])
  let readAt = 0
  // Each answer takes 200 ms; the list is that of the moment at which the request arrives.
  const slowly = (answer: Response) =>
    new Promise<Response>((resolve) => setTimeout(resolve, 200, answer))
  serve({
    'GET /api/mining/status': () => slowly(json(anIdleStatus())),
    'GET /api/tasks': () => {
      readAt = Date.now()
      return slowly(json(list))
    },
  })
  const unsubscribe = store.sub(taskListAtom, () => {})
  const stop = startPolling()
  await vi.advanceTimersByTimeAsync(12_000)
  const before = readAt
  while (readAt === before) await vi.advanceTimersByTimeAsync(10)
  list = taskList(published && [published])
  await vi.advanceTimersByTimeAsync(5_000)
  unsubscribe()
  stop()
  expect(store.get(taskListAtom).data?.tasks).toEqual([published])
})

it('polling sends the ETag of the cached status and accepts a 304', async () => {
  let etag = 'W/"1"'
  let asOf = NOW
  const server = serve({
    'GET /api/mining/status': ({ headers }) => {
      if (headers.get('If-None-Match') === etag) return new Response(null, { status: 304 })
      return json(anIdleStatus({ asOf: ++asOf }), { ETag: etag })
    },
  })
  const sentEtag = () => server.sent.at(-1)?.headers.get('If-None-Match') ?? null
  const stop = startPolling()
  await vi.advanceTimersByTimeAsync(1_100)
  expect(sentEtag()).toBeNull()
  await vi.advanceTimersByTimeAsync(6_000)
  expect(sentEtag()).toBe(etag)
  expect(snapshotOf('/api/mining/status')?.asOf).toBe(NOW + 1)
  etag = 'W/"2"'
  await vi.advanceTimersByTimeAsync(6_000)
  expect(snapshotOf('/api/mining/status')?.asOf).toBe(NOW + 2)
  receiveSnapshot('/api/mining/status', anIdleStatus({ asOf: NOW + 9 }))
  await vi.advanceTimersByTimeAsync(5_600)
  expect(sentEtag()).toBeNull()
  stop()
})

it('a poll that runs is not repeated, neither by time nor by an event', async () => {
  const server = serve({
    'GET /api/mining/status': () =>
      new Promise<Response>((resolve) => setTimeout(resolve, 7_000, json(anIdleStatus()))),
  })
  const stop = startPolling()
  await vi.advanceTimersByTimeAsync(2_000)
  window.dispatchEvent(new Event('online'))
  await vi.advanceTimersByTimeAsync(5_900)
  expect(server.count('GET /api/mining/status')).toBe(1)
  await vi.advanceTimersByTimeAsync(4_500)
  stop()
  expect(server.count('GET /api/mining/status')).toBe(2)
})

it('polls are sent less often while the server fails', async () => {
  const server = serve({ 'GET /api/mining/status': refusal(503, 'Unavailable') })
  const stop = startPolling()
  await vi.advanceTimersByTimeAsync(60_000)
  stop()
  expect(server.count('GET /api/mining/status')).toBeLessThanOrEqual(5)
})

it('polling stops while the page is hidden', async () => {
  const server = serve({ 'GET /api/mining/status': () => json(anIdleStatus()) })
  const hidden = vi.spyOn(document, 'hidden', 'get').mockReturnValue(true)
  const stop = startPolling()
  await vi.advanceTimersByTimeAsync(60_000)
  expect(server.sent).toHaveLength(0)
  hidden.mockReturnValue(false)
  document.dispatchEvent(new Event('visibilitychange'))
  await vi.advanceTimersByTimeAsync(10)
  expect(server.count('GET /api/mining/status')).toBe(1)
  stop()
})

it('a poll reads what the bell shows too, and its failure is none of the connection', async () => {
  const server = serve({
    'GET /api/mining/status': () => json(anIdleStatus()),
    'GET /api/inbox/state': lost,
  })
  withoutSocket()
  const removeBell = store.sub(inboxStateAtom, () => {})
  const stop = startPolling()
  await vi.advanceTimersByTimeAsync(12_000)
  stop()
  removeBell()
  expect(server.count('GET /api/inbox/state')).toBeGreaterThanOrEqual(
    server.count('GET /api/mining/status'),
  )
  expect(store.get(connectionAtom).state).toBe('polling')
})

describe('money that moves while the page polls', () => {
  const anInboxState = (more: Partial<InboxState> = {}): InboxState => ({
    unread: 0,
    newest: 0,
    readAnnouncement: 0,
    announcements: [],
    asOf: NOW,
    ...more,
  })
  let balance = '1'
  let state = anInboxState()
  let server: ReturnType<typeof serve>
  let stops: (() => void)[] = []
  const reads = () => [
    server.count('GET /api/wallet'),
    server.count('GET /api/wallet/activity'),
    server.count('GET /api/inbox'),
  ]

  beforeEach(async () => {
    balance = '1'
    state = anInboxState()
    let asOf = NOW
    server = serve({
      'GET /api/mining/status': () => json(anIdleStatus({ asOf: ++asOf })),
      'GET /api/inbox/state': () => json({ ...state, asOf: ++asOf }),
      'GET /api/inbox': () => json({ rows: [], next: null, announcements: [] }),
      'GET /api/wallet': ({ headers }) => {
        const etag = `W/"${balance}"`
        if (headers.get('If-None-Match') === etag) return new Response(null, { status: 304 })
        return json(aWallet(balance, '0', ++asOf), { ETag: etag })
      },
      'GET /api/wallet/activity': () => json([]),
      'GET /api/referral/info': () => json(aReferralInfo()),
    })
    const shown = [inboxStateAtom, inboxAtom, walletAtom, activityAtom, referralAtom]
    stops = shown.map((atom) => store.sub(atom, () => {}))
    await vi.advanceTimersByTimeAsync(100)
    stops.push(startPolling())
    await vi.advanceTimersByTimeAsync(6_000)
  })
  afterEach(() => {
    for (const stop of stops) stop()
  })

  it('a new row of the inbox reads inbox, wallet, activity and team', async () => {
    const [wallets = 0, activities = 0, inboxes = 0] = reads()
    const teams = server.count('GET /api/referral/info')
    balance = '0.5'
    state = anInboxState({ unread: 1, newest: 3 })
    await vi.advanceTimersByTimeAsync(6_000)
    expect(snapshotOf('/api/wallet')?.tesp[0]?.balance).toBe('0.5')
    expect(reads()).toEqual([wallets + 1, activities + 1, inboxes + 1])
    expect(server.count('GET /api/referral/info')).toBe(teams + 1)
  })

  it('a new announcement reads the inbox only', async () => {
    const [wallets = 0, activities = 0, inboxes = 0] = reads()
    const [from, until] = [new Date(NOW).toISOString(), new Date(NOW + 60_000).toISOString()]
    const texts = { en: 'News', vi: 'Tin' }
    state = anInboxState({
      announcements: [{ id: 4, kind: 'news', texts, from, until, at: from }],
    })
    await vi.advanceTimersByTimeAsync(6_000)
    expect(reads()).toEqual([wallets, activities, inboxes + 1])
  })

  it('a task that another device claimed is in balance and activity within about a minute', async () => {
    const [wallets = 0, activities = 0, inboxes = 0] = reads()
    balance = '3'
    await vi.advanceTimersByTimeAsync(61_000)
    expect(snapshotOf('/api/wallet')?.tesp[0]?.balance).toBe('3')
    expect(reads()).toEqual([wallets + 1, activities + 1, inboxes])
  })

  it('an unchanged wallet is asked for once a minute and reads no activity', async () => {
    const [wallets = 0, activities = 0, inboxes = 0] = reads()
    await vi.advanceTimersByTimeAsync(61_000)
    expect(reads()).toEqual([wallets + 1, activities, inboxes])
  })

  it('a screen that opens later reads what moved while no screen showed the wallet', async () => {
    for (const stop of stops.splice(2, 2)) stop()
    const [wallets = 0, activities = 0] = reads()
    await vi.advanceTimersByTimeAsync(61_000)
    expect(reads().slice(0, 2)).toEqual([wallets, activities])
    for (const atom of [walletAtom, activityAtom]) stops.push(store.sub(atom, () => {}))
    await vi.advanceTimersByTimeAsync(100)
    expect(reads().slice(0, 2)).toEqual([wallets + 1, activities + 1])
  })
})

it('failed polls keep the last snapshot', async () => {
  receiveSnapshot('/api/mining/status', anActiveStatus())
  serve({ 'GET /api/mining/status': lost })
  withoutSocket()
  const stop = startPolling()
  await vi.advanceTimersByTimeAsync(6_000)
  stop()
  expect(snapshotOf('/api/mining/status')).toMatchObject({ active: true })
  expect(store.get(connectionAtom).state).toBe('offline')
})
