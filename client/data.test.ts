import fc from 'fast-check'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import {
  ACTIVITY_URL,
  activityAtom,
  MINING_URL,
  miningAtom,
  NO_ACTIVITY,
  receive,
  refresh,
  setUser,
  snapshotOf,
  store,
  userAtom,
  WALLET_URL,
  walletAtom,
} from './data.ts'
import { CLOCK_SET_BACK_MS } from './newest.ts'
import { activities, anIdleStatus, aUser, aWallet, NOW } from './testing/fixtures.ts'
import { startAs } from './testing/render.tsx'
import { json, lost, refusal, serve } from './testing/server.ts'

beforeEach(() => startAs())
afterEach(() => vi.unstubAllGlobals())

const settled = () => new Promise((resolve) => setTimeout(resolve, 5))

describe('one path in', () => {
  const step = fc.record({
    afterMs: fc.integer({ min: 1, max: 3_000 }),
    changes: fc.boolean(),
    how: fc.constantFrom('push', 'push twice', 'lose the push', 'refresh'),
  })

  it('ends in the newest delivered state, whatever is lost, doubled, late or unchanged', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(step, { minLength: 1, maxLength: 18 }),
        fc.scheduler(),
        async (steps, scheduler) => {
          startAs()
          let now = NOW
          let balance = 0
          const delivered: number[] = []
          const wallet = () => aWallet(`${balance}`, '0', now)
          const deliver = (snapshot: ReturnType<typeof wallet>) =>
            scheduler.schedule(Promise.resolve(snapshot)).then((late) => {
              delivered.push(late.asOf)
              receive(WALLET_URL, late)
            })
          serve({
            'GET /api/wallet': async ({ headers }) => {
              const snapshot = wallet()
              const tag = `W/"${balance}"`
              await scheduler.schedule(Promise.resolve())
              if (headers.get('If-None-Match') === tag) return new Response(null, { status: 304 })
              delivered.push(snapshot.asOf)
              return json(snapshot, { ETag: tag })
            },
          })
          const unsubscribe = store.sub(walletAtom, () => {})
          const balances = new Map<number, number>()
          for (const { afterMs, changes, how } of steps) {
            now += afterMs
            if (changes) balance += 1
            balances.set(now, balance)
            if (how === 'refresh') void refresh(WALLET_URL)
            else if (how !== 'lose the push') void deliver(wallet())
            if (how === 'push twice') void deliver(wallet())
          }
          await scheduler.waitIdle()
          await settled()
          await scheduler.waitIdle()
          await settled()
          unsubscribe()
          const expected = Math.max(...delivered)
          expect(now - NOW).toBeLessThan(CLOCK_SET_BACK_MS)
          expect(snapshotOf(WALLET_URL)?.asOf).toBe(expected)
          const known = Number(snapshotOf(WALLET_URL)?.tesp[0]?.balance)
          expect(known).toBe(balances.get(expected) ?? 0)
          expect(store.get(walletAtom).data?.asOf).toBe(expected)
        },
      ),
      { numRuns: 60 },
    )
  })
})

it('asks anew where the answer under way may be older than the reason to refresh', async () => {
  const waiting: ((response: Response) => void)[] = []
  serve({ 'GET /api/wallet': () => new Promise((resolve) => waiting.push(resolve)) })
  const unsubscribe = store.sub(walletAtom, () => {})
  await vi.waitFor(() => expect(waiting).toHaveLength(1))
  void refresh(WALLET_URL)
  await vi.waitFor(() => expect(waiting).toHaveLength(2))
  waiting[1]?.(json(aWallet('2', '0', NOW + 1)))
  waiting[0]?.(json(aWallet('1', '0', NOW)))
  await settled()
  expect(snapshotOf(WALLET_URL)?.tesp[0]?.balance).toBe('2')
  unsubscribe()
})

it('shows what arrived while it was not on the screen from its first frame on', () => {
  receive(WALLET_URL, aWallet('1', '0', NOW))
  store.sub(walletAtom, () => {})()
  receive(WALLET_URL, aWallet('2', '0', NOW + 1))
  expect(store.get(walletAtom).data?.tesp[0]?.balance).toBe('2')
})

describe('a failed read', () => {
  it('leaves what is known on the screen', async () => {
    receive(WALLET_URL, aWallet('5'))
    serve({ 'GET /api/wallet': lost })
    const unsubscribe = store.sub(walletAtom, () => {})
    await refresh(WALLET_URL)
    await settled()
    expect(store.get(walletAtom)).toMatchObject({
      isError: false,
      data: { tesp: [{ balance: '5' }] },
    })
    unsubscribe()
  })

  it('fails visibly where nothing is known', async () => {
    serve({ 'GET /api/wallet': () => refusal(500, 'Something went wrong') })
    const unsubscribe = store.sub(walletAtom, () => {})
    await vi.waitFor(() => expect(store.get(walletAtom).isError).toBe(true))
    unsubscribe()
  })

  it('yields an empty activity, and never in place of a known one', async () => {
    serve({ 'GET /api/wallet/activity': lost })
    const unsubscribe = store.sub(activityAtom, () => {})
    await vi.waitFor(() => expect(store.get(activityAtom).data).toEqual(NO_ACTIVITY))
    receive(ACTIVITY_URL, { items: activities(0, 3), next: null, asOf: NOW })
    await refresh(ACTIVITY_URL)
    await settled()
    expect(store.get(activityAtom).data?.items).toHaveLength(3)
    unsubscribe()
  })

  it('asks who is signed in where the server does not know', async () => {
    serve({
      'GET /api/mining/status': () => refusal(401, 'Please sign in'),
      'GET /api/user': () => refusal(401, 'Please sign in'),
    })
    const unsubscribe = [store.sub(userAtom, () => {}), store.sub(miningAtom, () => {})]
    await vi.waitFor(() => expect(store.get(userAtom).data).toBeNull())
    for (const stop of unsubscribe) stop()
  })
})

it('reads the age and the cursor of an activity page from its headers', async () => {
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
  it('forgets everything of the member', () => {
    receive(MINING_URL, anIdleStatus())
    setUser(null)
    expect(snapshotOf(MINING_URL)).toBeUndefined()
    setUser(aUser())
    expect(snapshotOf(MINING_URL)).toBeUndefined()
  })

  it('never shows one member what belongs to another', () => {
    receive(WALLET_URL, aWallet('99'))
    setUser(aUser({ id: 8 }))
    expect(store.get(walletAtom).data).toBeUndefined()
  })

  it('ignores what arrives afterwards', () => {
    setUser(null)
    receive(WALLET_URL, aWallet('99'))
    setUser(aUser())
    expect(snapshotOf(WALLET_URL)).toBeUndefined()
  })

  it('is not undone by an older answer about the user', async () => {
    let answer = (_: Response) => {}
    serve({
      'GET /api/user': () =>
        new Promise((resolve) => {
          answer = resolve
        }),
    })
    const unsubscribe = store.sub(userAtom, () => {})
    void store.get(userAtom).refetch()
    setUser(aUser({ id: 9 }))
    answer(refusal(401, 'Please sign in'))
    await settled()
    expect(store.get(userAtom).data?.id).toBe(9)
    unsubscribe()
  })
})
