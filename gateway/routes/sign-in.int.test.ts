import { Redis } from 'ioredis'
import { beforeAll, describe, expect, it, vi } from 'vitest'
import { AuthSessionStore, authSessionName } from '#gateway/services/auth-session-store'
import { DeviceList } from '#gateway/services/device-list'
import { DAY_MS } from '#rules/constants'
import { newEmail } from '#scripts/testing/gateway/email-codes'
import { stranger } from '#scripts/testing/gateway/strangers'
import { useProduct } from '#scripts/testing/gateway/use-product'
import { newMember, PASSWORD, Visitor } from '#scripts/testing/gateway/visitor'

const rejected = {
  status: 401,
  body: { message: 'Invalid username or password', code: 'wrong_credentials' },
}
// The failures of this file must not require codes; sign-in-code.int.test.ts covers them.
const product = useProduct({
  env: { TRUSTED_PROXIES: '127.0.0.1', LOGIN_FAILURES_BEFORE_CODE: '1000' },
})
let alice: Visitor

beforeAll(async () => {
  alice = new Visitor(product)
  await alice.register({ username: 'Alice', email: 'Alice@test.example' })
})

const login = (visitor: Visitor, body: object) => visitor.call('POST /api/login', { body })
const cookieOf = (headers: Headers) =>
  headers.getSetCookie().find((line) => line.startsWith('tesp=')) ?? ''

describe('POST /api/login', () => {
  it.each(['Alice', 'ALICE', ' alice ', 'alice@TEST.example'])(
    'the identifier %j signs Alice in',
    async (identifier) => {
      const visitor = stranger(product)
      const answer = await login(visitor, { identifier, password: PASSWORD })
      expect(answer).toMatchObject({ status: 200, body: { username: 'Alice' } })
      expect((await visitor.call('GET /api/user')).body).toEqual(alice.user)
    },
  )

  it('a wrong password and an unknown name get the same error', async () => {
    const visitor = stranger(product)
    expect(await login(visitor, { identifier: 'Alice', password: 'wrong one' })).toMatchObject(
      rejected,
    )
    expect(await login(visitor, { identifier: 'nobody', password: 'any' })).toMatchObject(rejected)
    expect((await visitor.call('GET /api/user')).status).toBe(401)
  })

  it('a password is verified exactly as typed', async () => {
    const visitor = stranger(product)
    for (const password of [` ${PASSWORD}`, `${PASSWORD} `, PASSWORD.toLowerCase()]) {
      expect(await login(visitor, { identifier: 'Alice', password })).toMatchObject(rejected)
    }
  })

  it('missing fields are reported with their messages', async () => {
    expect(await login(stranger(product), {})).toMatchObject({
      status: 400,
      body: {
        message: 'Username or email is required',
        fields: {
          identifier: 'Username or email is required',
          password: 'Password is required',
        },
      },
    })
  })

  it.each([{ password: ['a'] }, { identifier: { $ne: null } }, { rememberMe: 'yes' }])(
    'a login with %j is rejected without coercion',
    async (odd) => {
      const body = { identifier: 'Alice', password: PASSWORD, ...odd }
      expect(await login(stranger(product), body)).toMatchObject({
        status: 400,
        body: { code: 'bad_input' },
      })
    },
  )

  it('after ten failures of an account at one IP address even the right password is rejected', async () => {
    const visitor = stranger(product)
    for (let i = 0; i < 10; i++) {
      expect(await login(visitor, { identifier: 'Alice', password: `guess ${i}` })).toMatchObject(
        rejected,
      )
    }
    const answer = await login(visitor, { identifier: 'alice', password: PASSWORD })
    expect(answer).toMatchObject({
      status: 429,
      body: { message: 'Too many requests. Please try again later', code: 'too_many_requests' },
    })
    expect(Number(answer.headers.get('Retry-After'))).toBeGreaterThan(800)
    const owner = await login(stranger(product), { identifier: 'Alice', password: PASSWORD })
    expect(owner.status).toBe(200)
  })
})

