import { beforeAll, it } from 'vitest'
import { OTP_MAX_TRIES, PASSKEYS_MAX } from '#rules/constants'
import { redisForRequests } from '#runtime/redis'
import { turnOnCodes } from '#scripts/testing/gateway/factors/authenticator-app'
import { addPasskey, originOf } from '#scripts/testing/gateway/factors/passkey-visitor'
import { SoftwareAuthenticator } from '#scripts/testing/gateway/factors/software-authenticator'
import { useProduct } from '#scripts/testing/gateway/use-product'
import { newMember, PASSWORD, Visitor } from '#scripts/testing/gateway/visitor'
import { Refusals, SIGN_IN_ROUTES } from './testing/refusals.ts'

const WRONG = 'a wrong password'

const product = useProduct({ frozen: true, env: { LOGIN_FAILURES_BEFORE_CODE: '2' } })
const visitor = new Visitor(product)
const member = new Visitor(product)
beforeAll(() => member.becomeNewMember())
const refusals = new Refusals()
const expectRefusal = refusals.expect

/** A second code is sent to an e-mail address after a minute. */
const passMinute = () =>
  product.db.raw(`update email_codes set "createdAt" = "createdAt" - interval '2 minutes'`)

it('POST /api/register documents its codes', async () => {
  const route = 'POST /api/register'
  const email = 'newcomer@test.example'
  const body = { username: 'newcomer', email, password: PASSWORD }
  await expectRefusal(visitor, route, 'email_not_verified', { body })
  await visitor.verify(email)
  const taken = member.user?.username
  await expectRefusal(visitor, route, 'username_taken', { body: { ...body, username: taken } })
  const { referralCode } = (await member.call('POST /api/referral/generate-code')).body
  const unknown = { ...body, referralCode: 'TESPZZZZZZ' }
  await expectRefusal(visitor, route, 'referral_unknown', { body: unknown })
  await product.db('users').where({ referralCode }).update({ referralFrozenReason: 'a reason' })
  await expectRefusal(visitor, route, 'referral_refused', { body: { ...body, referralCode } })
  const takenEmail = 'taken@test.example'
  await visitor.verify(takenEmail)
  await passMinute()
  await new Visitor(product).register({ email: takenEmail })
  await expectRefusal(visitor, route, 'email_taken', { body: { ...body, email: takenEmail } })
})

it('the routes of passwords and codes document their codes', async () => {
  const email = 'stranger@test.example'
  const otp = '000000'
  const login = { identifier: 'nobody', password: WRONG }
  const signIn = 'POST /api/login'
  for (let i = 0; i < 2; i++) {
    await expectRefusal(visitor, signIn, 'wrong_credentials', { body: login })
  }
  await expectRefusal(visitor, signIn, 'otp_required', { body: login })
  const coded = { ...login, otp }
  for (let tries = 1; tries < OTP_MAX_TRIES; tries++) {
    await expectRefusal(visitor, signIn, 'otp_invalid', { body: coded })
  }
  await expectRefusal(visitor, signIn, 'otp_used_up', { body: coded })
  await visitor.call('POST /api/verify/send-otp', { body: { email } })
  await expectRefusal(visitor, 'POST /api/verify/send-otp', 'otp_too_soon', { body: { email } })
  const gone = 'gone@test.example'
  await product.db('refused_addresses').insert({ recipientKey: gone, reason: 'no mailbox' })
  const toGone = { body: { email: gone } }
  const toMember = { body: { email: member.user?.email } }
  await expectRefusal(visitor, 'POST /api/verify/send-otp', 'email_taken', toMember)
  await expectRefusal(visitor, 'POST /api/verify/send-otp', 'email_refused', toGone)
  const { redisUrl, redisPrefix, otpPerAddressHour } = product.config
  const redis = redisForRequests(redisUrl)
  const uses = `${redisPrefix}:limit:otp-address:127.0.0.1`
  await redis.set(uses, otpPerAddressHour / 2, 'EX', 3_600)
  await expectRefusal(visitor, 'POST /api/verify/send-otp', 'proof_required', toGone)
  await redis.del(uses)
  redis.disconnect()
  await visitor.call('POST /api/password/forgot', { body: { email } })
  await expectRefusal(visitor, 'POST /api/password/forgot', 'otp_too_soon', { body: { email } })
  await product.db('email_codes').update({ tries: OTP_MAX_TRIES })
  const used = { email, otp }
  await expectRefusal(visitor, 'POST /api/verify/verify-otp', 'otp_used_up', { body: used })
  const usedReset = { ...used, newPassword: PASSWORD }
  await expectRefusal(visitor, 'POST /api/password/reset', 'otp_used_up', { body: usedReset })
  const wrong = { email: 'nobody@test.example', otp }
  await expectRefusal(visitor, 'POST /api/verify/verify-otp', 'otp_invalid', { body: wrong })
  const reset = { ...wrong, newPassword: PASSWORD }
  await expectRefusal(visitor, 'POST /api/password/reset', 'otp_invalid', { body: reset })
})

