import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest'
import { startGateway } from '#gateway/server'
import { freePort } from '#runtime/config/free-port'
import { isOneServer } from '#scripts/testing/db/database'
import { useProduct } from '#scripts/testing/gateway/use-product'
import { newMember, Visitor } from '#scripts/testing/gateway/visitor'
import { rawRequest } from '#scripts/testing/gateway/wire/raw-request'

const folder = mkdtempSync(join(tmpdir(), 'tesp-client-'))
const clientRoot = join(folder, 'client')
const product = useProduct({ clientRoot, env: { DEV_OUTBOX: 'on' } })
const visitor = new Visitor(product)

beforeAll(() => {
  mkdirSync(join(clientRoot, 'assets'), { recursive: true })
  writeFileSync(join(folder, 'outside.txt'), 'not for visitors')
  writeFileSync(join(clientRoot, 'index.html'), '<!doctype html><title>TESP</title>')
  writeFileSync(join(clientRoot, 'assets/app-1a2b3c.js'), 'export {}')
})
afterAll(() => rmSync(folder, { recursive: true }))

const html = { headers: { Accept: 'text/html' } }

describe('static files', () => {
  it.each(['/', '/mine', '/auth?ref=TESPABC234', '/no/such/page'])(
    '%s is the app and is revalidated each time',
    async (path) => {
      const answer = await visitor.fetch(path, 0, html)
      expect(answer.status).toBe(200)
      expect(await answer.text()).toContain('<title>TESP</title>')
      expect(answer.headers.get('Cache-Control')).toBe('no-cache')
    },
  )

  it('files with a hash in their name are cached indefinitely', async () => {
    const answer = await visitor.fetch('/assets/app-1a2b3c.js')
    expect(answer.headers.get('Content-Type')).toContain('javascript')
    expect(answer.headers.get('Cache-Control')).toMatch(/max-age=31536000.*immutable/)
  })

  it.each(['/assets/old-000000.js', '/favicon.ico', '/api/nothing', '/dev/nothing', '/.env'])(
    'the missing file %s is answered 404',
    async (path) => {
      expect((await visitor.fetch(path, 0, html)).status).toBe(404)
    },
  )

  it.each(['/', '/assets/', '/.env', '/.well-known/security.txt'])(
    '%s, which a program requests, is answered 404 in JSON',
    async (path) => {
      const answer = await visitor.fetch(path, 0, { headers: { Accept: 'application/json' } })
      expect(answer.status).toBe(404)
      expect(await answer.json()).toMatchObject({ code: 'not_found' })
    },
  )

  it.each([
    '/../outside.txt',
    '/..%2foutside.txt',
    '/%2e%2e/outside.txt',
    '/assets/..%5c..%5coutside.txt',
  ])('the path %s does not leave the folder of the client', async (path) => {
    // `fetch` would resolve the dots itself.
    const lines = [`GET ${path} HTTP/1.1`, 'Host: x', 'Connection: close']
    const answer = await rawRequest(product.urls[0] ?? '', `${lines.join('\r\n')}\r\n\r\n`)
    expect(answer).toMatch(/^HTTP\/1\.1 4\d\d /)
    expect(answer).not.toContain('not for visitors')
  })
})

it('every response carries the security headers', async () => {
  for (const path of ['/', '/api/user', '/healthz']) {
    const { headers } = await visitor.fetch(path, 0, html)
    const policy = headers.get('Content-Security-Policy') ?? ''
    for (const rule of [
      "script-src 'self';",
      "object-src 'none'",
      "base-uri 'none'",
      "frame-ancestors 'none'",
      "default-src 'self'",
    ]) {
      expect(policy).toContain(rule)
    }
    expect(policy).not.toMatch(/script-src[^;]*unsafe/)
    expect(headers.get('X-Content-Type-Options')).toBe('nosniff')
    expect(headers.get('Referrer-Policy')).toBe('no-referrer')
    expect(headers.get('Permissions-Policy')).toMatch(/^camera=\(self\), microphone=\(\)/)
    expect(headers.get('X-Frame-Options')).toBe('DENY')
    expect(headers.get('X-Powered-By')).toBeNull()
    expect(headers.get('Server')).toBeNull()
  }
})

it('health and readiness are served on the port of members, metrics are not', async () => {
  expect(await (await visitor.fetch('/healthz')).json()).toEqual({ ok: true })
  expect(await (await visitor.fetch('/readyz')).json()).toEqual({ ok: true })
  expect((await visitor.fetch('/metrics')).status).toBe(404)
})

