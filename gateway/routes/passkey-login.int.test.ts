import { Redis } from 'ioredis'
import { beforeEach, expect, it } from 'vitest'
import { MINUTE_MS } from '#rules/constants'
import {
  addPasskey,
  originOf,
  signInWithPasskey,
} from '#scripts/testing/gateway/factors/passkey-visitor'
import { SoftwareAuthenticator } from '#scripts/testing/gateway/factors/software-authenticator'
import { mailsTo } from '#scripts/testing/gateway/mails-to'
import { useMember, useProduct } from '#scripts/testing/gateway/use-product'
import { Visitor } from '#scripts/testing/gateway/visitor'

const product = useProduct({ gateways: 2 })
const member = useMember(product)
let key: SoftwareAuthenticator
beforeEach(() => {
  key = new SoftwareAuthenticator()
})

const refused = { status: 400, body: { code: 'passkey_refused' } }
const request = async (visitor: Visitor) =>
  (await visitor.call('POST /api/passkey/options')).body.options

it('a passkey signs in without a user name, and its last use is listed', async () => {
  await addPasskey(member, key)
  const browser = new Visitor(product, 1)
  expect(await signInWithPasskey(browser, key)).toMatchObject({
    status: 200,
    body: { username: member.user?.username },
  })
  const { body } = await browser.call('GET /api/user/factors')
  expect(body.passkeys[0]?.lastUsedAt).toEqual(expect.any(String))
  const { signIns } = (await browser.call('GET /api/user/sign-ins')).body
  expect(signIns).toHaveLength(2)
})

it('a sign-in from a new browser is announced by mail, one from a known browser is not', async () => {
  await addPasskey(member, key)
  const browser = new Visitor(product)
  const notices = async () =>
    (await mailsTo(product, member.user?.email)).filter(({ subject }) =>
      subject.includes('new browser'),
    ).length
  await signInWithPasskey(browser, key)
  expect(await notices()).toBe(1)
  await browser.call('POST /api/logout')
  await signInWithPasskey(browser, key)
  expect(await notices()).toBe(1)
})

it('a used challenge is refused, even with a new signature', async () => {
  await addPasskey(member, key)
  const browser = new Visitor(product)
  const options = await request(browser)
  const signed = () => key.sign(options, { origin: originOf(browser) })
  const first = signed()
  expect((await browser.call('POST /api/passkey/login', { body: first })).status).toBe(200)
  for (const body of [first, signed()]) {
    expect(await browser.call('POST /api/passkey/login', { body })).toMatchObject(refused)
  }
})

it('a challenge of another browser is refused', async () => {
  await addPasskey(member, key)
  const victim = new Visitor(product)
  const body = key.sign(await request(victim), { origin: originOf(victim) })
  const thief = new Visitor(product)
  await request(thief)
  expect(await thief.call('POST /api/passkey/login', { body })).toMatchObject(refused)
})

it('an expired challenge is refused', async () => {
  await addPasskey(member, key)
  const browser = new Visitor(product)
  const body = key.sign(await request(browser), { origin: originOf(browser) })
  const redis = new Redis(product.config.redisUrl)
  const keys = await redis.keys(`${product.config.redisPrefix}:challenge:*`)
  const lives = await Promise.all(keys.map((one) => redis.pttl(one)))
  expect(lives.every((life) => life > 0 && life <= 5 * MINUTE_MS)).toBe(true)
  await redis.del(keys)
  redis.disconnect()
  expect(await browser.call('POST /api/passkey/login', { body })).toMatchObject(refused)
})

it.each([
  ['another origin', { origin: 'https://evil.example' }],
  ['an authenticator that verified no user', { isVerified: false }],
])('a signature with %s is refused', async (_, ceremony) => {
  await addPasskey(member, key)
  const browser = new Visitor(product)
  const body = key.sign(await request(browser), { origin: originOf(browser), ...ceremony })
  expect(await browser.call('POST /api/passkey/login', { body })).toMatchObject(refused)
  expect((await browser.call('GET /api/user')).status).toBe(401)
})

it('a signature by another key is refused', async () => {
  await addPasskey(member, key)
  const browser = new Visitor(product)
  const other = new SoftwareAuthenticator()
  const body = other.sign(await request(browser), { origin: originOf(browser) })
  const id = key.credentialId.toString('base64url')
  expect(await browser.call('POST /api/passkey/login', { body: { ...body, id } })).toMatchObject(
    refused,
  )
})

it('a copied authenticator is refused as soon as its counter does not rise', async () => {
  await addPasskey(member, key)
  const copy = key.clone()
  expect((await signInWithPasskey(new Visitor(product), key)).status).toBe(200)
  expect((await signInWithPasskey(new Visitor(product), key)).status).toBe(200)
  expect(await signInWithPasskey(new Visitor(product), copy)).toMatchObject(refused)
})

it('of two signatures with one counter over two gateways one signs in', async () => {
  await addPasskey(member, key)
  const copy = key.clone()
  const answers = await Promise.all([
    signInWithPasskey(new Visitor(product, 0), key),
    signInWithPasskey(new Visitor(product, 1), copy),
  ])
  expect(answers.map(({ status }) => status).sort()).toEqual([200, 400])
})

it('a synchronised passkey, which counts nothing, signs in again and again', async () => {
  const synchronised = new SoftwareAuthenticator(true)
  expect((await addPasskey(member, synchronised)).body.passkeys[0]?.backedUp).toBe(true)
  for (let n = 0; n < 3; n++) {
    expect((await signInWithPasskey(new Visitor(product), synchronised)).status).toBe(200)
  }
})

it('a passkey of a frozen member gets the reason of the freeze', async () => {
  await addPasskey(member, key)
  const frozen = { frozenAt: product.db.fn.now(), frozenReason: 'a check' }
  await product.db('users').where({ id: member.user?.id }).update(frozen)
  expect(await signInWithPasskey(new Visitor(product), key)).toMatchObject({
    status: 403,
    body: { code: 'account_frozen' },
  })
})