it('the routes of passkeys document their codes', async () => {
  const who = await newMember(product)
  const key = new SoftwareAuthenticator()
  const add = 'POST /api/user/passkeys'
  const wrong = { password: WRONG }
  await expectRefusal(who, `${add}/options`, 'wrong_password', { body: wrong })
  const unsent = { password: PASSWORD }
  const { options } = (await who.call(`${add}/options`, { body: unsent })).body
  const evil = key.create(options, 'Phone', { origin: 'https://evil.example' })
  await expectRefusal(who, add, 'passkey_refused', { body: evil })
  const { body } = await addPasskey(who, key)
  const passkeyId = body.passkeys[0]?.id
  const request = (await visitor.call('POST /api/passkey/options')).body.options
  const signed = new SoftwareAuthenticator().sign(request, { origin: originOf(visitor) })
  await expectRefusal(visitor, 'POST /api/passkey/login', 'passkey_refused', { body: signed })
  const row = { userId: who.user?.id, publicKey: Buffer.from([1]), counter: 0, transports: [] }
  const full = Array.from({ length: PASSKEYS_MAX - 1 }, (_, n) => {
    return { ...row, backedUp: false, name: 'key', credentialId: `full-${n}` }
  })
  const more = (await who.call(`${add}/options`, { body: unsent })).body.options
  await product.db('passkeys').insert(full)
  await expectRefusal(who, `${add}/options`, 'passkeys_full', { body: unsent })
  const last = new SoftwareAuthenticator().create(more, 'Key', { origin: originOf(who) })
  await expectRefusal(who, add, 'passkeys_full', { body: last })
  const unknown = { passkeyId: 999_999, name: 'Phone' }
  await expectRefusal(who, `${add}/rename`, 'not_found', { body: unknown })
  const remove = { passkeyId, password: WRONG }
  await expectRefusal(who, `${add}/remove`, 'wrong_password', { body: remove })
  const missing = { passkeyId: 999_999, password: PASSWORD }
  await expectRefusal(who, `${add}/remove`, 'not_found', { body: missing })
  const frozen = { frozenAt: product.db.fn.now(), frozenReason: 'a reason' }
  await product.db('users').where({ id: who.user?.id }).update(frozen)
  const again = (await visitor.call('POST /api/passkey/options')).body.options
  const own = key.sign(again, { origin: originOf(visitor) })
  await expectRefusal(visitor, 'POST /api/passkey/login', 'account_frozen', { body: own })
})

it('the routes of one-time codes document their codes', async () => {
  const who = await newMember(product)
  const base = 'POST /api/user/authenticator'
  const code = 'no code'
  const proof = { password: PASSWORD, code }
  const wrong = { password: WRONG, code }
  await expectRefusal(who, `${base}/set-up`, 'wrong_password', { body: { password: WRONG } })
  await expectRefusal(who, `${base}/confirm`, 'second_factor_off', { body: { code } })
  for (const route of [`${base}/remove`, `${base}/recovery-codes`] as const) {
    await expectRefusal(who, route, 'wrong_password', { body: wrong })
    await expectRefusal(who, route, 'second_factor_off', { body: proof })
  }
  await who.call(`${base}/set-up`, { body: { password: PASSWORD } })
  await expectRefusal(who, `${base}/confirm`, 'second_factor_invalid', { body: { code } })
  const { app } = await turnOnCodes(who)
  await expectRefusal(who, `${base}/confirm`, 'second_factor_on', { body: { code } })
  const again = { password: PASSWORD }
  await expectRefusal(who, `${base}/set-up`, 'second_factor_on', { body: again })
  const options = 'POST /api/user/passkeys/options'
  await expectRefusal(who, options, 'second_factor_invalid', { body: proof })
  for (const route of [`${base}/remove`, `${base}/recovery-codes`] as const) {
    await expectRefusal(who, route, 'second_factor_invalid', { body: proof })
  }
  const browser = new Visitor(product)
  const step = 'POST /api/login/second-factor'
  await expectRefusal(browser, step, 'second_step_expired', { body: { code } })
  const login = { identifier: who.user?.username, password: PASSWORD }
  await expectRefusal(browser, 'POST /api/login', 'second_factor_required', { body: login })
  await expectRefusal(browser, step, 'second_factor_invalid', { body: { code } })
  const row = product.db('users').where({ id: who.user?.id })
  await row.clone().update({ frozenAt: product.db.fn.now(), frozenReason: 'a reason' })
  await expectRefusal(browser, step, 'account_frozen', { body: { code: app.code() } })
  await row.update({ frozenAt: null, frozenReason: null })
  await product.db('second_factors').where({ userId: who.user?.id }).delete()
  await expectRefusal(browser, step, 'second_factor_off', { body: { code } })
})

it('POST /api/login documents the refusal of a frozen member', async () => {
  const { username } = member.user ?? {}
  const row = product.db('users').where({ id: member.user?.id })
  await row.clone().update({ frozenAt: product.db.fn.now(), frozenReason: 'a reason' })
  const body = { identifier: username, password: PASSWORD }
  await expectRefusal(visitor, 'POST /api/login', 'account_frozen', { body })
  await row.update({ frozenAt: null, frozenReason: null })
})

refusals.expectAll(SIGN_IN_ROUTES)
