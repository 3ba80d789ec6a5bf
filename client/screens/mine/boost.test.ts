import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { MINING_URL, receiveSnapshot, store } from '#client/data/member-data.ts'
import { aReferralInfo } from '#client/screens/team/testing/a-team.ts'
import { anActiveStatus, NOW } from '#client/testing/fixtures.ts'
import { startAs } from '#client/testing/render.tsx'
import { json, serve } from '#client/testing/server.ts'
import { MINUTE_MS } from '#rules/constants'
import { boostAtom } from './boost.ts'

let stop = () => {}

beforeEach(() => {
  vi.useFakeTimers()
  startAs()
})
afterEach(() => {
  stop()
  vi.restoreAllMocks()
  vi.unstubAllGlobals()
  vi.useRealTimers()
})

it('asks each minute with the tag of what is known, and not while nobody looks', async () => {
  const tag = 'W/"team"'
  const server = serve({
    'GET /api/referral/info': ({ headers }) =>
      headers.get('If-None-Match') === tag
        ? new Response(null, { status: 304 })
        : json(aReferralInfo({ miningBoost: 0.15, asOf: NOW + 1 }), { ETag: tag }),
  })
  receiveSnapshot(MINING_URL, anActiveStatus())
  stop = store.sub(boostAtom, () => {})
  await vi.advanceTimersByTimeAsync(10)
  expect(store.get(boostAtom)).toBe(0.15)
  await vi.advanceTimersByTimeAsync(2 * MINUTE_MS)
  const asked = server.sent.map(({ headers }) => headers.get('If-None-Match'))
  expect(asked).toEqual([null, tag, tag])
  expect(store.get(boostAtom)).toBe(0.15)
  vi.spyOn(document, 'visibilityState', 'get').mockReturnValue('hidden')
  await vi.advanceTimersByTimeAsync(5 * MINUTE_MS)
  expect(server.sent).toHaveLength(3)
})

it('is what the status says where the team cannot be read', async () => {
  serve({})
  receiveSnapshot(MINING_URL, anActiveStatus({ miningBoost: 0.05 }))
  stop = store.sub(boostAtom, () => {})
  await vi.advanceTimersByTimeAsync(10)
  expect(store.get(boostAtom)).toBe(0.05)
})
