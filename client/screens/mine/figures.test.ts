import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { receiveSnapshot } from '#client/data/member-data.ts'
import { store } from '#client/data/query-cache.ts'
import { aReferralInfo } from '#client/screens/team/testing/a-team.ts'
import { anActiveStatus, NOW } from '#client/testing/fixtures.ts'
import { startAs } from '#client/testing/render.tsx'
import { json, serve } from '#client/testing/server.ts'
import { MINUTE_MS } from '#rules/constants'
import { boostAtom } from './figures.tsx'

let unsubscribe = () => {}

beforeEach(() => {
  vi.useFakeTimers()
  startAs()
})
afterEach(() => {
  unsubscribe()
  vi.restoreAllMocks()
  vi.unstubAllGlobals()
  vi.useRealTimers()
})

it('the boost is polled each minute with the last ETag, except while the page is hidden', async () => {
  const etag = 'W/"team"'
  const server = serve({
    'GET /api/referral/info': ({ headers }) =>
      headers.get('If-None-Match') === etag
        ? new Response(null, { status: 304 })
        : json(aReferralInfo({ miningBoost: 0.15, asOf: NOW + 1 }), { ETag: etag }),
  })
  receiveSnapshot('/api/mining/status', anActiveStatus())
  unsubscribe = store.sub(boostAtom, () => {})
  await vi.advanceTimersByTimeAsync(10)
  expect(store.get(boostAtom)).toBe(0.15)
  await vi.advanceTimersByTimeAsync(2 * MINUTE_MS)
  const sentEtags = server.sent.map(({ headers }) => headers.get('If-None-Match'))
  expect(sentEtags).toEqual([null, etag, etag])
  expect(store.get(boostAtom)).toBe(0.15)
  vi.spyOn(document, 'visibilityState', 'get').mockReturnValue('hidden')
  await vi.advanceTimersByTimeAsync(5 * MINUTE_MS)
  expect(server.sent).toHaveLength(3)
})

it('the boost of the mining status is used when the team cannot be read', async () => {
  serve({})
  receiveSnapshot('/api/mining/status', anActiveStatus({ miningBoost: 0.05 }))
  unsubscribe = store.sub(boostAtom, () => {})
  await vi.advanceTimersByTimeAsync(10)
  expect(store.get(boostAtom)).toBe(0.05)
})