describe('session cookie', () => {
  it('the session cookie is HttpOnly, SameSite=Lax and has no expiry', async () => {
    const { headers } = await login(stranger(product), { identifier: 'Alice', password: PASSWORD })
    const cookie = cookieOf(headers)
    expect(cookie).toMatch(/; path=\/; samesite=lax; httponly$/i)
    expect(cookie).not.toMatch(/expires|max-age|domain/i)
    expect(cookie.split(';')[0]?.length).toBeGreaterThan('tesp='.length + 40)
  })

  it('no later request of a sign-in makes its cookie outlive the browser', async () => {
    const device = stranger(product)
    await login(device, { identifier: 'Alice', password: PASSWORD })
    // Binds a challenge to the browser, which changes what is stored of it.
    const { headers } = await device.call('POST /api/passkey/options')
    expect(cookieOf(headers)).toMatch(/; path=\/; samesite=lax; httponly$/i)
    expect(cookieOf(headers)).not.toMatch(/expires|max-age/i)
  })

  it('the session cookie lives 30 days with "Remember me"', async () => {
    const body = { identifier: 'Alice', password: PASSWORD, rememberMe: true }
    const { headers } = await login(stranger(product), body)
    const expires = /expires=([^;]+)/i.exec(cookieOf(headers))?.[1] ?? ''
    const days = (Date.parse(expires) - Date.now()) / DAY_MS
    expect(days).toBeGreaterThan(29.9)
    expect(days).toBeLessThanOrEqual(30)
  })

  it.each([
    { rememberMe: false, days: 1, idleDays: 0.5 },
    { rememberMe: true, days: 30, idleDays: 30 },
  ])(
    'Redis keeps a sign-in for $days days, unused for $idleDays (remembered: $rememberMe)',
    async ({ rememberMe, days, idleDays }) => {
      const body = { identifier: 'Alice', password: PASSWORD, rememberMe }
      const { headers } = await login(stranger(product), body)
      const [, id = ''] = /tesp=([^;]+)/.exec(cookieOf(headers)) ?? []
      const key = `${product.config.redisPrefix}:auth:${authSessionName(id)}`
      const redis = new Redis(product.config.redisUrl)
      const [stored, ttl] = await Promise.all([redis.get(key), redis.pttl(key)])
      redis.disconnect()
      const { expiresAt, signedInAt } = JSON.parse(stored ?? '{}')
      expect(expiresAt - signedInAt).toBe(days * DAY_MS)
      expect(ttl / DAY_MS).toBeGreaterThan(idleDays - 0.01)
      expect(ttl / DAY_MS).toBeLessThanOrEqual(idleDays)
    },
  )

  it('the marker cookie names the member to the page and lives as long as the session', async () => {
    const markerOf = (headers: Headers) =>
      headers.getSetCookie().find((line) => line.startsWith('tesp-member=')) ?? ''
    const device = new Visitor(product)
    const session = await device.call('POST /api/login', {
      body: { identifier: alice.user?.username, password: PASSWORD },
    })
    expect(markerOf(session.headers)).toBe(`tesp-member=${alice.user?.id}; path=/; samesite=lax`)
    const remembered = await device.call('POST /api/login', {
      body: { identifier: alice.user?.username, password: PASSWORD, rememberMe: true },
    })
    const expires = (line: string) => /expires=([^;]+)/i.exec(line)?.[1] ?? ''
    expect(expires(markerOf(remembered.headers))).toBe(expires(cookieOf(remembered.headers)))
    await device.call('POST /api/logout')
    expect(device.jar.get('tesp-member')).toBeUndefined()
  })

  it('a session cookie planted before the sign-in is not signed in', async () => {
    const victim = stranger(product)
    await victim.call('POST /api/verify/send-otp', {
      body: { email: newEmail() },
    })
    const planted = victim.jar.copy()
    expect(planted.get('tesp')).toBeDefined()
    await login(victim, { identifier: 'Alice', password: PASSWORD })
    expect(victim.jar.get('tesp')).not.toBe(planted.get('tesp'))
    const attacker = stranger(product)
    attacker.jar = planted
    expect((await attacker.call('GET /api/user')).status).toBe(401)
  })

  it('a session cookie planted before the registration is not signed in', async () => {
    const victim = new Visitor(product)
    await victim.verify('fixed@test.example')
    const planted = victim.jar.copy()
    const body = { username: 'fixed', email: 'fixed@test.example', password: PASSWORD }
    await victim.call('POST /api/register', { body })
    const attacker = new Visitor(product)
    attacker.jar = planted
    expect((await attacker.call('GET /api/user')).status).toBe(401)
    expect((await victim.call('GET /api/user')).status).toBe(200)
  })

  it('a forged session cookie is rejected', async () => {
    const visitor = new Visitor(product, 0, { Cookie: `tesp=${alice.jar.get('tesp')}` })
    expect((await visitor.call('GET /api/user')).status).toBe(401)
    const cookies = alice.jar.header() ?? ''
    const forged = {
      Cookie: cookies.replace(/tesp=(.)/, (_, first) => (first === 'A' ? 'tesp=B' : 'tesp=A')),
    }
    expect(forged.Cookie).not.toBe(cookies)
    expect((await alice.call('GET /api/user', { headers: forged })).status).toBe(401)
  })
})

