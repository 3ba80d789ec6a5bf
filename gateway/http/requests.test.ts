import { gzipSync } from 'node:zlib'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type Product, startProduct } from '#gateway/testing/product'
import { parsed, rawRequest } from '#gateway/testing/raw-request'
import { Visitor } from '#gateway/testing/visitor'

let product: Product
let visitor: Visitor
let url: string

beforeAll(async () => {
  product = await startProduct()
  visitor = new Visitor(product)
  url = product.urls[0] ?? ''
})
afterAll(() => product.close())

const send = (body: string | Uint8Array<ArrayBuffer>, headers: Record<string, string> = {}) =>
  visitor.fetch('/api/login', 0, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json', ...headers },
    body,
  })
async function refusal(response: Response) {
  expect(response.headers.get('Content-Type')).toContain('application/json')
  return { status: response.status, ...((await response.json()) as { message: string }) }
}
const head = (method: string, path: string, ...headers: string[]) =>
  [`${method} ${path} HTTP/1.1`, 'Host: x', 'Connection: close', ...headers, '', ''].join('\r\n')

describe('a body', () => {
  it.each(['{', '{"identifier":', 'not json', "{'a':1}", '{"a":1}}', '\u0000'])(
    'that is no JSON is refused: %j',
    async (body) => {
      expect(await refusal(await send(body))).toMatchObject({
        status: 400,
        message: 'The request is not valid JSON',
      })
    },
  )

  it.each(['[]', '[{"identifier":"a"}]', 'null', '7', '"text"', 'true'])(
    'that is no object is refused: %s',
    async (body) => {
      const { status, message } = await refusal(await send(body))
      expect(status).toBe(400)
      expect(message).toMatch(/^Send a JSON object$|^The request is not valid JSON$/)
    },
  )

  it.each(['text/plain', 'application/x-www-form-urlencoded', 'multipart/form-data; boundary=x'])(
    'of another type is refused: %s',
    async (type) => {
      const answer = await send('{"identifier":"a","password":"b"}', { 'Content-Type': type })
      expect(await refusal(answer)).toMatchObject({ status: 415, message: 'Send JSON' })
    },
  )

  it('that claims to be compressed and is not, is refused', async () => {
    const answer = await send('{"identifier":"a"}', { 'Content-Encoding': 'gzip' })
    expect((await refusal(answer)).status).toBe(400)
    const unknown = await send('{"identifier":"a"}', { 'Content-Encoding': 'rot13' })
    expect([400, 415]).toContain((await refusal(unknown)).status)
  })

  it('that unpacks to more than it may is refused', async () => {
    const bomb = gzipSync(JSON.stringify({ identifier: 'a'.repeat(20_000_000) }))
    const answer = await send(bomb, { 'Content-Encoding': 'gzip' })
    expect(await refusal(answer)).toMatchObject({
      status: 413,
      message: 'The request is too large',
    })
  })

  it('of 10 MB is refused', async () => {
    const answer = await send(JSON.stringify({ identifier: 'a'.repeat(10_000_000) }))
    expect(await refusal(answer)).toMatchObject({
      status: 413,
      message: 'The request is too large',
    })
  })

  it('that is nested too deeply is refused', async () => {
    const deep = `{"identifier":${'['.repeat(50_000)}${']'.repeat(50_000)}}`
    expect(await refusal(await send(deep))).toMatchObject({
      status: 400,
      message: 'The request is nested too deeply',
    })
  })

  it.each([
    ['NUL', '{"identifier":"a\\u0000b","password":"x"}'],
    ['NUL in a name', '{"a\\u0000":1,"identifier":"a","password":"x"}'],
    ['half of a pair', '{"identifier":"\\ud800","password":"x"}'],
    ['other half of a pair', '{"identifier":"a","password":"\\udfff"}'],
  ])('that cannot be stored is refused: %s', async (_, body) => {
    expect(await refusal(await send(body))).toMatchObject({
      status: 400,
      message: 'The request contains characters that are not allowed',
    })
  })

  it('with names of JavaScript’s own changes nothing', async () => {
    const body = '{"__proto__":{"identifier":"a"},"constructor":{"prototype":{"x":1}}}'
    expect((await refusal(await send(body))).status).toBe(400)
    expect(({} as Record<string, unknown>).x).toBeUndefined()
  })

  it('that is missing is refused with the first field’s message', async () => {
    const answer = await visitor.fetch('/api/login', 0, { method: 'POST' })
    expect((await refusal(answer)).status).toBe(400)
  })

  it('that is cut off leaves the service as it was', async () => {
    const start = head('POST', '/api/login', 'Content-Type: application/json', 'Content-Length: 99')
    await rawRequest(url, `${start}{"identifier":`, 50)
    expect((await visitor.fetch('/healthz')).status).toBe(200)
  })
})

describe('a request', () => {
  it('for an unknown path is answered 404', async () => {
    for (const path of ['/api/nothing', '/api', '/api/user/1', '/api/mining/../secret']) {
      expect(await refusal(await visitor.fetch(path))).toEqual({
        status: 404,
        message: 'Not found',
        code: 'not_found',
      })
    }
  })

  it('with a method that the path does not know is answered 405 with Allow', async () => {
    const answer = await visitor.fetch('/api/mining/start', 0, { method: 'DELETE' })
    expect(answer.headers.get('Allow')).toBe('POST')
    expect(await refusal(answer)).toMatchObject({ status: 405, message: 'Method not allowed' })
    const get = await visitor.fetch('/api/mining/start')
    expect(get.status).toBe(405)
  })

  it('with a method that nobody knows is answered in JSON', async () => {
    const { status } = parsed(await rawRequest(url, head('PROPFIND', '/api/user')))
    expect([405, 501]).toContain(status)
    expect(parsed(await rawRequest(url, head('FOO', '/api/user'))).status).toBe(400)
  })

  it('that is no HTTP is answered 400 in JSON', async () => {
    expect(parsed(await rawRequest(url, 'hello\r\n\r\n'))).toEqual({
      status: 400,
      body: { message: 'Bad request' },
    })
  })

  it('with headers without end is answered 431 in JSON', async () => {
    const answer = await rawRequest(url, head('GET', '/api/user', `X-Long: ${'x'.repeat(20_000)}`))
    expect(parsed(answer)).toEqual({ status: 431, body: { message: 'The headers are too large' } })
  })

  it('for /api is never cached, and never answered with its stack', async () => {
    for (const path of ['/api/user', '/api/check/username/abc']) {
      const answer = await visitor.fetch(path)
      expect(answer.headers.get('Cache-Control')).toContain('no-store')
      expect(await answer.text()).not.toMatch(/at .*\.ts:\d+|node_modules/)
    }
  })
})
