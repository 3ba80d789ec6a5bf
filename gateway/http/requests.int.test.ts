import { gzipSync } from 'node:zlib'
import { beforeAll, describe, expect, it } from 'vitest'
import { useProduct } from '#scripts/testing/gateway/use-product'
import { Visitor } from '#scripts/testing/gateway/visitor'
import { parsed, rawRequest } from '#scripts/testing/gateway/wire/raw-request'

const product = useProduct()
let visitor: Visitor
let url: string

beforeAll(async () => {
  visitor = new Visitor(product)
  url = product.urls[0] ?? ''
})

const send = (body: string | Uint8Array<ArrayBuffer>, headers: Record<string, string> = {}) =>
  visitor.fetch('/api/login', 0, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json', ...headers },
    body,
  })
async function errorOf(response: Response) {
  expect(response.headers.get('Content-Type')).toContain('application/json')
  return { status: response.status, ...((await response.json()) as { message: string }) }
}
const head = (method: string, path: string, ...headers: string[]) =>
  [`${method} ${path} HTTP/1.1`, 'Host: x', 'Connection: close', ...headers, '', ''].join('\r\n')

describe('request body', () => {
  it.each(['{', '{"identifier":', 'not json', "{'a':1}", '{"a":1}}', '\u0000'])(
    'a body that is not JSON is rejected: %j',
    async (body) => {
      expect(await errorOf(await send(body))).toMatchObject({
        status: 400,
        message: 'The request is not valid JSON',
      })
    },
  )

  it.each(['[]', '[{"identifier":"a"}]', 'null', '7', '"text"', 'true'])(
    'a body that is not an object is rejected: %s',
    async (body) => {
      const { status, message } = await errorOf(await send(body))
      expect(status).toBe(400)
      expect(message).toMatch(/^Send a JSON object$|^The request is not valid JSON$/)
    },
  )

  // An error for each element would make an answer of megabytes and hold up all other requests.
  it('a long list is refused as a whole', async () => {
    const answer = await visitor.fetch('/api/user/passkeys', 0, {
      method: 'POST',
      headers: { 'Content-Type': 'application/json' },
      body: JSON.stringify({ transports: Array(2_000).fill(0) }),
    })
    expect(await errorOf(answer)).toEqual({
      status: 400,
      code: 'bad_input',
      message: 'The request contains a list that is too long',
    })
  })

  it.each(['text/plain', 'application/x-www-form-urlencoded', 'multipart/form-data; boundary=x'])(
    'a body of type %s is rejected',
    async (type) => {
      const answer = await send('{"identifier":"a","password":"b"}', { 'Content-Type': type })
      expect(await errorOf(answer)).toMatchObject({ status: 415, message: 'Send JSON' })
    },
  )

  const large = gzipSync('a'.repeat(270_000))
  it.each([
    ['gzip', gzipSync('{"identifier":"a","password":"b"}')],
    ['gzip', gzipSync(JSON.stringify({ identifier: 'a'.repeat(20_000_000) }))],
    // Once beyond the limit, its end cannot be decompressed.
    ['GZIP', large.subarray(0, -8)],
    ['rot13', Buffer.from('{}')],
  ])('a compressed body is refused unread: %s', async (encoding, body) => {
    expect(await errorOf(await send(body, { 'Content-Encoding': encoding }))).toMatchObject({
      status: 415,
      message: 'Send the body without Content-Encoding',
    })
  })

  it('the encoding identity is none', async () => {
    const body = '{"identifier":"a","password":"b"}'
    const answer = await send(body, { 'Content-Encoding': 'identity' })
    expect(await errorOf(answer)).toMatchObject({ status: 401 })
  })

  it('a body of 10 MB is rejected', async () => {
    const answer = await send(JSON.stringify({ identifier: 'a'.repeat(10_000_000) }))
    expect(await errorOf(answer)).toMatchObject({
      status: 413,
      message: 'The request is too large',
    })
  })

  it('a body nested too deeply is rejected', async () => {
    const deep = `{"identifier":${'['.repeat(50_000)}${']'.repeat(50_000)}}`
    expect(await errorOf(await send(deep))).toMatchObject({
      status: 400,
      message: 'The request is nested too deeply',
    })
  })

  it.each([
    ['NUL', '{"identifier":"a\\u0000b","password":"x"}'],
    ['NUL in a name', '{"a\\u0000":1,"identifier":"a","password":"x"}'],
    ['a lone high surrogate', '{"identifier":"\\ud800","password":"x"}'],
    ['a lone low surrogate', '{"identifier":"a","password":"\\udfff"}'],
  ])('a body that cannot be stored is rejected: %s', async (_, body) => {
    expect(await errorOf(await send(body))).toMatchObject({
      status: 400,
      message: 'The request contains characters that are not allowed',
    })
  })

  it.each([
    ['a lone continuation byte', [0x80]],
    ['an overlong form', [0xc0, 0xaf]],
    ['a truncated sequence', [0xf0, 0x9f, 0x98]],
    ['an encoded surrogate', [0xed, 0xa0, 0x80]],
    ['Latin-1', [0xe9]],
  ])('a body that is not valid UTF-8 is rejected: %s', async (_, bytes) => {
    const body = Buffer.concat([
      Buffer.from('{"identifier":"a'),
      Buffer.from(bytes),
      Buffer.from('","password":"x"}'),
    ])
    expect(await errorOf(await send(body))).toEqual({
      status: 400,
      message: 'The request is not valid UTF-8',
      code: 'bad_input',
    })
  })

  it('a body with U+FFFD, letters of any script and a byte order mark is read', async () => {
    const body = '\uFEFF{"identifier":"\uFFFD Đặng 🙂","password":"x"}'
    expect(await errorOf(await send(body))).toMatchObject({ status: 401 })
  })

  it('a body with __proto__ and constructor pollutes no prototype', async () => {
    const body = '{"__proto__":{"identifier":"a"},"constructor":{"prototype":{"x":1}}}'
    expect((await errorOf(await send(body))).status).toBe(400)
    expect(({} as Record<string, unknown>).x).toBeUndefined()
  })

  it('a request without its body is rejected', async () => {
    const answer = await visitor.fetch('/api/login', 0, { method: 'POST' })
    expect((await errorOf(answer)).status).toBe(400)
  })

  it('a truncated body leaves the gateway running', async () => {
    const start = head('POST', '/api/login', 'Content-Type: application/json', 'Content-Length: 99')
    await rawRequest(url, `${start}{"identifier":`, 50)
    expect((await visitor.fetch('/healthz')).status).toBe(200)
  })
})

