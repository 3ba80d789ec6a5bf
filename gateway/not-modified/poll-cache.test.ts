import { beforeEach, expect, it } from 'vitest'
import { PollCache } from './poll-cache.ts'

const STATUS = '/api/mining/status'
const MEMBER = 7
const sent = { etag: 'W/"a"', epoch: 2, unchangedMs: Number.POSITIVE_INFINITY }
let now: number
let polls: PollCache

beforeEach(() => {
  now = 1_000_000
  polls = new PollCache(3, () => now)
})

const keep = (change: Partial<typeof sent> = {}, memberId = MEMBER) =>
  polls.keep(polls.begin(STATUS, memberId), { ...sent, ...change })
const etag = (memberId = MEMBER) => polls.currentEtag(STATUS, memberId, sent.epoch)
/** Reads the log each second as the follower does. */
function followFor(ms: number) {
  for (const end = now + ms; now < end; ) {
    now += 1_000
    polls.confirm(now)
  }
}

it('an entry without a followed log is current for 4 s from its read', () => {
  keep()
  now += 3_999
  expect(etag()).toBe(sent.etag)
  now += 1
  expect(etag()).toBeUndefined()
})

it('the age of an entry counts from before the read, not from the answer', () => {
  const ticket = polls.begin(STATUS, MEMBER)
  now += 3_000
  polls.keep(ticket, sent)
  now += 1_000
  expect(etag()).toBeUndefined()
})

it('reads of the log keep an entry current, and 4 s after the last one it is not', () => {
  polls.follow(now)
  keep()
  followFor(30_000)
  expect(etag()).toBe(sent.etag)
  now += 3_999
  expect(etag()).toBe(sent.etag)
  now += 1
  expect(etag()).toBeUndefined()
})

it('an entry that is older than the position in the log is not confirmed by its reads', () => {
  keep()
  now += 1
  polls.follow(now)
  followFor(4_000)
  expect(etag()).toBeUndefined()
})

it('an entry ends after 60 s even if reads of the log confirm it', () => {
  polls.follow(now)
  keep()
  followFor(59_000)
  expect(etag()).toBe(sent.etag)
  followFor(1_000)
  expect(etag()).toBeUndefined()
})

it('an entry ends when time alone changes its answer', () => {
  polls.follow(now)
  keep({ unchangedMs: 10_000 })
  followFor(9_000)
  expect(etag()).toBe(sent.etag)
  followFor(1_000)
  expect(etag()).toBeUndefined()
})

it('an answer that was read while a change arrived is not kept', () => {
  const ticket = polls.begin(STATUS, MEMBER)
  polls.drop([MEMBER])
  polls.keep(ticket, sent)
  expect(etag()).toBeUndefined()
})

it('an answer that was read while the log was lost is not kept', () => {
  const ticket = polls.begin(STATUS, MEMBER)
  polls.unfollow()
  polls.keep(ticket, sent)
  expect(etag()).toBeUndefined()
})

it('of two reads of a member only the later one is kept', () => {
  const first = polls.begin(STATUS, MEMBER)
  const second = polls.begin(STATUS, MEMBER)
  polls.keep(second, { ...sent, etag: 'W/"new"' })
  polls.keep(first, sent)
  expect(etag()).toBe('W/"new"')
})

it('a change drops the entries of its member on every route and no other', () => {
  keep()
  keep({}, 8)
  polls.keep(polls.begin('/api/wallet', MEMBER), sent)
  polls.onChange({ kind: 'members', memberIds: [MEMBER], topics: ['mining'] })
  expect(etag()).toBeUndefined()
  expect(polls.currentEtag('/api/wallet', MEMBER, sent.epoch)).toBeUndefined()
  expect(etag(8)).toBe(sent.etag)
})

it('a password reset drops the entries of its member, a logout none', () => {
  keep()
  polls.onChange({ kind: 'signed-out', reason: 'logout', signInName: 'x' })
  expect(etag()).toBe(sent.etag)
  polls.onChange({ kind: 'signed-out', reason: 'password-reset', memberId: MEMBER })
  expect(etag()).toBeUndefined()
})

it('a sign-in of another epoch gets no ETag', () => {
  keep({ epoch: 1 })
  expect(etag()).toBeUndefined()
})

it('the oldest entry leaves when the cache is full', () => {
  for (const memberId of [1, 2, 3]) keep({}, memberId)
  keep({}, 1)
  keep({}, 4)
  expect([1, 2, 3, 4].map(etag)).toEqual([sent.etag, undefined, sent.etag, sent.etag])
})

it('a cache for no members keeps nothing', () => {
  polls = new PollCache(0, () => now)
  keep()
  expect(etag()).toBeUndefined()
})
