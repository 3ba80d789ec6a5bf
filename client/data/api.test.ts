import { afterEach, expect, it, vi } from 'vitest'
import { changeLanguage } from '#client/language/load-texts.ts'
import { json, lost, refusal, serve } from '#client/testing/server.ts'
import { ApiError, call, mayHaveWorked, messageOf } from './api.ts'

afterEach(() => vi.unstubAllGlobals())

const failureOf = (promise: Promise<unknown>) =>
  promise.then(
    () => expect.fail('the call resolved'),
    (error: unknown) => error,
  )

it('a call sends cookies and JSON and resolves to the answer', async () => {
  const { sent } = serve({ 'POST /api/login': () => json({ id: 7 }) })
  const body = { identifier: 'mai', password: 'secret-word', rememberMe: true }
  await expect(call('POST /api/login', { body })).resolves.toEqual({ id: 7 })
  expect(sent[0]?.init.credentials).toBe('include')
  expect(sent[0]?.headers.get('Content-Type')).toBe('application/json')
  expect(JSON.parse(String(sent[0]?.init.body))).toEqual(body)
})

it('a call without a body sends no content type', async () => {
  const { sent } = serve({ 'POST /api/mining/start': () => json({}) })
  await call('POST /api/mining/start', { idempotencyKey: 'key-1' })
  expect(sent[0]?.headers.has('Content-Type')).toBe(false)
  expect(sent[0]?.headers.get('Idempotency-Key')).toBe('key-1')
})

it('a call names the language on the screen, for the mails that it causes', async () => {
  const { sent } = serve({ 'POST /api/logout': () => json({ ok: true }) })
  await call('POST /api/logout')
  await changeLanguage('vi')
  await call('POST /api/logout')
  await changeLanguage('en')
  expect(sent.map(({ headers }) => headers.get('Accept-Language'))).toEqual(['en', 'vi'])
})

it('path parameters are escaped and absent query parameters are omitted', async () => {
  const { sent } = serve({})
  await failureOf(call('GET /api/check/email/:email', { params: { email: 'a/b?c@d.e' } }))
  await failureOf(call('GET /api/wallet/activity', { query: { before: undefined, limit: 5 } }))
  expect(sent[0]?.url.pathname).toBe('/api/check/email/a%2Fb%3Fc%40d.e')
  expect(sent[1]?.url.search).toBe('?limit=5')
})

it('the error of a rejected call is the status, a colon, a space and the response text', async () => {
  serve({
    'POST /api/mining/start': () => refusal(409, 'Mining is already active', 'mining_active'),
  })
  const error = await failureOf(call('POST /api/mining/start'))
  expect(error).toBeInstanceOf(ApiError)
  expect((error as ApiError).message).toBe(
    '409: {"message":"Mining is already active","code":"mining_active"}',
  )
  expect(messageOf(error, 'fallback')).toBe('Mining is already active')
})

it('the error of an empty response is its status text', async () => {
  serve({ 'GET /api/wallet': () => new Response('', { status: 503, statusText: 'Unavailable' }) })
  const error = await failureOf(call('GET /api/wallet'))
  expect((error as ApiError).message).toBe('503: Unavailable')
  expect(messageOf(error, 'fallback')).toBe('fallback')
})

it('Retry-After is read in seconds or as a date', async () => {
  const waits = ['37', new Date(Date.now() + 60_000).toUTCString(), 'soon']
  serve({
    'GET /api/wallet': () =>
      new Response('', { status: 503, headers: { 'Retry-After': waits.shift() ?? '' } }),
  })
  const next = async () => ((await failureOf(call('GET /api/wallet'))) as ApiError).retryAfterMs
  expect(await next()).toBe(37_000)
  expect(await next()).toBeGreaterThan(57_000)
  expect(await next()).toBeUndefined()
  expect(await next()).toBeUndefined()
})

it('the HTML of a proxy is not shown to members', async () => {
  serve({ 'GET /api/wallet': () => new Response('<h1>Bad gateway</h1>', { status: 502 }) })
  const error = await failureOf(call('GET /api/wallet'))
  expect(messageOf(error, 'fallback')).toBe('fallback')
})

it('the outcome of a call is unknown without an answer or with a foreign one', async () => {
  serve({
    'GET /api/wallet': lost,
    'GET /api/user': () => new Response('<h1>Hotel Wi-Fi</h1>'),
    'POST /api/mining/stop': () => refusal(409, 'Mining is not active', 'mining_inactive'),
  })
  expect(mayHaveWorked(await failureOf(call('GET /api/wallet')))).toBe(true)
  expect(mayHaveWorked(await failureOf(call('GET /api/user')))).toBe(true)
  expect(mayHaveWorked(await failureOf(call('POST /api/mining/stop')))).toBe(false)
})

it.each([
  [408, true],
  [502, true],
  [503, true],
  [504, true],
  [524, true],
  [500, false],
  [429, false],
])('status %i may have worked: %s', (status, expected) => {
  expect(mayHaveWorked(new ApiError(status, ''))).toBe(expected)
})
