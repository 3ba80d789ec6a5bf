import { Redis } from 'ioredis'
import { beforeEach, expect, it } from 'vitest'
import { MINUTE_MS, RECOVERY_CODES } from '#rules/constants'
import {
  type TurnedOn,
  turnOnCodes,
  wrongCode,
} from '#scripts/testing/gateway/factors/authenticator-app'
import { afterPassword, enterCode, SECOND_STEP } from '#scripts/testing/gateway/factors/enter-code'
import { addPasskey, signInWithPasskey } from '#scripts/testing/gateway/factors/passkey-visitor'
import { SoftwareAuthenticator } from '#scripts/testing/gateway/factors/software-authenticator'
import { subjectsTo } from '#scripts/testing/gateway/mails-to'
import { stranger } from '#scripts/testing/gateway/strangers'
import { useMember, useProduct } from '#scripts/testing/gateway/use-product'
import { PASSWORD, type Visitor } from '#scripts/testing/gateway/visitor'

const product = useProduct({ gateways: 2, env: { TRUSTED_PROXIES: '127.0.0.1' } })
const member = useMember(product)

const name = () => member.user?.username ?? ''
const expired = { status: 400, body: { code: 'second_step_expired' } }
const invalid = { status: 400, body: { code: 'second_factor_invalid' } }
const subjects = () => subjectsTo(product, member.user?.email)
const signInAgain = (browser = stranger(product)) => afterPassword(browser, name())

let turnedOn: TurnedOn
beforeEach(async () => {
  turnedOn = await turnOnCodes(member)
})

it('the password alone does not sign in, the code after it does', async () => {
  const browser = await signInAgain()
  expect((await browser.call('GET /api/user')).status).toBe(401)
  expect(await enterCode(browser, turnedOn.app.code(), 1)).toMatchObject({
    status: 200,
    body: { username: name() },
  })
  expect((await browser.call('GET /api/user')).status).toBe(200)
})

it('a known browser needs the code too', async () => {
  await member.call('POST /api/logout')
  await signInAgain(member)
})

it('"remember me" of the first step holds for the sign-in', async () => {
  const browser = stranger(product)
  const body = { identifier: name(), password: PASSWORD, rememberMe: true }
  await browser.call('POST /api/login', { body })
  const { headers } = await enterCode(browser, turnedOn.app.code())
  const cookie = headers.getSetCookie().find((line) => line.startsWith('tesp='))
  expect(cookie).toMatch(/expires=/i)
})

it('the same code does not work twice, nor one before it', async () => {
  expect((await enterCode(await signInAgain(), turnedOn.app.code())).status).toBe(200)
  const browser = await signInAgain()
  for (const step of [0, -1, -2]) {
    expect(await enterCode(browser, turnedOn.app.code(step))).toMatchObject(invalid)
  }
})

it('of 8 parallel sign-ins with one code over two gateways one succeeds', async () => {
  const browsers = await Promise.all(Array.from({ length: 8 }, () => signInAgain()))
  const code = turnedOn.app.code()
  const answers = await Promise.all(browsers.map((one, n) => enterCode(one, code, n % 2)))
  expect(answers.filter(({ status }) => status === 200)).toHaveLength(1)
})

it('a code signs nobody in without the password before it, or later than five minutes after it', async () => {
  expect(await enterCode(stranger(product), turnedOn.app.code())).toMatchObject(expired)
  const browser = await signInAgain()
  const redis = new Redis(product.config.redisUrl)
  const ends: number[] = []
  for (const key of await redis.keys(`${product.config.redisPrefix}:auth:*`)) {
    const session = JSON.parse((await redis.get(key)) ?? '{}')
    if (!session.secondStep) continue
    ends.push(session.secondStep.until - Date.now())
    session.secondStep.until = Date.now() - 1
    await redis.set(key, JSON.stringify(session), 'KEEPTTL')
  }
  redis.disconnect()
  expect(Math.max(...ends)).toBeLessThanOrEqual(5 * MINUTE_MS)
  expect(await enterCode(browser, turnedOn.app.code())).toMatchObject(expired)
})

it('the end of all sign-ins ends a sign-in that waits for its code', async () => {
  const browser = await signInAgain()
  await product
    .db('users')
    .where({ id: member.user?.id })
    .update({ authEpoch: product.db.raw('"authEpoch" + 1') })
  expect(await enterCode(browser, turnedOn.app.code())).toMatchObject(expired)
})

