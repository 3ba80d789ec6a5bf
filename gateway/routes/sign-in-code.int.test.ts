import { beforeEach, describe, expect, it } from 'vitest'
import { newIp, stranger } from '#scripts/testing/gateway/strangers'
import { useProduct } from '#scripts/testing/gateway/use-product'
import { PASSWORD, type Visitor } from '#scripts/testing/gateway/visitor'

const FAILURES = 20
const product = useProduct({ gateways: 2, env: { TRUSTED_PROXIES: '127.0.0.1' } })
let owner: Visitor
let username: string
let email: string

beforeEach(async () => {
  owner = stranger(product)
  const user = await owner.register()
  username = user.username
  email = user.email
})

const login = (visitor: Visitor, identifier: string, password: string, otp?: string) =>
  visitor.call('POST /api/login', { body: { identifier, password, ...(otp && { otp }) } })
const wrong = {
  status: 401,
  body: { message: 'Invalid username or password', code: 'wrong_credentials' },
}
const required = {
  status: 401,
  body: {
    message:
      'Too many failed logins. If the password is right, we have sent a code to your email: enter it to log in.',
    code: 'otp_required',
  },
}
const invalid = { status: 400, body: { message: 'Invalid OTP code', code: 'otp_invalid' } }
const usedUp = { status: 400, body: { code: 'otp_used_up' } }

/** Strangers at as many IP addresses and both gateways use up the failures of an account. */
async function useUpFailures(identifier: string): Promise<void> {
  for (let i = 0; i < FAILURES; i++) {
    expect(await login(stranger(product, newIp(), i % 2), identifier, `guess ${i}`)).toMatchObject(
      wrong,
    )
  }
}
const signInMails = () =>
  product.db('mails').where({ recipient: email }).whereLike('subject', '%sign-in code%')
const otherThan = (code: string) => String((Number(code) + 1) % 1_000_000).padStart(6, '0')

describe('after 20 failed sign-ins of an account from as many IP addresses', () => {
  it('a stranger gets the same answer for a right and a wrong password', async () => {
    await useUpFailures(username)
    for (const password of ['guess', PASSWORD]) {
      const started = performance.now()
      expect(await login(stranger(product), username, password)).toMatchObject(required)
      expect(performance.now() - started).toBeGreaterThan(240)
    }
    expect(await login(stranger(product), email, 'guess')).toMatchObject(required)
  })

  it('an unknown name gets the same answers', async () => {
    const unknown = `nobody-${username}`
    await useUpFailures(unknown)
    const visitor = stranger(product)
    expect(await login(visitor, unknown, 'guess')).toMatchObject(required)
    for (let i = 0; i < 4; i++) {
      expect(await login(visitor, unknown, 'guess', '123456')).toMatchObject(invalid)
    }
    expect(await login(visitor, unknown, 'guess', '123456')).toMatchObject(usedUp)
  })

  it('the owner signs in from a known browser without a code', async () => {
    await owner.call('POST /api/logout')
    await useUpFailures(username)
    expect(await login(owner, username, PASSWORD)).toMatchObject({ status: 200 })
  })

  it('the owner signs in from a new browser with the code, which makes it known', async () => {
    await useUpFailures(username)
    const browser = stranger(product)
    expect(await login(browser, username, PASSWORD)).toMatchObject(required)
    const code = await browser.codeOf(email)
    expect(await login(browser, username, PASSWORD, code)).toMatchObject({ status: 200 })
    await browser.call('POST /api/logout')
    expect(await login(browser, username, PASSWORD)).toMatchObject({ status: 200 })
  })

  it('a code works once, in its own browser and with the right password only', async () => {
    await useUpFailures(username)
    const browser = stranger(product)
    await login(browser, username, PASSWORD)
    const code = await browser.codeOf(email)
    expect(await login(stranger(product), username, PASSWORD, code)).toMatchObject(invalid)
    expect(await login(browser, username, 'guess', code)).toMatchObject(invalid)
    expect(await login(browser, username, PASSWORD, code)).toMatchObject(invalid)
  })

  it('five wrong codes get the same answers whether the password is right or wrong', async () => {
    await useUpFailures(username)
    for (const password of [PASSWORD, 'guess']) {
      const browser = stranger(product)
      await login(browser, username, password)
      const code = otherThan(await browser.codeOf(email))
      for (let i = 0; i < 4; i++) {
        expect(await login(browser, username, password, code)).toMatchObject(invalid)
      }
      expect(await login(browser, username, password, code)).toMatchObject(usedUp)
    }
  })

  it('wrong passwords send no mail and delay no other code', async () => {
    await useUpFailures(username)
    for (let i = 0; i < 8; i++) await login(stranger(product), username, `guess ${i}`)
    expect(await signInMails()).toEqual([])
    const forgot = { body: { email } }
    await product.db.raw(`update email_codes set "createdAt" = "createdAt" - interval '2 minutes'`)
    expect((await stranger(product).call('POST /api/password/forgot', forgot)).status).toBe(200)
  })

  it('at most 20 codes an hour are mailed for an account', async () => {
    await useUpFailures(username)
    for (let i = 0; i < 22; i++) await login(stranger(product), username, PASSWORD)
    expect(await signInMails()).toHaveLength(20)
  })
})

it('19 failed sign-ins of an account require no code', async () => {
  for (let i = 0; i < FAILURES - 1; i++) await login(stranger(product), username, `guess ${i}`)
  expect(await login(stranger(product), username, PASSWORD)).toMatchObject({ status: 200 })
})
