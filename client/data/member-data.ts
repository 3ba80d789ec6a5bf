import { atom } from 'jotai'
import type { SignedOutReason } from '#contract/events'
import { AS_OF_HEADER, MEMBER_COOKIE, NEXT_CURSOR_HEADER } from '#contract/headers'
import { ACTIVITY_PAGE } from '#contract/page-sizes'
import type { Answers } from '#contract/routes'
import type { Announced } from '#rules/inbox'
import type { User } from '#rules/members/account-snapshots'
import type { ActivityPage, TaskList } from '#rules/snapshots'
import { answerOf, call, callWithHeaders, isSignedOut } from './api.ts'
import {
  type CacheUrl,
  queryAtom,
  queryClient,
  type ReadUrl,
  signInAtom,
  store,
  userQueryKey,
} from './query-cache.ts'
import { readWithEtag } from './read-with-etag.ts'
import { readOrKeep } from './refresh.ts'
import { storage } from './storage.ts'

/** What the server pushes or answers to a change, by the URL that answers the same. */
type Snapshots = {
  [U in Exclude<ReadUrl, keyof OwnSnapshots>]: Answers[`GET ${U}`]
} & OwnSnapshots

type OwnSnapshots = {
  '/api/wallet/activity': ActivityPage
  '/api/tasks': TaskList | null
  '/api/tasks/completed': Answers['GET /api/tasks/completed'] | null
  /** A push to everybody, which has only these parts of the inbox state, has no URL. */
  announced: Announced
}

let restoreUser: () => User | null = () => null
let firstLimitMs: () => number | undefined = () => undefined
/** Whether the screen shows stored snapshots that the server has not confirmed yet. */
let restored = false

/** Sets what restores stored snapshots, and within which time the server has to answer a start, real ms. */
export function setRestore(restore: () => User | null, limitMs: () => number | undefined): void {
  restoreUser = restore
  firstLimitMs = limitMs
}

export const isRestored = () => restored

/** Why the server ended the last sign-in, as far as its rejections say. */
let endedBecause: SignedOutReason = 'expired'

export const reasonOfEnd = () => endedBecause

const REASONS: SignedOutReason[] = ['ended', 'account-deleted', 'account-frozen']

function noteReason(error: unknown): void {
  const reason = answerOf(error)?.params?.reason
  endedBecause = REASONS.find((known) => known === reason) ?? 'expired'
}

async function readUser(): Promise<User | null> {
  // A visitor's page asks nothing: browsers log a rejected request as an error.
  if (memberInCookie() === undefined) {
    noteReason(undefined)
    forgetOthers(null)
    return null
  }
  const signIn = store.get(signInAtom)
  const asked = memberInCookie()
  // An answer about an earlier sign-in must not end the one that followed, here or in another tab.
  const isPast = () => store.get(signInAtom) !== signIn || memberInCookie() !== asked
  try {
    const timeoutMs = currentUser() ? undefined : firstLimitMs()
    const user = await call('GET /api/user', { timeoutMs })
    if (isPast()) return readUser()
    forgetOthers(user)
    return user
  } catch (error) {
    if (isSignedOut(error)) {
      if (isPast()) return readUser()
      noteReason(error)
      clearMemberCookie()
      forgetOthers(null)
      return null
    }
    const user = currentUser() ? null : restoreUser()
    if (!user) throw error
    restored = true
    return user
  }
}

export const userAtom = queryAtom<User | null>(() => ({
  queryKey: userQueryKey,
  queryFn: () => readOrKeep(userQueryKey, readUser),
}))

/** Id of the signed-in member; undefined while unknown and if nobody is signed in. */
export const memberIdAtom = atom((get) => get(userAtom).data?.id)

/** The member who has signed in since in another tab: a late sign-out must end nothing of theirs. */
function nextMember(signedOut: User | null): number | undefined {
  // The build renders pages without a document.
  if (!signedOut || typeof document === 'undefined') return undefined
  const inCookie = memberInCookie()
  return inCookie === signedOut.id ? undefined : inCookie
}

/** Removes everything of other members from the cache and from the device. */
function forgetOthers(user: User | null): void {
  restored = false
  const current = currentUser()
  storage.endSignIns(user ? user.id : nextMember(current))
  if (current?.id === user?.id) return
  store.set(signInAtom, (count) => count + 1)
  // Reset, not removed: mounted atoms keep observing their query objects.
  for (const query of queryClient.getQueryCache().getAll()) {
    if (query.queryKey[0] !== userQueryKey[0]) query.reset()
  }
}

export function setUser(user: User | null): void {
  // The answer to an earlier request would undo the change.
  void queryClient.cancelQueries({ queryKey: userQueryKey }, { revert: false, silent: true })
  forgetOthers(user)
  queryClient.setQueryData(userQueryKey, user)
}