it('a sign-in that the list of sign-ins cannot take now succeeds and is in it later', async () => {
  const phone = new Visitor(product)
  vi.spyOn(DeviceList.prototype, 'record').mockRejectedValueOnce(new Error('Command timed out'))
  expect((await phone.login(alice.user?.username, PASSWORD)).status).toBe(200)
  expect((await phone.call('GET /api/user')).status).toBe(200)
  const isListed = async () => {
    const { signIns } = (await phone.call('GET /api/user/sign-ins')).body
    return signIns.some(({ current }) => current)
  }
  await expect.poll(isListed).toBe(true)
})

describe('POST /api/logout', () => {
  it('a logout ends this sign-in only', async () => {
    const phone = await alice.otherDevice()
    const laptop = await alice.otherDevice()
    const stolen = phone.jar.copy()
    expect(await phone.call('POST /api/logout')).toMatchObject({ status: 200, body: { ok: true } })
    expect(phone.jar.get('tesp')).toBeUndefined()
    phone.jar = stolen
    expect((await phone.call('GET /api/user')).status).toBe(401)
    expect((await laptop.call('GET /api/user')).status).toBe(200)
  })

  it('a logout with 30 polls in flight is final', async () => {
    for (let round = 0; round < 5; round++) {
      const device = await alice.otherDevice()
      const cookies = device.jar.copy()
      const polls = Array.from({ length: 30 }, () => device.call('GET /api/mining/status'))
      await Promise.all([
        ...polls.slice(0, 15),
        device.call('POST /api/logout'),
        ...polls.slice(15),
      ])
      device.jar = cookies
      expect((await device.call('GET /api/user')).status).toBe(401)
    }
  })

  it('a logout that Redis does not take leaves the member signed in, also for the page', async () => {
    const phone = await alice.otherDevice()
    vi.spyOn(AuthSessionStore.prototype, 'end').mockRejectedValueOnce(
      new Error('Command timed out'),
    )
    expect((await phone.call('POST /api/logout')).status).toBeGreaterThanOrEqual(500)
    expect(phone.jar.get('tesp-member')).toBe(String(alice.user?.id))
    expect((await phone.call('GET /api/user')).status).toBe(200)
  })

  it('a logout without a sign-in succeeds', async () => {
    expect((await new Visitor(product).call('POST /api/logout')).status).toBe(200)
  })
})

it('raising the auth epoch ends every sign-in of the member', async () => {
  const member = await newMember(product)
  const phone = await member.otherDevice()
  await product.db('users').where({ id: member.user?.id }).increment('authEpoch', 1)
  expect((await member.call('GET /api/user')).status).toBe(401)
  expect((await phone.call('GET /api/wallet')).status).toBe(401)
})
