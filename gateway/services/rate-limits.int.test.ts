import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { networkBucket } from '#gateway/security/proof-of-work'
import { readConfig } from '#runtime/config/config'
import { redisForRequests } from '#runtime/redis'
import { testSecrets } from '#scripts/testing/db/database'
import { newIp, stranger } from '#scripts/testing/gateway/strangers'
import { useProduct } from '#scripts/testing/gateway/use-product'
import { newMember, PASSWORD } from '#scripts/testing/gateway/visitor'
import { ipBucket, type LimitName, limitTable, RateLimits } from './rate-limits.ts'

const product = useProduct({
  gateways: 2,
  env: { TRUSTED_PROXIES: '127.0.0.1', SOCKETS_PER_MEMBER: '50', OTP_PER_ADDRESS_HOUR: '300' },
})
let redis: ReturnType<typeof redisForRequests>
let otherGateway: RateLimits

beforeAll(async () => {
  redis = redisForRequests(product.config.redisUrl)
  otherGateway = new RateLimits(redis, product.config)
})
afterAll(() => redis?.disconnect())

const from = (ip: string, gateway = 0) => stranger(product, ip, gateway)

/** Uses up a limit as another gateway would. */
async function useUp(name: LimitName, countedFor: string): Promise<void> {
  const { points, seconds } = limitTable(product.config)[name]
  const key = `${product.config.redisPrefix}:limit:${name}:${countedFor}`
  await redis.set(key, points, 'EX', seconds)
}

const rejection = {
  status: 429,
  body: { message: 'Too many requests. Please try again later', code: 'too_many_requests' },
}
async function expectRejected(
  response: Promise<{ status: number; body: object; headers: Headers }>,
) {
  const answer = await response
  expect(answer).toMatchObject(rejection)
  expect(Number(answer.headers.get('Retry-After'))).toBeGreaterThan(0)
}

