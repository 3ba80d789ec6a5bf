import type { QueryKey } from '@tanstack/react-query'
import { atom } from 'jotai'
import { showRestored } from '#client/live/connection-state.ts'
import { forgetShownRewards } from '#client/live/shown-reward.ts'
import { forgetLastSnapshots, readLastSnapshots } from '#client/offline/last-snapshots.ts'
import { ACTIVITY_PAGE, AS_OF_HEADER, NEXT_CURSOR_HEADER } from '#contract/routes'
import type { ActivityPage, MiningStatus, User, Wallet } from '#rules/snapshots'
import { call, callWithHeaders, isSignedOut } from './api.ts'
import { setClock } from './product-clock.ts'
import {
  queryAtom,
  queryClient,
  readOrKeep,
  recheckUser,
  store,
  USER_URL,
  userKey,
} from './query-client.ts'
import { readWithEtag } from './read-with-etag.ts'

export { queryClient, recheckUser, store, USER_URL } from './query-client.ts'

export const MINING_URL = '/api/mining/status'
export const WALLET_URL = '/api/wallet'
export const ACTIVITY_URL = '/api/wallet/activity'

/** What the server pushes, by the address that answers the same. */
export type Snapshots = {
  [MINING_URL]: MiningStatus
  [WALLET_URL]: Wallet
  [ACTIVITY_URL]: ActivityPage
}

/** Whether what is shown comes from the device, because nobody could be asked yet. */
let restored = false

export const isRestored = () => restored

async function readUser(): Promise<User | null> {
  try {
    const user = await call('GET /api/user')
    restored = false
    forgetOthers(user)
    return user
  } catch (error) {
    if (isSignedOut(error)) {
      forgetOthers(null)
      return null
    }
    const user = currentUser() ? null : restore()
    if (user) return user
    throw error
  }
}

/** Shows what the device has kept of its member, marked as old as it is. */
function restore(): User | null {
  const kept = readLastSnapshots()
  if (!kept) return null
  const { user, snapshots, heardAt, keptAt, productNow } = kept
  restored = true
  for (const [url, snapshot] of Object.entries(snapshots)) {
    queryClient.setQueryData(memberKey(url, user.id), snapshot)
  }
  const status = queryClient.getQueryData<MiningStatus>(memberKey(MINING_URL, user.id))
  if (status && productNow !== null) {
    const passed = Math.max(0, Date.now() - keptAt) * status.speed
    setClock({ serverNow: new Date(productNow + passed).toISOString(), speed: status.speed })
  }
  showRestored(heardAt)
  return user
}

/** Asks anew about everything that came from the device, now that somebody answers. */
export function confirmRestored(): void {
  if (!restored) return
  recheckUser()
  void refresh()
}

/** The signed-in member; null when nobody is. */
export const userAtom = queryAtom<User | null>(() => ({
  queryKey: userKey,
  queryFn: () => readOrKeep(userKey, readUser),
}))

/** Id of the signed-in member; undefined while unknown or nobody is. */
export const memberIdAtom = atom((get) => get(userAtom).data?.id)

/** Counts how often everything was forgotten: what a screen keeps by itself belongs to one number. */
export const signInAtom = atom(0)

function forgetOthers(user: User | null): void {
  forgetLastSnapshots(user?.id)
  forgetShownRewards(user?.id)
  const known = queryClient.getQueryData<User | null>(userKey)
  if (known?.id === user?.id) return
  store.set(signInAtom, (count) => count + 1)
  // Emptied, not removed: the atoms hold on to their queries and would watch one that nobody fills.
  for (const query of queryClient.getQueryCache().getAll()) {
    if (query.queryKey[0] !== USER_URL) query.reset()
  }
}

/** Sets who is signed in; another member, or nobody, forgets everything of the one before. */
export function setUser(user: User | null): void {
  // An answer to a question asked before would undo it.
  void queryClient.cancelQueries({ queryKey: userKey }, { revert: false, silent: true })
  restored = false
  forgetOthers(user)
  queryClient.setQueryData(userKey, user)
}

export function currentUser(): User | null {
  return queryClient.getQueryData<User | null>(userKey) ?? null
}

/** Cache key of a member's own data: never shown to the next member of the same browser. */
export function memberKey(url: string, memberId: number | undefined) {
  return [url, memberId] as const
}

function snapshotAtom<U extends keyof Snapshots>(
  url: U,
  read: (queryKey: QueryKey) => Promise<Snapshots[U]>,
) {
  return queryAtom<Snapshots[U]>((get) => {
    const memberId = get(memberIdAtom)
    const queryKey = memberKey(url, memberId)
    return {
      queryKey,
      queryFn: () => readOrKeep(queryKey, () => read(queryKey)),
      enabled: memberId !== undefined,
    }
  })
}

/** A page of the ledger, newest first: the newest as it is pushed, or a longer one `before`. */
export async function readActivity(before?: string): Promise<ActivityPage> {
  const { answer, headers } = await callWithHeaders('GET /api/wallet/activity', {
    query: before === undefined ? { limit: ACTIVITY_PAGE } : { before },
  })
  const asOf = Number(headers.get(AS_OF_HEADER))
  return { items: answer, next: headers.get(NEXT_CURSOR_HEADER) || null, asOf }
}

/** What the activity is while it never could be read; its time tells it from a real empty list. */
export const NO_ACTIVITY: ActivityPage = { items: [], next: null, asOf: 0 }

async function readActivityOrNone(): Promise<ActivityPage> {
  try {
    return await readActivity()
  } catch (error) {
    if (isSignedOut(error)) throw error
    return snapshotOf(ACTIVITY_URL) ?? NO_ACTIVITY
  }
}

export const miningAtom = snapshotAtom(MINING_URL, (key) =>
  readWithEtag(key, 'GET /api/mining/status'),
)
export const walletAtom = snapshotAtom(WALLET_URL, (key) => readWithEtag(key, 'GET /api/wallet'))
export const activityAtom = snapshotAtom(ACTIVITY_URL, readActivityOrNone)

/** What is known of the signed-in member at that address. */
export function snapshotOf<U extends keyof Snapshots>(url: U): Snapshots[U] | undefined {
  return queryClient.getQueryData<Snapshots[U]>(memberKey(url, currentUser()?.id))
}

/** The way in for polls and pushes; without a member there is nothing to update. */
export function receiveSnapshot<U extends keyof Snapshots>(url: U, snapshot: Snapshots[U]): void {
  const memberId = currentUser()?.id
  if (memberId !== undefined) queryClient.setQueryData(memberKey(url, memberId), snapshot)
}

/**
 * Fetches again what is on the screen at these addresses (all but the user without any); what is
 * not on the screen is fetched when it comes there. An answer under way is asked for anew, since
 * it may be older than the reason for this call.
 */
export async function refresh(...urls: string[]): Promise<void> {
  const filters = {
    predicate: ({ queryKey: [url] }: { queryKey: QueryKey }) =>
      urls.length > 0 ? urls.includes(String(url)) : url !== USER_URL,
  }
  await queryClient.cancelQueries(filters, { revert: false, silent: true })
  await queryClient.invalidateQueries({ ...filters, refetchType: 'active' })
}