it('a recovery code signs in once, in capitals and without its hyphen too, and is announced', async () => {
  const [first = '', second = ''] = turnedOn.recoveryCodes
  expect((await enterCode(await signInAgain(), first)).status).toBe(200)
  expect(await enterCode(await signInAgain(), first)).toMatchObject(invalid)
  const typed = second.replace('-', ' ').toUpperCase()
  expect((await enterCode(await signInAgain(), typed)).status).toBe(200)
  expect((await member.call('GET /api/user/factors')).body.authenticator?.recoveryCodesLeft).toBe(
    RECOVERY_CODES - 2,
  )
  expect(await subjects()).toContain('TESP Network: a recovery code was used')
})

it('40 parallel guesses from as many addresses get ten answers, and the owner gets a mail', async () => {
  const browsers = await Promise.all(Array.from({ length: 40 }, () => signInAgain()))
  const wrong = wrongCode(turnedOn.app)
  const guesses = await Promise.all(browsers.map((one, n) => enterCode(one, wrong, n % 2)))
  expect(guesses.filter(({ status }) => status === 400)).toHaveLength(10)
  expect(guesses.filter(({ status }) => status === 429)).toHaveLength(30)
  const [browser] = browsers
  expect((await enterCode(browser ?? member, turnedOn.app.code())).status).toBe(429)
  const warnings = (await subjects()).filter((subject) => subject.includes('wrong codes'))
  expect(warnings).toHaveLength(1)
  // The owner's known browser is counted separately.
  await member.call('POST /api/logout')
  const owner = await signInAgain(member)
  expect((await enterCode(owner, turnedOn.app.lateCode())).status).toBe(200)
})

it('all known browsers together get twenty guesses, so that collected cookies give no more', async () => {
  const wrong = wrongCode(turnedOn.app)
  const off = { password: PASSWORD, code: turnedOn.app.code() }
  await member.call('POST /api/user/authenticator/remove', { body: off })
  const browsers: Visitor[] = []
  for (let n = 0; n < 3; n++) {
    const browser = stranger(product)
    expect((await browser.login(name())).status).toBe(200)
    browsers.push(browser)
  }
  turnedOn = await turnOnCodes(member)
  const guesses: number[] = []
  const warned = async () => (await subjects()).filter((subject) => subject.includes('wrong codes'))
  for (const browser of browsers) {
    expect(await warned()).toEqual([])
    await browser.call('POST /api/logout')
    await signInAgain(browser)
    for (let n = 0; n < 8; n++) guesses.push((await enterCode(browser, wrong)).status)
  }
  expect(guesses.filter((status) => status === 400)).toHaveLength(20)
  expect(guesses.slice(20)).toEqual([429, 429, 429, 429])
  expect(await warned()).toHaveLength(1)
})

it('a passkey signs in without a code', async () => {
  const key = new SoftwareAuthenticator()
  await addPasskey(member, key, 'Phone', turnedOn.app.code())
  expect((await signInWithPasskey(stranger(product), key)).status).toBe(200)
})

it('under attack a stranger needs the code by e-mail first, then the one-time code', async () => {
  for (let n = 0; n < 20; n++) await stranger(product).login(name(), `guess ${n}`)
  const browser = stranger(product)
  expect(await browser.login(name(), 'guess')).toMatchObject({ body: { code: 'otp_required' } })
  expect(await browser.login(name())).toMatchObject({ body: { code: 'otp_required' } })
  const otp = await browser.codeOf(member.user?.email ?? '')
  const body = { identifier: name(), password: PASSWORD, otp }
  expect(await browser.call('POST /api/login', { body })).toMatchObject(SECOND_STEP)
  expect((await enterCode(browser, turnedOn.app.lateCode())).status).toBe(200)
})

/** Sets a new password by the code in a mail. */
async function resetPassword(browser: Visitor): Promise<void> {
  const { email = '' } = member.user ?? {}
  await product.db.raw(`update email_codes set "createdAt" = "createdAt" - interval '2 minutes'`)
  await browser.call('POST /api/password/forgot', { body: { email } })
  const body = { email, otp: await browser.codeOf(email), newPassword: PASSWORD }
  expect((await browser.call('POST /api/password/reset', { body })).status).toBe(200)
}

it('a new password by e-mail does not end the codes, and gives no new tries of them', async () => {
  const browser = stranger(product)
  const wrong = wrongCode(turnedOn.app)
  await resetPassword(browser)
  await signInAgain(browser)
  for (let n = 0; n < 10; n++) expect(await enterCode(browser, wrong)).toMatchObject(invalid)
  await resetPassword(browser)
  await signInAgain(browser)
  expect((await enterCode(browser, wrong)).status).toBe(429)
})