describe('request', () => {
  it('an unknown path is answered 404', async () => {
    for (const path of ['/api/nothing', '/api', '/api/user/1', '/api/mining/../secret']) {
      expect(await errorOf(await visitor.fetch(path))).toEqual({
        status: 404,
        message: 'Not found',
        code: 'not_found',
      })
    }
  })

  it('a method that the path does not have is answered 405 with Allow', async () => {
    const answer = await visitor.fetch('/api/mining/start', 0, { method: 'DELETE' })
    expect(answer.headers.get('Allow')).toBe('POST')
    expect(await errorOf(answer)).toMatchObject({ status: 405, message: 'Method not allowed' })
    const get = await visitor.fetch('/api/mining/start')
    expect(get.status).toBe(405)
  })

  it('an unknown method is answered in JSON', async () => {
    const { status } = parsed(await rawRequest(url, head('PROPFIND', '/api/user')))
    expect([405, 501]).toContain(status)
    expect(parsed(await rawRequest(url, head('FOO', '/api/user'))).status).toBe(400)
  })

  it('bytes that are not HTTP are answered 400 in JSON', async () => {
    expect(parsed(await rawRequest(url, 'hello\r\n\r\n'))).toEqual({
      status: 400,
      body: { message: 'Bad request' },
    })
  })

  it('headers beyond the limit are answered 431 in JSON', async () => {
    const answer = await rawRequest(url, head('GET', '/api/user', `X-Long: ${'x'.repeat(20_000)}`))
    expect(parsed(answer)).toEqual({ status: 431, body: { message: 'The headers are too large' } })
  })

  it('API responses are never cached and contain no stack traces', async () => {
    for (const path of ['/api/user', '/api/check/username/abc']) {
      const answer = await visitor.fetch(path)
      expect(answer.headers.get('Cache-Control')).toContain('no-store')
      expect(await answer.text()).not.toMatch(/at .*\.ts:\d+|node_modules/)
    }
  })
})
