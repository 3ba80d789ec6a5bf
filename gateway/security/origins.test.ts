import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { RouteName } from '#contract/routes'
import { handlers } from '#gateway/routes/index'
import { type Product, startProduct } from '#gateway/testing/product'
import { newMember, Visitor } from '#gateway/testing/visitor'

const SITE = 'https://tesp.example'
let product: Product
let member: Visitor

beforeAll(async () => {
  product = await startProduct({
    env: { TRUSTED_PROXIES: '10.0.0.0/8', OTP_PER_ADDRESS_HOUR: '3' },
  })
  member = await newMember(product)
})
afterAll(() => product.close())

const changing = (Object.keys(handlers) as RouteName[]).filter((name) => !name.startsWith('GET '))
const foreign: Record<string, string>[] = [
  { Origin: 'https://evil.example' },
  { Origin: 'null' },
  { Origin: 'http://127.0.0.1:1' },
  { Origin: 'https://127.0.0.1' },
]

describe('a request that changes something', () => {
  it.each(changing)('%s is refused from another site', async (route) => {
    for (const headers of foreign) {
      expect(await member.call(route, { headers, body: {} })).toMatchObject({
        status: 403,
        body: { message: 'Requests from other sites are not allowed', code: 'cross_site' },
      })
    }
  })

  it('is refused where only Sec-Fetch-Site tells', async () => {
    const ask = (site: string) =>
      fetch(`${product.urls[0]}/api/logout`, {
        method: 'POST',
        headers: { 'Sec-Fetch-Site': site },
      })
    expect((await ask('cross-site')).status).toBe(403)
    expect((await ask('same-site')).status).toBe(403)
    expect((await ask('same-origin')).status).toBe(200)
    expect((await ask('none')).status).toBe(200)
  })

  it('is allowed to a program that is no browser', async () => {
    const answer = await fetch(`${product.urls[0]}/api/logout`, { method: 'POST' })
    expect(answer.status).toBe(200)
  })

  it('GET /api/referral/check-milestones, which pays, is refused from another site too', async () => {
    const headers = { Origin: 'https://evil.example' }
    expect(await member.call('GET /api/referral/check-milestones', { headers })).toMatchObject({
      status: 403,
      body: { code: 'cross_site' },
    })
  })
})

it('no answer allows another site to read it', async () => {
  const headers = { Origin: 'https://evil.example', 'Access-Control-Request-Method': 'POST' }
  for (const method of ['GET', 'OPTIONS']) {
    const answer = await member.fetch('/api/user', 0, { method, headers })
    const names = [...answer.headers.keys()].filter((name) => name.startsWith('access-control'))
    expect(names).toEqual([])
  }
})

it('believes X-Forwarded-For from nobody but the configured proxies', async () => {
  const statuses: number[] = []
  for (let i = 0; i < 3; i++) {
    const visitor = new Visitor(product, 0, { 'X-Forwarded-For': `203.0.113.${i}` })
    const body = { email: `spoof${i}@test.example` }
    statuses.push((await visitor.call('POST /api/verify/send-otp', { body })).status)
  }
  // One of the three was used up by the registration above: all came from one address.
  expect(statuses).toEqual([200, 200, 429])
})

describe('behind TLS', () => {
  let secure: Product
  beforeAll(async () => {
    secure = await startProduct({ env: { PUBLIC_ORIGIN: SITE, TRUSTED_PROXIES: '127.0.0.1' } })
  })
  afterAll(() => secure.close())

  it('the cookie is Secure and pinned to this host, as is the mark of a known browser', async () => {
    const visitor = new Visitor(secure, 0, { Origin: SITE, 'X-Forwarded-Proto': 'https' })
    await visitor.register()
    expect((await visitor.call('GET /api/user')).status).toBe(200)
    const { headers } = await visitor.login()
    for (const name of ['__Host-tesp=', '__Host-tesp-known=', '__Host-tesp-known.sig=']) {
      const cookie = headers.getSetCookie().find((line) => line.startsWith(name))
      expect(cookie).toMatch(/; path=\/;.* samesite=lax; secure; httponly$/i)
    }
  })

  it('exactly the public origin may change something', async () => {
    const ask = (origin: string) =>
      new Visitor(secure, 0, { Origin: origin }).call('POST /api/logout')
    expect((await ask(SITE)).status).toBe(200)
    for (const origin of [`${SITE}.evil.example`, `${SITE}:8443`, 'http://tesp.example']) {
      expect((await ask(origin)).status).toBe(403)
    }
  })

  it('browsers are told to stay with TLS', async () => {
    const { headers } = await new Visitor(secure).fetch('/api/user')
    expect(headers.get('Strict-Transport-Security')).toContain('max-age=31536000')
  })
})
