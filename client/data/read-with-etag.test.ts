import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { anIdleStatus, aUser, aWallet, NOW } from '#client/testing/fixtures.ts'
import { startAs } from '#client/testing/render.tsx'
import { json, type Sent, serve } from '#client/testing/server.ts'
import { currentUser, memberQueryKey, receiveSnapshot, setUser, snapshotOf } from './member-data.ts'
import { readWithEtag } from './read-with-etag.ts'

const notModified = () => new Response(null, { status: 304 })
const etagOf = (sent: Sent | undefined) => sent?.headers.get('If-None-Match') ?? null

async function readWallet() {
  const answer = await readWithEtag(memberQueryKey('/api/wallet', currentUser()?.id))
  receiveSnapshot('/api/wallet', answer)
  return answer
}

beforeEach(() => startAs())
afterEach(() => {
  vi.useRealTimers()
  vi.unstubAllGlobals()
})

it('a 304 resolves to the cached snapshot', async () => {
  const wallet = aWallet('5')
  const { sent } = serve({
    'GET /api/wallet': (one) => (etagOf(one) ? notModified() : json(wallet, { ETag: 'W/"5"' })),
  })
  await readWallet()
  expect(etagOf(sent[0])).toBeNull()
  expect(await readWallet()).toEqual(wallet)
  expect(etagOf(sent[1])).toBe('W/"5"')
})

it('a 304 resolves to a snapshot pushed during the request', async () => {
  const pushed = aWallet('6', '0', NOW + 1)
  serve({
    'GET /api/wallet': (one) => {
      if (!etagOf(one)) return json(aWallet('5'), { ETag: 'W/"5"' })
      receiveSnapshot('/api/wallet', pushed)
      return notModified()
    },
  })
  await readWallet()
  expect(await readWallet()).toEqual(pushed)
})

it('no ETag is sent after a push has replaced its snapshot', async () => {
  const { sent } = serve({ 'GET /api/wallet': () => json(aWallet('5'), { ETag: 'W/"5"' }) })
  await readWallet()
  receiveSnapshot('/api/wallet', aWallet('6', '0', NOW + 1))
  await readWallet()
  expect(etagOf(sent[1])).toBeNull()
})

it('a 304 is read again without an ETag when the cache was cleared during the request', async () => {
  const { sent } = serve({
    'GET /api/wallet': (one) => {
      if (!etagOf(one)) return json(aWallet('5'), { ETag: 'W/"5"' })
      setUser(null)
      setUser(aUser())
      return notModified()
    },
  })
  await readWallet()
  expect(await readWallet()).toEqual(aWallet('5'))
  expect(sent.map(etagOf)).toEqual([null, 'W/"5"', null])
})

it('no ETag is sent after the machine has slept', async () => {
  vi.useFakeTimers({ now: NOW, toFake: ['Date'] })
  const status = anIdleStatus({ serverNow: new Date(NOW).toISOString() })
  const { sent } = serve({
    'GET /api/mining/status': () => json(status, { ETag: 'W/"1"' }),
  })
  const key = memberQueryKey('/api/mining/status', currentUser()?.id)
  const read = async () => receiveSnapshot('/api/mining/status', await readWithEtag(key))
  await read()
  await read()
  vi.setSystemTime(NOW + 3_600_000)
  await read()
  expect(sent.map(etagOf)).toEqual([null, 'W/"1"', null])
  expect(snapshotOf('/api/mining/status')?.asOf).toBe(NOW)
})
