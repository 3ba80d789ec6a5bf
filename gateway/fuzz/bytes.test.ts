import { afterAll, beforeAll, expect, it } from 'vitest'
import { type Product, startProduct } from '#gateway/testing/product'
import { badRefusal } from './oracle.ts'
import { type Exchange, exchange } from './raw-exchange.ts'
import { badBytes } from './raw-http.ts'

const POST = 'POST /api/login HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\n'
const UPLOAD =
  'POST /api/user/kyc HTTP/1.1\r\nHost: x\r\nContent-Type: multipart/form-data; boundary=x\r\n'
/** Short time-outs for slow clients, so that the endless requests end soon. */
const TIMEOUTS = { HEADERS_TIMEOUT_MS: '1500', REQUEST_TIMEOUT_MS: '2500' }
/** Requests without an end, which the time-outs end. */
const ENDLESS: Record<string, string> = {
  'a header': 'GET /api/user HTTP/1.1\r\nHost: x\r\nX-Odd: ',
  'empty lines': '\r\n\r\n',
  'a body with a length': `${POST}Content-Length: 1000\r\n\r\n{"identifier":`,
  'a body in chunks': `${POST}Transfer-Encoding: chunked\r\n\r\n1\r\n{\r\n`,
  'a body of a visitor’s document': `${UPLOAD}Transfer-Encoding: chunked\r\n\r\n3\r\n--x\r\n`,
}
let product: Product
let url: string
let endless: Promise<[string, Exchange][]>

beforeAll(async () => {
  product = await startProduct({ env: TIMEOUTS })
  url = product.urls[0] ?? ''
  const wait = async ([name, bytes]: [string, string]) => {
    const drip = name === 'a header' ? 'a' : undefined
    const seen = await exchange(url, bytes, { patienceMs: 15_000, ...(drip && { drip }) })
    return [name, seen] as [string, Exchange]
  }
  endless = Promise.all(Object.entries(ENDLESS).map(wait))
})
afterAll(() => product.close())

it.each(badBytes())('$name is answered with $statuses in JSON, and hung up on', async (bad) => {
  const seen = await exchange(url, bad.bytes, { end: bad.end ?? false })
  expect(bad.statuses, seen.body).toContain(seen.status)
  expect(seen.hung).toBe(false)
  if (seen.status >= 400) expect(badRefusal(seen)).toBeUndefined()
})

it('a client that is cut off in the middle of anything leaves the service as it was', async () => {
  const whole = `${POST}Content-Length: 13\r\n\r\n{"password":1`
  for (let length = 1; length < whole.length; length += 7) {
    await exchange(url, whole.slice(0, length), { patienceMs: 10 })
  }
  expect((await fetch(`${url}/readyz`)).status).toBe(200)
})

it('a request without an end is answered 408 in JSON, and nobody keeps its connection', async () => {
  for (const [name, seen] of await endless) {
    // A visitor's document is refused before its body is read.
    const status = name.endsWith('document') ? 401 : 408
    expect({ name, status: seen.status, hung: seen.hung }).toEqual({ name, status, hung: false })
    expect(badRefusal(seen)).toBeUndefined()
    expect(seen.openMs).toBeLessThan(12_000)
  }
})