describe('limits shared by all gateways', () => {
  it.each(['GET /api/check/username/:username', 'GET /api/check/email/:email'] as const)(
    'the limit of %s counts per IP address',
    async (route) => {
      const ip = newIp()
      const params = { username: 'somebody', email: 'some@test.example' }
      await useUp('check-address', ip)
      await expectRejected(from(ip).call(route, { params }))
      expect((await stranger(product).call(route, { params })).status).toBe(200)
    },
  )

  it('the limit of codes counts per IP address', async () => {
    const ip = newIp()
    await useUp('otp-address', ip)
    const body = { email: 'codes@test.example' }
    await expectRejected(from(ip).call('POST /api/verify/send-otp', { body }))
    await expectRejected(from(ip).call('POST /api/password/forgot', { body }))
    const other = stranger(product)
    expect((await other.call('POST /api/verify/send-otp', { body })).status).toBe(200)
  })

  it('the limit of code tries counts per IP address', async () => {
    const ip = newIp()
    await useUp('otp-tries-address', ip)
    const body = { email: 'codes@test.example', otp: '123456' }
    await expectRejected(from(ip).call('POST /api/verify/verify-otp', { body }))
    const reset = { ...body, newPassword: PASSWORD }
    await expectRejected(from(ip).call('POST /api/password/reset', { body: reset }))
  })

  it('the limit of registrations counts per IP address', async () => {
    const ip = newIp()
    await useUp('register-address', ip)
    const body = { username: 'newcomer', email: 'newcomer@test.example', password: PASSWORD }
    await expectRejected(from(ip).call('POST /api/register', { body }))
    expect((await stranger(product).call('POST /api/register', { body })).status).toBe(400)
  })

  it('the limit of commands counts per member', async () => {
    const member = await newMember(product)
    await useUp('command-member', `${member.user?.id}|0`)
    await expectRejected(member.call('POST /api/mining/start'))
    await expectRejected(member.call('POST /api/mining/claim', { gateway: 1 }))
    expect((await member.call('GET /api/mining/status')).body).toMatchObject({ active: false })
    expect((await (await newMember(product)).call('POST /api/mining/start')).status).toBe(200)
  })

  it('the limit of a day counts commands that took effect, for the member in every epoch', async () => {
    const member = await newMember(product)
    const { id } = member.user ?? {}
    await useUp('command-day-member', String(id))
    // A few commands are not counted.
    expect((await member.call('POST /api/mining/start')).status).toBe(200)
    const key = () => ({ body: { key: `key-${Math.random()}` } })
    for (let n = 0; n < 9; n++) await member.call('POST /api/commands/cancel', key())
    await expectRejected(member.call('POST /api/mining/stop'))
    await expectRejected(member.call('POST /api/commands/cancel', key()))
    await product.db('users').where({ id }).update({ authEpoch: 1 })
    expect((await member.login()).status).toBe(200)
    for (let n = 0; n < 10; n++) await member.call('POST /api/commands/cancel', key())
    await expectRejected(member.call('POST /api/mining/stop'))
  })

  it('a command that took effect counts for the day from the eleventh on', async () => {
    const member = await newMember(product)
    const used = () => otherGateway.used('command-day-member', String(member.user?.id))
    const switchOnAndOff = async () => {
      await member.call('POST /api/mining/start')
      await member.call('POST /api/mining/stop')
    }
    for (let n = 0; n < 5; n++) await switchOnAndOff()
    expect(await used()).toBe(0)
    await switchOnAndOff()
    await expect.poll(used).toBe(2)
    await member.call('POST /api/mining/stop')
    await sleep(100)
    expect(await used()).toBe(2)
  })

  it('the limit of sign-ins counts right passwords, of known browsers apart', async () => {
    const member = await newMember(product)
    const id = String(member.user?.id)
    const body = { identifier: member.user?.username ?? '', password: PASSWORD }
    const other = () => stranger(product).call('POST /api/login', { body })
    expect((await other()).status).toBe(200)
    expect(await otherGateway.used('login-member', id)).toBe(1)
    await useUp('login-member', id)
    await expectRejected(other())
    expect((await member.login()).status).toBe(200)
    await useUp('login-member', `known|${id}`)
    await expectRejected(member.login())
    const change = { body: { password: PASSWORD, newPassword: `${PASSWORD}2` } }
    expect((await member.call('POST /api/user/password', change)).status).toBe(200)
    expect((await member.login(undefined, `${PASSWORD}2`)).status).toBe(200)
  })

  it('the limit of avatars counts per member and leaves the rest of the profile', async () => {
    const member = await newMember(product)
    await useUp('avatar-member', String(member.user?.id))
    const avatar = `data:image/png;base64,${'A'.repeat(20)}`
    await expectRejected(member.call('PATCH /api/user/profile', { body: { avatar } }))
    const body = { fullName: 'Somebody' }
    expect((await member.call('PATCH /api/user/profile', { body })).status).toBe(200)
  })

  it('the limit of challenges counts per network', async () => {
    await useUp('session-network', networkBucket('203.0.113.7'))
    await expectRejected(from('203.0.113.9').call('POST /api/passkey/options'))
    expect((await from('203.0.114.9').call('POST /api/passkey/options')).status).toBe(200)
  })

  it('hashes of passwords count per network, but not for known browsers', async () => {
    const owner = from('2001:db8:1:1::9')
    const { username, email } = await owner.register()
    await useUp('password-network', networkBucket('2001:db8:1:1::9'))
    const other = from('2001:db8:1:2::9')
    await expectRejected(other.login(username))
    const password = PASSWORD
    await other.call('POST /api/verify/send-otp', { body: { email: 'a.b@test.example' } })
    const body = { username: 'somebody', email: 'a.b@test.example', password }
    await expectRejected(other.call('POST /api/register', { body }))
    const reset = { email, otp: '123456', newPassword: password }
    await expectRejected(other.call('POST /api/password/reset', { body: reset }))
    expect((await owner.login(username)).status).toBe(200)
  })

  it('a sign-in that has ended does not use up the limit of its member', async () => {
    const member = await newMember(product)
    const { id } = member.user ?? {}
    await useUp('command-member', `${id}|0`)
    await product.db('users').where({ id }).update({ authEpoch: 1 })
    expect((await member.login()).status).toBe(200)
    expect((await member.call('POST /api/mining/start')).status).toBe(200)
  })

  it('the limit of uploads counts per member', async () => {
    const member = await newMember(product)
    await useUp('upload-member', String(member.user?.id))
    const response = await member.fetch('/api/user/kyc', 0, { method: 'POST', body: '{}' })
    expect({ status: response.status, body: await response.json() }).toMatchObject(rejection)
  })

  it('the limit of new sockets counts per member', async () => {
    const member = await newMember(product)
    await useUp('socket-member', String(member.user?.id))
    await expect(member.connected()).rejects.toThrow('too_many_requests')
    const other = await newMember(product)
    expect((await other.connected()).connected).toBe(true)
    other.disconnect()
    member.disconnect()
  })
})