it('requests are measured by route and status, and paths without a route as one', async () => {
  await visitor.call('GET /api/user')
  await visitor.fetch('/api/no-such-route')
  const text = await product.registries[0]?.metrics()
  expect(text).toContain('http_request_seconds_count{route="GET /api/user",status="401"}')
  expect(text).toContain('http_request_seconds_count{route="other",status="404"}')
  expect(text).not.toContain('no-such-route')
})

it('a socket is counted until it is closed', async () => {
  const open = async () => /^sockets_open .*$/m.exec((await product.registries[0]?.metrics()) ?? '')
  const member = await newMember(product)
  await member.connected()
  expect(await open()).toEqual(expect.arrayContaining(['sockets_open 1']))
  member.disconnect()
  await expect.poll(open).toEqual(expect.arrayContaining(['sockets_open 0']))
})

it('METRICS_PORT serves metrics, health and readiness and none of the API', async () => {
  const port = await freePort()
  const gateway = await startGateway({ ...product.config, metricsPort: port })
  onTestFinished(() => gateway.close())
  const answer = async (path: string) => {
    const response = await fetch(`http://127.0.0.1:${port}${path}`)
    return { status: response.status, text: await response.text() }
  }
  expect(await answer('/healthz')).toEqual({ status: 200, text: '{"ok":true}' })
  expect(await answer('/readyz')).toEqual({ status: 200, text: '{"ok":true}' })
  expect((await answer('/metrics')).text).toMatch(
    /^database_pool_connections\{pool="gateway",state="used"\} \d+$/m,
  )
  expect((await answer('/api/user')).status).toBe(404)
})

it('a gateway is ready on a newer schema only while that admits its release', async () => {
  const { db } = product
  const status = async () => (await visitor.fetch('/readyz')).status
  const { migration } = await db('schema_floor').first()
  await db('knex_migrations').insert({ name: '999-next', batch: 99 })
  expect(await status()).toBe(200)
  await db('schema_floor').update({ migration: '999-next' })
  expect(await status()).toBe(503)
  await db('schema_floor').update({ migration })
  await db('knex_migrations').where({ batch: 99 }).delete()
  expect(await status()).toBe(200)
})

describe('outbox', () => {
  it('the outbox shows the mails of development with escaped markup', async () => {
    await visitor.call('POST /api/verify/send-otp', { body: { email: "o'x&y@test.example" } })
    const page = await (await visitor.fetch('/dev/outbox', 0, html)).text()
    expect(page).toContain("o'x&amp;y@test.example")
    expect(page).toMatch(/\d{6}/)
  })

  it.each([
    ['X-Forwarded-For', '203.0.113.9'],
    ['Forwarded', 'for=203.0.113.9'],
  ])('a proxy of this machine, which sends %s, reads no mail', async (name, value) => {
    const far = new Visitor(product, 0, { [name]: value })
    expect(
      (await far.fetch('/dev/outbox', 0, { headers: { Accept: 'application/json' } })).status,
    ).toBe(404)
  })
})

describe('with a separate database', () => {
  const live = useProduct()

  it('mails of a database that is not the embedded one are not shown', async () => {
    const near = new Visitor(live)
    expect(
      (await near.fetch('/dev/outbox', 0, { headers: { Accept: 'application/json' } })).status,
    ).toBe(404)
  })
})

it.each([
  ['in production', { production: true }],
  ['with an SMTP server', { smtpUrl: 'smtp://127.0.0.1:1' }],
])('outbox and metrics do not exist on the port of members %s', async (_, change) => {
  const gateway = await startGateway({ ...product.config, ...change })
  onTestFinished(() => gateway.close())
  for (const path of ['/dev/outbox', '/metrics']) {
    expect((await fetch(`http://127.0.0.1:${gateway.port}${path}`)).status).toBe(404)
  }
})

// Citus refuses triggers of distributed tables.
it.runIf(isOneServer())(
  'while the disk of Postgres is full commands are answered 503, and what reads goes on',
  async () => {
    const member = await newMember(product)
    await product.db.raw(`
    create function disk_is_full() returns trigger language plpgsql as $$ begin
      raise exception 'could not extend file: No space left on device' using errcode = '53100'; end $$;
    create trigger disk_is_full before insert on mining_sessions
      for each statement execute function disk_is_full()`)
    const started = await member.call('POST /api/mining/start')
    expect(started).toMatchObject({ status: 503, body: { code: 'unavailable' } })
    expect((await member.call('GET /api/mining/status')).status).toBe(200)
    expect((await visitor.fetch('/readyz')).status).toBe(200)
    await product.db.raw('drop function disk_is_full cascade')
    expect((await member.call('POST /api/mining/start')).status).toBe(200)
  },
)
