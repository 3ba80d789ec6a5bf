import { once } from 'node:events'
import { connect } from 'node:net'
import { beforeAll, expect, it } from 'vitest'
import { useProduct } from '#scripts/testing/gateway/use-product'
import { errorViolation } from './harness/oracle.ts'
import { type Exchange, exchange } from './harness/raw-exchange.ts'
import { rawCases } from './harness/raw-http.ts'

const POST = 'POST /api/login HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\n'
const UPLOAD =
  'POST /api/user/kyc HTTP/1.1\r\nHost: x\r\nContent-Type: multipart/form-data; boundary=x\r\n'
/** Short timeouts for slow clients, so that the endless requests end soon. */
const TIMEOUTS = { HEADERS_TIMEOUT_MS: '1500', REQUEST_TIMEOUT_MS: '2500' }
/** Requests without an end, which the timeouts end. */
const ENDLESS: Record<string, string> = {
  'a header': 'GET /api/user HTTP/1.1\r\nHost: x\r\nX-Odd: ',
  'empty lines': '\r\n\r\n',
  'a body with a length': `${POST}Content-Length: 1000\r\n\r\n{"identifier":`,
  'a body in chunks': `${POST}Transfer-Encoding: chunked\r\n\r\n1\r\n{\r\n`,
  'an upload by a visitor': `${UPLOAD}Transfer-Encoding: chunked\r\n\r\n3\r\n--x\r\n`,
}
const product = useProduct({ env: TIMEOUTS })
let url: string
let endless: Promise<[string, Exchange][]>

beforeAll(async () => {
  url = product.urls[0] ?? ''
  const wait = async ([name, bytes]: [string, string]) => {
    const drip = name === 'a header' ? 'a' : undefined
    const response = await exchange(url, bytes, { timeoutMs: 15_000, ...(drip && { drip }) })
    return [name, response] as [string, Exchange]
  }
  endless = Promise.all(Object.entries(ENDLESS).map(wait))
})

it.each(rawCases())('$name gets $statuses in JSON and a closed connection', async (one) => {
  const response = await exchange(url, one.bytes, { end: one.end ?? false })
  expect(one.statuses, response.body).toContain(response.status)
  expect(response.timedOut).toBe(false)
  if (response.status >= 400) expect(errorViolation(response)).toBeUndefined()
})

it('a request that is cut off anywhere does not affect the service', async () => {
  const whole = `${POST}Content-Length: 13\r\n\r\n{"password":1`
  for (let length = 1; length < whole.length; length += 7) {
    await exchange(url, whole.slice(0, length), { timeoutMs: 10 })
  }
  expect((await fetch(`${url}/readyz`)).status).toBe(200)
})

it('a CONNECT whose client resets the connection does not affect the service', async () => {
  const { hostname, port } = new URL(url)
  // An error that nothing catches in the gateway, which runs in this process, fails the run of tests.
  for (let round = 0; round < 10; round++) {
    const socket = connect(Number(port), hostname)
    socket.write('CONNECT evil.example:80 HTTP/1.1\r\nHost: x\r\n\r\n')
    await once(socket, 'data')
    socket.resetAndDestroy()
    expect((await fetch(`${url}/readyz`)).status).toBe(200)
  }
})

it('an endless request gets 408 in JSON and a closed connection', async () => {
  for (const [name, response] of await endless) {
    // An upload by a visitor is rejected before its body is read.
    const status = name === 'an upload by a visitor' ? 401 : 408
    expect(response, name).toMatchObject({ status, timedOut: false })
    expect(errorViolation(response)).toBeUndefined()
    expect(response.openMs).toBeLessThan(12_000)
  }
})
