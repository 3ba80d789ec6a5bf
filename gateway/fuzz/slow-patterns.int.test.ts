import { beforeAll, expect, it } from 'vitest'
import { useBuiltClient } from '#scripts/testing/gateway/pages/built-client'
import { useProduct } from '#scripts/testing/gateway/use-product'
import { newMember, type Visitor } from '#scripts/testing/gateway/visitor'

/** Extra CPU time that a text meant to slow down a parser may cost, ms. */
const MAX_EXTRA_MS = 60
const LONG = 15_000
const product = useProduct({
  clientRoot: useBuiltClient(),
  env: { TRUSTED_PROXIES: '127.0.0.1' },
})
let member: Visitor

beforeAll(async () => {
  member = await newMember(product)
  // Its pages are in the language of the request.
  await product.db('users').update({ language: null })
})

/** An object with that many names. */
const names = (count: number) =>
  Object.fromEntries(Array.from({ length: count }, (_, n) => [`name${n}`, n]))

type Request = { path: string; init: RequestInit }
const json = { 'Content-Type': 'application/json' }
const post = (path: string, body: object): Request => ({
  path,
  init: { method: 'POST', headers: json, body: JSON.stringify(body) },
})
/** Parses what a read of the wallet, which leaves out Koa, does not. */
const PAGE = '/mine'
const header = (name: string, value: string, path = '/api/wallet'): Request => ({
  path,
  init: { headers: { [name]: value } },
})

/** The lowest CPU time of five equal requests, ms. */
async function costMs({ path, init }: Request): Promise<number> {
  const costs: number[] = []
  for (let round = 0; round < 5; round++) {
    const before = process.cpuUsage()
    await (await member.fetch(path, 0, init)).text()
    const { user } = process.cpuUsage(before)
    costs.push(user / 1_000)
  }
  return Math.min(...costs)
}

it.each([
  ['spaces between ETags', header('If-None-Match', `a${' '.repeat(LONG)}b`)],
  ['commas between media types', header('Accept', `${','.repeat(LONG)}text/html`, PAGE)],
  [
    'semicolons after a quote between media types',
    header('Accept', `a/b;"${';'.repeat(LONG)}`, PAGE),
  ],
  ['a path of slashes', { path: `${'/'.repeat(LONG)}a`, init: {} }],
  ['a query of empty parameters', { path: `/auth?${'=&'.repeat(LONG / 2)}`, init: {} }],
  ['an object of names', post('/api/login', { identifier: names(20_000), password: '' })],
  ['spaces between languages', header('Accept-Language', `a${' ;'.repeat(LONG / 2)}b`, PAGE)],
  ['spaces between cookies', header('Cookie', `a=b;${' '.repeat(LONG)}tesp`)],
  ['spaces between IP addresses', header('X-Forwarded-For', `1${' '.repeat(LONG)}1,`, PAGE)],
  [
    'an e-mail address of dots',
    post('/api/verify/send-otp', { email: `a@${'a.'.repeat(20_000)}` }),
  ],
  ['an e-mail address of at signs', post('/api/password/forgot', { email: '@'.repeat(100_000) })],
  ['a code of spaces', post('/api/verify/verify-otp', { email: 'a', otp: ' '.repeat(200_000) })],
  [
    'an identifier of spaces',
    post('/api/login', { identifier: ' '.repeat(200_000), password: '' }),
  ],
  [
    'a username of combining marks',
    post('/api/register', { username: `a${'\u0301'.repeat(60_000)}` }),
  ],
  [
    'an identifier of surrogate pairs',
    post('/api/login', { identifier: '\u{10FFFF}'.repeat(50_000), password: '' }),
  ],
])('%s costs no extra CPU time', async (_, slow) => {
  let extraMs = Number.POSITIVE_INFINITY
  // The smallest of three, because garbage of other requests is collected meanwhile.
  for (let round = 0; round < 3 && extraMs >= MAX_EXTRA_MS; round++) {
    const plain = await costMs(header('X-Odd', 'a'))
    extraMs = Math.min(extraMs, (await costMs(slow)) - plain)
  }
  expect(extraMs).toBeLessThan(MAX_EXTRA_MS)
})
