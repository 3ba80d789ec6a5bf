import { beforeAll, describe, expect, it } from 'vitest'
import { MINUTE_MS } from '#rules/constants'
import { useProduct } from '#scripts/testing/gateway/use-product'
import { newMember, Visitor } from '#scripts/testing/gateway/visitor'

const product = useProduct({ env: { TRUSTED_PROXIES: '127.0.0.1' } })
let visitor: Visitor

beforeAll(async () => {
  visitor = new Visitor(product)
  const owner = new Visitor(product)
  await owner.register({ username: 'Straße', email: 'taken@test.example' })
  await product.db('users').where({ id: owner.user?.id }).update({ referralCode: 'TESPABC234' })
  const frozen = await newMember(product)
  await product
    .db('users')
    .where({ id: frozen.user?.id })
    .update({ referralCode: 'TESPFR2ZEN', referralFrozenReason: 'bought members' })
})

const username = (name: string) =>
  visitor.call('GET /api/check/username/:username', { params: { username: name } })
const email = (text: string) =>
  visitor.call('GET /api/check/email/:email', { params: { email: text } })
const code = (text: string) =>
  visitor.call('GET /api/check/referral-code/:code', { params: { code: text } })

describe('GET /api/check/username/:username', () => {
  it('a free user name is available', async () => {
    expect(await username('日本語')).toMatchObject({
      status: 200,
      body: { available: true, message: 'Username is available' },
    })
  })

  it.each(['Straße', 'STRASSE', 'strasse'])(
    'the user name %s is taken after Unicode case folding',
    async (name) => {
      const { body } = await username(name)
      expect(body).toEqual({ available: false, message: 'Username is already taken' })
    },
  )

  it.each(['ab', 'a b', 'x@y', '../etc', 'a%b', `${'x'.repeat(31)}`])(
    'the user name %j is invalid',
    async (name) => {
      const { body } = await username(name)
      expect(body).toEqual({ available: false, message: 'Invalid username' })
    },
  )

  it('characters that cannot be stored and broken escapes do not cause a 5xx', async () => {
    for (const path of ['%00', 'ab%00c', '%ED%A0%80', '%E0%A4%A', '%']) {
      const answer = await visitor.fetch(`/api/check/username/${path}`)
      expect(answer.status).toBeLessThan(500)
      expect(answer.headers.get('Content-Type')).toContain('application/json')
    }
  })
})

describe('GET /api/check/email/:email', () => {
  it('an e-mail is checked regardless of case', async () => {
    expect((await email('free@test.example')).body).toEqual({
      available: true,
      message: 'Email is available',
    })
    expect((await email('TAKEN@test.example')).body).toEqual({
      available: false,
      message: 'Email is already in use',
    })
  })

  it('a malformed e-mail is invalid', async () => {
    for (const malformed of ['nobody', 'a@b@c', 'a b@c', `${'x'.repeat(260)}@test.example`]) {
      expect((await email(malformed)).body).toEqual({
        available: false,
        message: 'Invalid email address',
      })
    }
  })
})

describe('GET /api/check/referral-code/:code', () => {
  it.each(['TESPABC234', 'tesp-abc234', 'tesp abc 234'])(
    'the referral code %s is valid and names its owner, nothing else',
    async (typed) => {
      expect((await code(typed)).body).toEqual({
        valid: true,
        message: 'Referral code is valid',
        inviter: 'Straße',
      })
    },
  )

  it('one IP address gets 30 names of inviters a minute, whether its codes exist or not', async () => {
    const client = new Visitor(product, 0, { 'X-Forwarded-For': '192.0.2.78' })
    const check = (typed: string) =>
      client.call('GET /api/check/referral-code/:code', { params: { code: typed } })
    // A code that is still being typed is not counted.
    await Promise.all(Array.from({ length: 10 }, () => check('TESPABC')))
    await Promise.all(Array.from({ length: 29 }, () => check('TESPZZZZZZ')))
    expect((await check('TESPABC234')).body.inviter).toBe('Straße')
    expect((await check('TESPABC234')).body).toEqual({
      valid: true,
      message: 'Referral code is valid',
    })
  })

  it('an unknown referral code is invalid', async () => {
    expect((await code('TESPZZZZZZ')).body).toEqual({
      valid: false,
      message: 'Referral code does not exist',
    })
  })

  it('a referral code with another prefix is invalid', async () => {
    for (const typed of ['x', 'ABC234', 'TESP', 'TESPÄÖ']) {
      expect((await code(typed)).body).toEqual({
        valid: false,
        message: 'Referral code must start with TESP',
      })
    }
  })

  it('a frozen referral code is invalid', async () => {
    expect((await code('TESPFR2ZEN')).body).toEqual({
      valid: false,
      message: 'This referral code does not take new members',
    })
  })
})

it('one IP address gets at most 600 checks a minute', async () => {
  const client = new Visitor(product, 0, { 'X-Forwarded-For': '192.0.2.77' })
  const check = () => client.call('GET /api/check/referral-code/:code', { params: { code: 'x' } })
  const since = Date.now()
  let answered = 0
  let rejected: Awaited<ReturnType<typeof check>>[] = []
  while (rejected.length === 0 && answered < 6_000) {
    const answers = await Promise.all(Array.from({ length: 50 }, check))
    rejected = answers.filter(({ status }) => status === 429)
    answered += answers.length - rejected.length
  }
  // On a busy machine a minute may end before.
  const minutes = Math.ceil((Date.now() - since) / MINUTE_MS)
  expect(answered).toBeGreaterThanOrEqual(600)
  expect(answered).toBeLessThanOrEqual(minutes * 600)
  expect(rejected[0]?.body.message).toBe('Too many requests. Please try again later')
  expect((await code('TESPABC234')).status).toBe(200)
})
