import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { store } from '#client/data/query-cache.ts'
import { referralAtom } from '#client/data/referral-info.ts'
import { aReferralInfo } from '#client/screens/team/testing/a-team.ts'
import { NOW } from '#client/testing/fixtures.ts'
import { startAs } from '#client/testing/render.tsx'
import { json, serve } from '#client/testing/server.ts'
import { HOUR_MS } from '#rules/constants'
import { GRACE_MS, socketDown, socketUp } from './connection-state.ts'
import { readTeamAfterCommand, teamPushed } from './team-push.ts'

let server: ReturnType<typeof serve>
let unsubscribe = () => {}
let loaded = 0
let startedAt = NOW
const pass = (ms: number) => vi.advanceTimersByTimeAsync(ms)
const reads = () => server.count('GET /api/referral/info') - loaded

beforeEach(async () => {
  // An hour after the pushes of the previous test.
  startedAt += HOUR_MS
  vi.useFakeTimers({ now: startedAt })
  let asOf = 1
  server = serve({ 'GET /api/referral/info': () => json(aReferralInfo({ asOf: ++asOf })) })
  startAs()
  socketUp()
  unsubscribe = store.sub(referralAtom, () => {})
  await pass(5_000)
  loaded = server.count('GET /api/referral/info')
})
afterEach(() => {
  unsubscribe()
  vi.useRealTimers()
  vi.unstubAllGlobals()
})

it.each([
  ['before', -500],
  ['with', 0],
  ['long after', 1_500],
])('a command whose push arrives %s its answer leads to one read', async (_, pushAfterMs) => {
  if (pushAfterMs < 0) teamPushed()
  await pass(Math.max(0, -pushAfterMs))
  void readTeamAfterCommand()
  await pass(Math.max(0, pushAfterMs))
  if (pushAfterMs >= 0) teamPushed()
  await pass(10_000)
  expect(reads()).toBe(1)
})

it('a command whose push is lost is followed by a read', async () => {
  void readTeamAfterCommand()
  await pass(10_000)
  expect(reads()).toBe(1)
})

it('a command without a socket is followed by a read at once', async () => {
  socketDown()
  await pass(GRACE_MS)
  void readTeamAfterCommand()
  await pass(200)
  expect(reads()).toBe(1)
})
