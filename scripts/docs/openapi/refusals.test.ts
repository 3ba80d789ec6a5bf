import fs from 'node:fs'
import path from 'node:path'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { DOCUMENT_BYTES } from '#contract/forms'
import { bodies, IDEMPOTENCY_HEADER, type RouteName } from '#contract/routes'
import { advance, freeze } from '#db/testing/clock'
import { turnOnCodes } from '#gateway/testing/authenticator-app'
import { addPasskey, originOf } from '#gateway/testing/passkey-visitor'
import { type Product, startProduct } from '#gateway/testing/product'
import { aSubscription } from '#gateway/testing/push-subscription'
import { SoftwareAuthenticator } from '#gateway/testing/software-authenticator'
import { type CallOptions, newMember, PASSWORD, Visitor } from '#gateway/testing/visitor'
import { MINUTE_MS, OTP_MAX_TRIES, PASSKEYS_MAX } from '#rules/constants'
import type { RuleCode } from '#rules/rule-error'
import { ROOT } from '#scripts/process/root'
import { ROUTE_FACTS, type RouteFacts } from './route-facts.ts'

type Response = { description?: string }
type Document = { paths: Record<string, Record<string, { responses: Record<string, Response> }>> }
const { paths }: Document = JSON.parse(
  fs.readFileSync(path.join(ROOT, 'docs/openapi.json'), 'utf8'),
)

const ROUTES = Object.entries(ROUTE_FACTS) as [RouteName, RouteFacts][]
const PARAMS = { username: 'somebody', email: 'somebody@test.example', code: 'TESPABC234' }
const WRONG = 'a wrong password'

/** Each route and code that a test of this file has provoked. */
const provoked = new Set<string>()
let product: Product
let visitor: Visitor
let member: Visitor

beforeAll(async () => {
  product = await startProduct({ env: { LOGIN_FAILURES_BEFORE_CODE: '2' } })
  await freeze(product.db)
  visitor = new Visitor(product)
  member = await newMember(product)
})
afterAll(() => product.close())

/** The description of a status of a route in docs/openapi.json. */
function documented(route: RouteName, status: number): string {
  const [method = '', url = ''] = route.split(' ')
  const operation = paths[url.replace(/:(\w+)/g, '{$1}')]?.[method.toLowerCase()]
  return operation?.responses[status]?.description ?? ''
}

/** Calls a route and expects a refusal of this code that docs/openapi.json holds. */
async function expectRefusal(
  who: Visitor,
  route: RouteName,
  code: RuleCode,
  options: CallOptions = {},
): Promise<void> {
  const { status, body } = await who.call(route, { params: PARAMS, ...options })
  expect({ route, code: body.code }).toEqual({ route, code })
  expect(documented(route, status), `${status}`).toContain(`\`${code}\``)
  provoked.add(`${route} ${code}`)
}

/** Bodies that pass the forms. */
const CANCELLED_BODIES: Partial<Record<RouteName, object>> = {
  'POST /api/referral/apply-code': { referralCode: 'TESPABC234' },
  'POST /api/tasks/complete': { taskId: 'join_telegram' },
  'PATCH /api/user/profile': { fullName: 'A Name' },
  'POST /api/user/password': { password: PASSWORD, newPassword: 'Another horse 2' },
  'POST /api/reminders/mail': { on: true, language: 'en' },
  'POST /api/reminders/push': aSubscription(),
  'POST /api/reminders/push/remove': { deviceId: 1 },
  'POST /api/user/passkeys/rename': { passkeyId: 1, name: 'Phone' },
}

/** The options of a call that uploads a document with this text. */
function documentForm(text: string): CallOptions {
  const part = (headers: string, value: string) => `--x\r\n${headers}\r\n\r\n${value}\r\n`
  const type = part('Content-Disposition: form-data; name="documentType"', 'passport')
  const file = 'Content-Disposition: form-data; name="document"; filename="a.pdf"'
  const headers = { 'Content-Type': 'multipart/form-data; boundary=x' }
  const typed = `${file}\r\nContent-Type: application/pdf`
  return { headers, body: `${type}${part(typed, text)}--x--\r\n` }
}

/** A second code is sent to an e-mail address after a minute. */
const passMinute = () =>
  product.db.raw(`update email_codes set "createdAt" = "createdAt" - interval '2 minutes'`)

it.each(ROUTES.filter(([route]) => !route.startsWith('GET ')))(
  '%s documents the refusal of other sites',
  async (route) => {
    const headers = { Origin: 'https://other.example' }
    await expectRefusal(member, route, 'cross_site', { headers })
  },
)

