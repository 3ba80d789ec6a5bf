import { beforeAll, describe, expect, it } from 'vitest'
import type { RouteName } from '#contract/routes'
import { ROUTES } from '#gateway/routes/index'
import { useProduct } from '#scripts/testing/gateway/use-product'
import { newMember, Visitor } from '#scripts/testing/gateway/visitor'

const SITE = 'https://tesp.example'
const product = useProduct({
  env: { TRUSTED_PROXIES: '10.0.0.0/8', OTP_PER_ADDRESS_HOUR: '3' },
})
let member: Visitor

beforeAll(async () => {
  member = await newMember(product)
})

const writes = (Object.keys(ROUTES) as RouteName[]).filter((name) => !name.startsWith('GET '))
const foreign: Record<string, string>[] = [
  { Origin: 'https://evil.example' },
  { Origin: 'null' },
  { Origin: 'http://127.0.0.1:1' },
  { Origin: 'https://127.0.0.1' },
]

describe('same-origin check', () => {
  it.each(writes)('%s is rejected from another site', async (route) => {
    for (const headers of foreign) {
      expect(await member.call(route, { headers, body: {} })).toMatchObject({
        status: 403,
        body: { message: 'Requests from other sites are not allowed', code: 'cross_site' },
      })
    }
  })

  it('a write without Origin is checked by Sec-Fetch-Site', async () => {
    const logout = (site: string) =>
      fetch(`${product.urls[0]}/api/logout`, {
        method: 'POST',
        headers: { 'Sec-Fetch-Site': site },
      })
    expect((await logout('cross-site')).status).toBe(403)
    expect((await logout('same-site')).status).toBe(403)
    expect((await logout('same-origin')).status).toBe(200)
    expect((await logout('none')).status).toBe(200)
  })

  it('a client without Origin and Sec-Fetch-Site, which is no browser, may write', async () => {
    const answer = await fetch(`${product.urls[0]}/api/logout`, { method: 'POST' })
    expect(answer.status).toBe(200)
  })

  it('GET /api/referral/check-milestones, which pays, is rejected from another site', async () => {
    const headers = { Origin: 'https://evil.example' }
    expect(await member.call('GET /api/referral/check-milestones', { headers })).toMatchObject({
      status: 403,
      body: { code: 'cross_site' },
    })
  })
})

it('no response has CORS headers', async () => {
  const headers = { Origin: 'https://evil.example', 'Access-Control-Request-Method': 'POST' }
  for (const method of ['GET', 'OPTIONS']) {
    const answer = await member.fetch('/api/user', 0, { method, headers })
    const names = [...answer.headers.keys()].filter((name) => name.startsWith('access-control'))
    expect(names).toEqual([])
  }
})

it('X-Forwarded-For of an untrusted client does not reset its rate limit', async () => {
  const statuses: number[] = []
  for (let i = 0; i < 3; i++) {
    const visitor = new Visitor(product, 0, { 'X-Forwarded-For': `203.0.113.${i}` })
    const body = { email: `spoof${i}@test.example` }
    statuses.push((await visitor.call('POST /api/verify/send-otp', { body })).status)
  }
  // The registration above used the first of three: all requests share one IP address.
  expect(statuses).toEqual([200, 200, 429])
})

describe('behind TLS', () => {
  const secure = useProduct({ env: { PUBLIC_ORIGIN: SITE, TRUSTED_PROXIES: '127.0.0.1' } })

  it('session and device cookie are Secure and pinned to this host', async () => {
    const visitor = new Visitor(secure, 0, { Origin: SITE, 'X-Forwarded-Proto': 'https' })
    await visitor.register()
    expect((await visitor.call('GET /api/user')).status).toBe(200)
    const { headers } = await visitor.login()
    for (const name of ['__Host-tesp=', '__Host-tesp-known=', '__Host-tesp-known.sig=']) {
      const cookie = headers.getSetCookie().find((line) => line.startsWith(name))
      expect(cookie).toMatch(/; path=\/;.* samesite=lax; secure; httponly$/i)
    }
  })

  it('only the public origin may write', async () => {
    const logout = (origin: string) =>
      new Visitor(secure, 0, { Origin: origin }).call('POST /api/logout')
    expect((await logout(SITE)).status).toBe(200)
    for (const origin of [`${SITE}.evil.example`, `${SITE}:8443`, 'http://tesp.example']) {
      expect((await logout(origin)).status).toBe(403)
    }
  })

  it('responses carry Strict-Transport-Security', async () => {
    const { headers } = await new Visitor(secure).fetch('/api/user')
    expect(headers.get('Strict-Transport-Security')).toContain('max-age=31536000')
  })
})