export function currentUser(): User | null {
  return queryClient.getQueryData<User | null>(userQueryKey) ?? null
}

/** Cache key of a member's data: never shown to the next member on the same browser. */
export function memberQueryKey<U extends CacheUrl | 'announced'>(
  url: U,
  memberId: number | undefined,
) {
  return [url, memberId] as const
}

/** Exceptions to the cache rules, ms: the age that a value may have on opening, and the interval while visible. */
type Freshness<T> = {
  staleTime?: number
  refetchInterval?: number | ((query: { state: { data: T | undefined } }) => number | false)
}

/** Read whenever the screen opens. */
export const OPENED = { staleTime: 0 }

export function memberQuery<T, U extends CacheUrl = CacheUrl>(
  url: U,
  read: (queryKey: readonly [U, number | undefined]) => Promise<T>,
  freshness: Freshness<T> = {},
) {
  return queryAtom<T>((get) => {
    const memberId = get(memberIdAtom)
    const queryKey = memberQueryKey(url, memberId)
    return {
      queryKey,
      queryFn: () => readOrKeep(queryKey, () => read(queryKey)),
      enabled: memberId !== undefined,
      ...freshness,
    }
  })
}

/** The answer of a route without parameters. */
export function routeQuery<U extends ReadUrl>(url: U, freshness?: Freshness<Answers[`GET ${U}`]>) {
  const callRoute = call as (route: `GET ${U}`) => Promise<Answers[`GET ${U}`]>
  return memberQuery(url, () => callRoute(`GET ${url}`), freshness)
}

/** A page of the ledger, newest first: the newest page, or a longer one `before`. */
export async function readActivity(before?: string): Promise<ActivityPage> {
  const { answer, headers } = await callWithHeaders('GET /api/wallet/activity', {
    query: before === undefined ? { limit: ACTIVITY_PAGE } : { before },
  })
  const asOf = Number(headers.get(AS_OF_HEADER))
  return { items: answer, next: headers.get(NEXT_CURSOR_HEADER) || null, asOf }
}

/** The activity before its first successful read; `asOf` 0 marks it as no real empty list. */
export const NO_ACTIVITY: ActivityPage = { items: [], next: null, asOf: 0 }

async function readActivityOrNone(queryKey: readonly unknown[]): Promise<ActivityPage> {
  try {
    return await readActivity()
  } catch (error) {
    // Kept as any cached value, so that the read is repeated.
    if (!isSignedOut(error)) {
      queryClient.setQueryData(queryKey, (cached: ActivityPage = NO_ACTIVITY) => cached)
    }
    throw error
  }
}

export const miningAtom = memberQuery('/api/mining/status', readWithEtag)
export const walletAtom = memberQuery('/api/wallet', readWithEtag)
export const activityAtom = memberQuery('/api/wallet/activity', readActivityOrNone)

/** Reads the status for the caller alone; an unchanged one costs only headers. */
export const readStatus = (timeoutMs?: number) =>
  readWithEtag(memberQueryKey('/api/mining/status', currentUser()?.id), timeoutMs)

export function snapshotOf<U extends keyof Snapshots>(url: U): Snapshots[U] | undefined {
  return queryClient.getQueryData<Snapshots[U]>(memberQueryKey(url, currentUser()?.id))
}

/** Merges a snapshot into the cache; ignored while nobody is signed in. */
export function receiveSnapshot<U extends keyof Snapshots>(url: U, snapshot: Snapshots[U]): void {
  const memberId = currentUser()?.id
  if (memberId !== undefined) queryClient.setQueryData(memberQueryKey(url, memberId), snapshot)
}

/** Merges the snapshot that a request answers, unless somebody else has signed in meanwhile. */
export async function receiveAnswer<U extends keyof Snapshots>(
  url: U,
  request: Promise<Snapshots[U]>,
): Promise<Snapshots[U]> {
  const signIn = store.get(signInAtom)
  const snapshot = await request
  if (store.get(signInAtom) === signIn) receiveSnapshot(url, snapshot)
  return snapshot
}

const COOKIE_PATTERN = new RegExp(`(?:^|; )${MEMBER_COOKIE}=(\\d+)`)

/** Id of the member who may be signed in on this browser; only the server knows whether the sign-in is valid. */
export function memberInCookie(): number | undefined {
  const [, id] = COOKIE_PATTERN.exec(document.cookie) ?? []
  return id === undefined ? undefined : Number(id)
}

export function clearMemberCookie(): void {
  // biome-ignore lint/suspicious/noDocumentCookie: the Cookie Store API is missing in Firefox and on plain HTTP.
  document.cookie = `${MEMBER_COOKIE}=; Path=/; Max-Age=0`
}