it.each(Object.keys(bodies) as RouteName[])(
  '%s documents the refusal of a wrong, large or foreign body',
  async (route) => {
    await expectRefusal(member, route, 'bad_input', { body: [] })
    await expectRefusal(member, route, 'bad_input', { body: { long: 'x'.repeat(300_000) } })
    const headers = { 'Content-Type': 'text/plain' }
    await expectRefusal(member, route, 'bad_input', { body: 'text', headers })
  },
)

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
  await passMinute()
  const takenEmail = member.user?.email ?? ''
  await visitor.verify(takenEmail)
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
  const proof = { password: WRONG, confirmation: member.user?.username }
  await expectRefusal(member, 'POST /api/user/delete', 'wrong_password', { body: proof })
  const password = { password: WRONG }
  await expectRefusal(member, 'POST /api/user/export', 'wrong_password', { body: password })
  const end = { ...password, signInId: 'ended' }
  await expectRefusal(member, 'POST /api/user/sign-ins/end', 'wrong_password', { body: end })
  const endOthers = 'POST /api/user/sign-ins/end-others'
  await expectRefusal(member, endOthers, 'wrong_password', { body: password })
  const change = { ...password, newPassword: PASSWORD }
  await expectRefusal(member, 'POST /api/user/password', 'wrong_password', { body: change })
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
  await product.db('passkeys').insert(full)
  const more = (await who.call(`${add}/options`, { body: unsent })).body.options
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

it('the mining routes document their codes', async () => {
  const mine = async () => {
    await member.call('POST /api/mining/start')
    await expectRefusal(member, 'POST /api/mining/start', 'mining_active')
    await advance(product.db, 15 * MINUTE_MS)
    await member.call('POST /api/mining/stop')
    await expectRefusal(member, 'POST /api/mining/stop', 'mining_inactive')
  }
  await expectRefusal(member, 'POST /api/mining/claim', 'nothing_to_claim')
  await mine()
  await member.call('POST /api/mining/claim')
  await mine()
  await expectRefusal(member, 'POST /api/mining/claim', 'claim_cooldown')
})

it('the routes that end a session document its quarantine', async () => {
  const body = { password: PASSWORD, confirmation: member.user?.username }
  await member.call('POST /api/mining/start')
  const session = product.db('mining_sessions').where({ userId: member.user?.id, active: true })
  const quarantine = { quarantinedAt: product.db.fn.now(), quarantineReason: 'test' }
  await session.clone().update(quarantine)
  for (const route of ['POST /api/mining/start', 'POST /api/mining/stop'] as const) {
    await expectRefusal(member, route, 'session_quarantined')
  }
  await expectRefusal(member, 'POST /api/user/delete', 'session_quarantined', { body })
  await session.update({ quarantinedAt: null, quarantineReason: null })
  await member.call('POST /api/mining/stop')
})

it('the routes of tasks and milestones document their codes', async () => {
  const body = { taskId: 'join_telegram' }
  await member.call('POST /api/tasks/complete', { body })
  await expectRefusal(member, 'POST /api/tasks/complete', 'task_claimed', { body })
  const unknown = { taskId: 'unknown' }
  await expectRefusal(member, 'POST /api/tasks/complete', 'task_unknown', { body: unknown })
  const headers = { Origin: 'https://other.example' }
  await expectRefusal(member, 'GET /api/referral/check-milestones', 'cross_site', { headers })
})

it('POST /api/reminders/push documents its codes', async () => {
  const route = 'POST /api/reminders/push'
  const body = aSubscription('https://127.0.0.1/')
  await expectRefusal(member, route, 'subscription_refused', { body })
  const withoutKeys = await startProduct({ env: { VAPID_PUBLIC_KEY: '', VAPID_PRIVATE_KEY: '' } })
  const other = await newMember(withoutKeys)
  await expectRefusal(other, route, 'push_unavailable', { body: aSubscription() })
  await withoutKeys.close()
})

it.each(ROUTES.filter(([, { idempotent }]) => idempotent))(
  '%s documents the refusal of a cancelled key',
  async (route) => {
    const key = 'a-cancelled-key'
    await member.call('POST /api/commands/cancel', { body: { key } })
    const body = CANCELLED_BODIES[route]
    await expectRefusal(member, route, 'command_cancelled', {
      ...(route === 'POST /api/user/kyc' ? documentForm('%PDF-1.4\n%%EOF\n') : { body }),
      headers: {
        ...(route === 'POST /api/user/kyc' && documentForm('').headers),
        [IDEMPOTENCY_HEADER]: key,
      },
    })
  },
)

it('POST /api/user/kyc documents its codes', async () => {
  const options = documentForm
  const route = 'POST /api/user/kyc'
  const pdf = '%PDF-1.4\n%%EOF\n'
  await expectRefusal(member, route, 'bad_input', options(''))
  await expectRefusal(member, route, 'bad_input', options('x'.repeat(DOCUMENT_BYTES + 1)))
  await expectRefusal(member, route, 'document_refused', options('text'))
  await member.call(route, options(pdf))
  await expectRefusal(member, route, 'kyc_not_open', options(pdf))
})

it('every documented code of a route was provoked, except for rate limits', () => {
  const documentedCodes = ROUTES.flatMap(([route, { errors }]) =>
    errors.filter((code) => code !== 'too_many_requests').map((code) => `${route} ${code}`),
  )
  expect(documentedCodes.filter((code) => !provoked.has(code))).toEqual([])
})
