import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { activities, anIdleStatus, aUser, aWallet, NOW } from '#client/testing/fixtures.ts'
import { startAs } from '#client/testing/render.tsx'
import { json, lost, refusal, serve } from '#client/testing/server.ts'
import {
  ACTIVITY_URL,
  activityAtom,
  MINING_URL,
  miningAtom,
  NO_ACTIVITY,
  receiveSnapshot,
  refresh,
  setUser,
  snapshotOf,
  store,
  userAtom,
  WALLET_URL,
  walletAtom,
} from './member-data.ts'

beforeEach(() => startAs())
afterEach(() => vi.unstubAllGlobals())

const settled = () => new Promise((resolve) => setTimeout(resolve, 5))

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
  receiveSnapshot(WALLET_URL, aWallet('1', '0', NOW))
  store.sub(walletAtom, () => {})()
  receiveSnapshot(WALLET_URL, aWallet('2', '0', NOW + 1))
  expect(store.get(walletAtom).data?.tesp[0]?.balance).toBe('2')
})

describe('a failed read', () => {
  it('leaves what is known on the screen', async () => {
    receiveSnapshot(WALLET_URL, aWallet('5'))
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
    receiveSnapshot(ACTIVITY_URL, { items: activities(0, 3), next: null, asOf: NOW })
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
    receiveSnapshot(MINING_URL, anIdleStatus())
    setUser(null)
    expect(snapshotOf(MINING_URL)).toBeUndefined()
    setUser(aUser())
    expect(snapshotOf(MINING_URL)).toBeUndefined()
  })

  it('never shows one member what belongs to another', () => {
    receiveSnapshot(WALLET_URL, aWallet('99'))
    setUser(aUser({ id: 8 }))
    expect(store.get(walletAtom).data).toBeUndefined()
  })

  it('ignores what arrives afterwards', () => {
    setUser(null)
    receiveSnapshot(WALLET_URL, aWallet('99'))
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
