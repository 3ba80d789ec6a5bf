import { afterAll, beforeAll, expect, it } from 'vitest'
import { type Product, startProduct } from '#gateway/testing/product'
import { newMember, type Visitor } from '#gateway/testing/visitor'

/** What a request may take longer for text that is made to be slow to read, ms of this process. */
const SLOWER_MS = 60
const LONG = 15_000
let product: Product
let member: Visitor

beforeAll(async () => {
  product = await startProduct()
  member = await newMember(product)
})
afterAll(() => product.close())

type Asked = { path: string; init: RequestInit }
const json = { 'Content-Type': 'application/json' }
const post = (path: string, body: object): Asked => ({
  path,
  init: { method: 'POST', headers: json, body: JSON.stringify(body) },
})
const header = (name: string, value: string): Asked => ({
  path: '/api/wallet',
  init: { headers: { [name]: value } },
})

/** The least time of the processor that one of some equal requests took. */
async function costMs({ path, init }: Asked): Promise<number> {
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
  ['blanks between tags', header('If-None-Match', `a${' '.repeat(LONG)}b`)],
  ['commas between types', header('Accept', `${','.repeat(LONG)}a`)],
  ['blanks between languages', header('Accept-Language', `a${' ;'.repeat(LONG / 2)}b`)],
  ['blanks between cookies', header('Cookie', `a=b;${' '.repeat(LONG)}tesp`)],
  ['blanks between addresses', header('X-Forwarded-For', `1${' '.repeat(LONG)}1,`)],
  ['an address of dots', post('/api/verify/send-otp', { email: `a@${'a.'.repeat(20_000)}` })],
  ['an address of ats', post('/api/password/forgot', { email: '@'.repeat(100_000) })],
  ['a code of blanks', post('/api/verify/verify-otp', { email: 'a', otp: ' '.repeat(200_000) })],
  ['a name of blanks', post('/api/login', { identifier: ' '.repeat(200_000), password: '' })],
  ['a name of marks', post('/api/register', { username: `a${'\u0301'.repeat(60_000)}` })],
  [
    'halves of pairs',
    post('/api/login', { identifier: '\u{10FFFF}'.repeat(50_000), password: '' }),
  ],
])('%s take no longer than others', async (_, slow) => {
  const plain = await costMs(header('X-Odd', 'a'))
  expect((await costMs(slow)) - plain).toBeLessThan(SLOWER_MS)
})