describe('device cookie', () => {
  it('an owner with a device cookie signs in while an attacker shares the IP address', async () => {
    const ip = newIp()
    const owner = from(ip)
    const { username } = await owner.register()
    await owner.call('POST /api/logout')
    const attacker = from(ip, 1)
    for (let i = 0; i < 10; i++) await attacker.login(username, `guess ${i}`)
    await expectRejected(attacker.login(username))
    await useUp('login-address', ip)
    expect((await owner.login(username)).status).toBe(200)
  })

  it('a browser with a device cookie has the same number of tries', async () => {
    const owner = stranger(product)
    const { username } = await owner.register()
    for (let i = 0; i < 10; i++) await owner.login(username, `guess ${i}`)
    await expectRejected(owner.login(username))
  })

  it('all known browsers of a member together have a limit', async () => {
    const owner = stranger(product)
    const { username } = await owner.register()
    const { points } = limitTable(product.config)['login-known-member']
    const [own, ...others] = await Promise.all(
      Array.from({ length: points / 10 + 1 }, () => owner.otherDevice()),
    )
    for (const phone of others) {
      for (let n = 0; n < 10; n++) await phone.login(username, `guess ${n}`)
    }
    if (own) await expectRejected(own.login(username))
    expect((await stranger(product).login(username)).status).toBe(200)
  })

  it('a forged device cookie is ignored', async () => {
    const owner = stranger(product)
    const { username, id } = await owner.register()
    const ip = newIp()
    await useUp('login-account', `${id}|${ip}`)
    const attacker = from(ip)
    attacker.jar = owner.jar.copy()
    attacker.headers.Cookie = (owner.jar.header() ?? '').replace(`known=${id}.`, `known=${id}.0.`)
    await expectRejected(attacker.login(username))
  })

  it('failed logins by user name and by e-mail share one count', async () => {
    const { username, email } = await stranger(product).register()
    const attacker = stranger(product)
    for (let i = 0; i < 10; i++) await attacker.login(i % 2 ? username : email, `guess ${i}`)
    await expectRejected(attacker.login(username))
  })
})

it('a use that is given back after its window leaves nothing for the next one', async () => {
  await otherGateway.use('otp-address', 'late')
  await redis.del(`${product.config.redisPrefix}:limit:otp-address:late`)
  await otherGateway.giveBack('otp-address', 'late')
  expect(await otherGateway.used('otp-address', 'late')).toBe(0)
})

describe('without Redis', () => {
  it('a gateway without Redis counts in memory', async () => {
    const config = readConfig({
      ...testSecrets(),
      DATABASE_URL: 'postgres://nobody@127.0.0.1:1/none',
      REDIS_URL: 'redis://127.0.0.1:1',
    })
    const unavailable = redisForRequests(config.redisUrl)
    const limits = new RateLimits(unavailable, config)
    const { points } = limitTable(config)['login-account']
    for (let i = 0; i < points; i++) await limits.use('login-account', 'alice')
    await expect(limits.use('login-account', 'alice')).rejects.toThrow('Too many requests')
    await expect(limits.check('login-account', 'alice')).rejects.toThrow('Too many requests')
    await limits.check('login-account', 'bob')
    unavailable.disconnect()
  })
})

describe('ipBucket', () => {
  it.each([
    ['203.0.113.9', '203.0.113.9'],
    ['2001:db8:1:2:3:4:5:6', '2001:db8:1:2::/64'],
    ['2001:db8:1:2::1', '2001:db8:1:2::/64'],
    ['2001:0db8::1', '2001:db8:0:0::/64'],
    ['::1', '0:0:0:0::/64'],
  ])('the bucket of %s is %s', (ip, bucket) => {
    expect(ipBucket(ip)).toBe(bucket)
  })
})
