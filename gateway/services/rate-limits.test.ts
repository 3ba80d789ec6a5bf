import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { readConfig } from '#db/process/config'
import { redisForRequests } from '#db/process/redis'
import { testSecrets } from '#db/testing/database'
import { type Product, startProduct } from '#gateway/testing/product'
import { newMember, PASSWORD, Visitor } from '#gateway/testing/visitor'
import { ipBucket, type LimitName, limitTable, RateLimits } from './rate-limits.ts'

let product: Product
let redis: ReturnType<typeof redisForRequests>
let elsewhere: RateLimits

beforeAll(async () => {
  const env = { TRUSTED_PROXIES: '127.0.0.1', SOCKETS_PER_MEMBER: '50' }
  product = await startProduct({ gateways: 2, env })
  redis = redisForRequests(product.config.redisUrl)
  elsewhere = new RateLimits(redis, product.config)
})
afterAll(async () => {
  redis.disconnect()
  await product.close()
})

let addresses = 0
const newAddress = () => {
  addresses += 1
  return `198.51.100.${addresses}`
}
const from = (address: string, gateway = 0) =>
  new Visitor(product, gateway, { 'X-Forwarded-For': address })

/** Uses a limit up, as if at another gateway. */
async function spend(name: LimitName, key: string): Promise<void> {
  const { points } = limitTable(product.config)[name]
  await Promise.allSettled(Array.from({ length: points }, () => elsewhere.use(name, key)))
}

const refused = {
  status: 429,
  body: { message: 'Too many requests. Please try again later', code: 'too_many_requests' },
}
async function expectRefused(asked: Promise<{ status: number; body: object; headers: Headers }>) {
  const answer = await asked
  expect(answer).toMatchObject(refused)
  expect(Number(answer.headers.get('Retry-After'))).toBeGreaterThan(0)
}

describe('a limit that was used up at another gateway', () => {
  it.each(['GET /api/check/username/:username', 'GET /api/check/email/:email'] as const)(
    'holds for %s, by address',
    async (route) => {
      const address = newAddress()
      const params = { username: 'somebody', email: 'some@test.example' }
      await spend('check-address', address)
      await expectRefused(from(address).call(route, { params }))
      expect((await from(newAddress()).call(route, { params })).status).toBe(200)
    },
  )

  it('holds for codes, by address', async () => {
    const address = newAddress()
    await spend('otp-address', address)
    const body = { email: 'codes@test.example' }
    await expectRefused(from(address).call('POST /api/verify/send-otp', { body }))
    await expectRefused(from(address).call('POST /api/password/forgot', { body }))
    const other = from(newAddress())
    expect((await other.call('POST /api/verify/send-otp', { body })).status).toBe(200)
  })

  it('holds for tries of codes, by address', async () => {
    const address = newAddress()
    await spend('otp-tries-address', address)
    const body = { email: 'codes@test.example', otp: '123456' }
    await expectRefused(from(address).call('POST /api/verify/verify-otp', { body }))
    const reset = { ...body, newPassword: PASSWORD }
    await expectRefused(from(address).call('POST /api/password/reset', { body: reset }))
  })

  it('holds for registrations, by address', async () => {
    const address = newAddress()
    await spend('register-address', address)
    const body = { username: 'newcomer', email: 'newcomer@test.example', password: PASSWORD }
    await expectRefused(from(address).call('POST /api/register', { body }))
    expect((await from(newAddress()).call('POST /api/register', { body })).status).toBe(400)
  })

  it('holds for commands, by member; another member goes on', async () => {
    const member = await newMember(product)
    await spend('command-member', String(member.user?.id))
    await expectRefused(member.call('POST /api/mining/start'))
    await expectRefused(member.call('POST /api/mining/claim', { gateway: 1 }))
    expect((await member.call('GET /api/mining/status')).body).toMatchObject({ active: false })
    expect((await (await newMember(product)).call('POST /api/mining/start')).status).toBe(200)
  })

  it('holds for uploads, by member', async () => {
    const member = await newMember(product)
    await spend('upload-member', String(member.user?.id))
    const response = await member.fetch('/api/user/kyc', 0, { method: 'POST', body: '{}' })
    expect({ status: response.status, body: await response.json() }).toMatchObject(refused)
  })

  it('holds for new sockets, by member', async () => {
    const member = await newMember(product)
    await spend('socket-member', String(member.user?.id))
    await expect(member.connected()).rejects.toThrow('too_many_requests')
    const other = await newMember(product)
    expect((await other.connected()).connected).toBe(true)
    other.disconnect()
    member.disconnect()
  })
})

describe('an owner whose account others try', () => {
  it('signs in from the same address in a browser that is known', async () => {
    const address = newAddress()
    const owner = from(address)
    const { username } = await owner.register()
    await owner.call('POST /api/logout')
    const attacker = from(address, 1)
    for (let i = 0; i < 10; i++) await attacker.login(username, `guess ${i}`)
    await expectRefused(attacker.login(username))
    await spend('login-address', address)
    expect((await owner.login(username)).status).toBe(200)
  })

  it('has no more tries in a known browser than a stranger has', async () => {
    const owner = from(newAddress())
    const { username } = await owner.register()
    for (let i = 0; i < 10; i++) await owner.login(username, `guess ${i}`)
    await expectRefused(owner.login(username))
  })

  it('is not found in a browser that claims to be known', async () => {
    const owner = from(newAddress())
    const { username, id } = await owner.register()
    const address = newAddress()
    await spend('login-account', `${id}|${address}`)
    const attacker = from(address)
    attacker.jar = owner.jar.copy()
    attacker.headers.Cookie = (owner.jar.header() ?? '').replace(`known=${id}.`, `known=${id}.0.`)
    await expectRefused(attacker.login(username))
  })

  it('has one count for the user name and the e-mail address', async () => {
    const { username, email } = await from(newAddress()).register()
    const attacker = from(newAddress())
    for (let i = 0; i < 10; i++) await attacker.login(i % 2 ? username : email, `guess ${i}`)
    await expectRefused(attacker.login(username))
  })
})

describe('while Redis is away', () => {
  it('each gateway counts for itself', async () => {
    const config = readConfig({
      ...testSecrets(),
      DATABASE_URL: 'postgres://nobody@127.0.0.1:1/none',
      REDIS_URL: 'redis://127.0.0.1:1',
    })
    const nowhere = redisForRequests(config.redisUrl)
    const limits = new RateLimits(nowhere, config)
    const { points } = limitTable(config)['login-account']
    for (let i = 0; i < points; i++) await limits.use('login-account', 'alice')
    await expect(limits.use('login-account', 'alice')).rejects.toThrow('Too many requests')
    await expect(limits.check('login-account', 'alice')).rejects.toThrow('Too many requests')
    await limits.check('login-account', 'bob')
    nowhere.disconnect()
  })
})

describe('one place', () => {
  it.each([
    ['203.0.113.9', '203.0.113.9'],
    ['2001:db8:1:2:3:4:5:6', '2001:db8:1:2::/64'],
    ['2001:db8:1:2::1', '2001:db8:1:2::/64'],
    ['2001:0db8::1', '2001:db8:0:0::/64'],
    ['::1', '0:0:0:0::/64'],
  ])('is %s for %s', (address, place) => {
    expect(ipBucket(address)).toBe(place)
  })
})
