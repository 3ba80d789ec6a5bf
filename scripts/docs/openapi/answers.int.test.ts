import { Ajv2020 } from 'ajv/dist/2020.js'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { IDEMPOTENCY_HEADER, type RouteName } from '#contract/routes'
import { sealLedger } from '#db/ledger/seals/seal-steps'
import { inTransaction } from '#db/postgres/statements/transaction'
import type { RouteFacts } from '#gateway/http/route'
import { ROUTES as ALL_ROUTES } from '#gateway/routes/index'
import { addAnnouncement } from '#operators/actions/announcements'
import { MINUTE_MS } from '#rules/constants'
import type { User } from '#rules/members/account-snapshots'
import { advance, freeze } from '#scripts/testing/db/clock'
import { buildWeekBoard } from '#scripts/testing/gateway/build-week-board'
import { turnOnCodes } from '#scripts/testing/gateway/factors/authenticator-app'
import { addPasskey, signInWithPasskey } from '#scripts/testing/gateway/factors/passkey-visitor'
import { SoftwareAuthenticator } from '#scripts/testing/gateway/factors/software-authenticator'
import { type Product, startProduct } from '#scripts/testing/gateway/product'
import { aSubscription } from '#scripts/testing/gateway/push-subscription'
import {
  type Answered,
  type CallOptions,
  PASSWORD,
  Visitor,
} from '#scripts/testing/gateway/visitor'
import { answerSchemas } from './openapi-document.ts'
import { bodyOf } from './testing/refusals.ts'

const ROUTES = Object.entries(ALL_ROUTES) as [RouteName, RouteFacts][]
const PARAMS = { username: 'somebody', email: 'somebody@test.example', code: 'TESPABC234' }
/** A visitor that keeps every answer of status 200. */
class Recorder extends Visitor {
  readonly answers = new Map<RouteName, unknown[]>()

  override async call<R extends RouteName>(route: R, options?: CallOptions): Promise<Answered<R>> {
    const answered = await super.call(route, options)
    if (answered.status === 200) this.record(route, answered.body)
    return answered
  }

  record(route: RouteName, body: unknown): void {
    this.answers.set(route, [...(this.answers.get(route) ?? []), body])
  }
}

let product: Product
let member: Recorder
beforeAll(async () => {
  const bot = { TELEGRAM_BOT_TOKEN: `1:${'a'.repeat(35)}`, TELEGRAM_BOT_NAME: 'tesp_bot' }
  product = await startProduct({ env: bot })
  await freeze(product.db)
  member = new Recorder(product)
})
afterAll(() => product.close())

/** Signs in by passkey and by one-time code, and uses every route that changes them. */
async function useFactors(): Promise<void> {
  const proof = { password: PASSWORD }
  const key = new SoftwareAuthenticator()
  const { body } = await addPasskey(member, key)
  await addPasskey(member, new SoftwareAuthenticator())
  const passkeyId = body.passkeys[0]?.id
  await member.call('POST /api/user/passkeys/rename', { body: { passkeyId, name: 'Old phone' } })
  await signInWithPasskey(member, key)
  const { app, recoveryCodes } = await turnOnCodes(member)
  await member.call('GET /api/user/factors')
  await member.login()
  await member.call('POST /api/login/second-factor', { body: { code: app.code() } })
  const [code] = recoveryCodes
  const { body: renewed } = await member.call('POST /api/user/authenticator/recovery-codes', {
    body: { ...proof, code },
  })
  const off = { ...proof, code: renewed.recoveryCodes[0] }
  await member.call('POST /api/user/authenticator/remove', { body: off })
  await member.call('POST /api/user/passkeys/remove', { body: { ...proof, passkeyId } })
}

/** Uses every route once, so that its answer holds as many values as possible. */
async function useEveryRoute(): Promise<void> {
  const { username, email } = await member.register()
  await member.login()
  await member.call('GET /api/user')
  await member.call('GET /api/check/username/:username', { params: PARAMS })
  await member.call('GET /api/check/email/:email', { params: PARAMS })
  await member.call('GET /api/check/referral-code/:code', { params: PARAMS })
  await member.call('POST /api/mining/start')
  await advance(product.db, 15 * MINUTE_MS)
  await member.call('POST /api/mining/stop')
  await member.call('POST /api/mining/claim')
  await member.call('POST /api/mining/start')
  await member.call('GET /api/mining/status')
  await product.db('users').where({ id: member.user?.id }).update({ teamSize: 1000 })
  await member.call('GET /api/referral/check-milestones')
  const { body } = await member.call('POST /api/referral/generate-code')
  const recruit = new Recorder(product)
  await recruit.register()
  await recruit.call('POST /api/referral/apply-code', { body })
  member.record(
    'POST /api/referral/apply-code',
    recruit.answers.get('POST /api/referral/apply-code')?.[0],
  )
  await member.call('GET /api/referral/info')
  await member.call('GET /api/referral/members')
  await member.call('GET /api/referral/mining')
  await recruit.call('POST /api/reminders/team', { body: { on: true, language: 'en' } })
  const { body: reminded } = await member.call('GET /api/referral/mining')
  await member.call('POST /api/referral/wake', { body: { memberId: reminded.wakeable[0] } })
  await member.call('POST /api/referral/week', { body: { listing: 'anonymous' } })
  await buildWeekBoard(product)
  await member.call('GET /api/referral/week')
  await member.call('POST /api/tasks/complete', { body: { taskId: 'join_telegram' } })
  await member.call('POST /api/commands/cancel', { body: bodyOf('POST /api/commands/cancel') })
  await inTransaction(product.db, (tx) =>
    addAnnouncement(tx, {
      kind: 'news',
      until: new Date(Date.now() + MINUTE_MS).toISOString(),
      texts: { en: 'Hello', vi: 'Xin chào' },
    }),
  )
  await member.call('GET /api/inbox')
  await member.call('GET /api/inbox/state')
  await member.call('POST /api/inbox/read', { body: bodyOf('POST /api/inbox/read') })
  await member.call('GET /api/user/kyc')
  await member.call('GET /api/tasks')
  await member.call('GET /api/telegram')
  await member.call('POST /api/telegram/link')
  await member.call('POST /api/telegram/unlink')
  await member.call('GET /api/tasks/completed')
  await member.call('GET /api/wallet')
  await member.call('GET /api/wallet/activity')
  await member.call('GET /api/wallet/activity/sums', {
    query: { before: '1.1', since: new Date(0).toISOString() },
  })
  await member.call('GET /api/wallet/statement')
  await member.call('GET /api/wallet/earnings')
  await member.call('GET /api/wallet/credits', { query: { id: 'credit:1:1-2' } })
  await sealLedger(product.db)
  await member.call('GET /api/ledger/receipt', { query: { id: 'credit:1:1' } })
  await member.call('GET /api/ledger/roots')
  await member.call('GET /api/ledger/keys')
  await member.call('GET /api/network')
  await member.call('GET /api/app')
  await member.call('PATCH /api/user/profile', { body: { fullName: 'A Name' } })
  await product.db('feature_flags').where({ name: 'kyc' }).update({ enabled: true })
  const form = new FormData()
  form.set('documentType', 'passport')
  form.set('document', new Blob(['%PDF-1.4\n%%EOF\n']), 'scan.pdf')
  const kyc = await member.fetch('/api/user/kyc', 0, { method: 'POST', body: form })
  member.record('POST /api/user/kyc', await kyc.json())
  await member.call('POST /api/user/export', { body: { password: PASSWORD } })
  await useFactors()
  await member.call('GET /api/user/sign-ins')
  await member.call('POST /api/reminders/mail', { body: bodyOf('POST /api/reminders/mail') })
  await member.call('POST /api/reminders/kinds', { body: bodyOf('POST /api/reminders/kinds') })
  await member.call('POST /api/reminders/team', { body: bodyOf('POST /api/reminders/team') })
  await member.call('POST /api/reminders/team/block', {
    body: bodyOf('POST /api/reminders/team/block'),
  })
  const { body: added } = await member.call('POST /api/reminders/push', { body: aSubscription() })
  await member.call('GET /api/reminders')
  const deviceId = added.devices[0]?.id
  await member.call('POST /api/reminders/push/remove', { body: { deviceId } })
  const proof = { password: PASSWORD }
  await member.call('POST /api/user/sign-ins/end', { body: { ...proof, signInId: 'ended' } })
  await member.call('POST /api/user/sign-ins/end-others', { body: proof })
  await member.call('POST /api/user/password', { body: { ...proof, newPassword: PASSWORD } })
  // A second code is sent to an e-mail address after a minute.
  await product.db.raw(`update email_codes set "createdAt" = "createdAt" - interval '2 minutes'`)
  await member.call('POST /api/password/forgot', { body: { email } })
  const reset = { email, otp: await member.codeOf(email), newPassword: PASSWORD }
  await member.call('POST /api/password/reset', { body: reset })
  await member.login()
  await member.call('POST /api/user/delete', {
    body: { password: PASSWORD, confirmation: username },
  })
  await member.call('POST /api/logout')
}

describe('answers of a started product', () => {
  const { properties, definitions } = answerSchemas(true)
  const ajv = new Ajv2020({ allowUnionTypes: true })
  ajv.addVocabulary(['components'])
  // One document, so that what several answers share is compiled once.
  ajv.addSchema({ type: 'object', properties, components: { schemas: definitions } }, 'answers')
  const problems = (route: RouteName, answer: unknown) => {
    const pointer = encodeURIComponent(route.replaceAll('/', '~1'))
    ajv.validate(`answers#/properties/${pointer}`, answer)
    return ajv.errorsText()
  }
  beforeAll(useEveryRoute)

  it.each(ROUTES)('the answer of %s fits its schema', (route) => {
    const answers = member.answers.get(route) ?? []
    expect(answers).not.toEqual([])
    for (const answer of answers) expect(problems(route, answer)).toBe('No errors')
  })

  it('an answer with an undeclared, missing or wrong property is found', () => {
    const [user] = member.answers.get('GET /api/user') as [User]
    const { email: _email, ...without } = user
    expect(problems('GET /api/user', { ...user, more: 1 })).toContain('additional properties')
    expect(problems('GET /api/user', without)).toContain("required property 'email'")
    expect(problems('GET /api/user', { ...user, id: '1' })).toContain('id must be number')
  })
})

describe('the facts about routes', () => {
  let visitor: Visitor
  let caller: Visitor
  const options = (route: RouteName, headers = {}): CallOptions => {
    return { params: PARAMS, headers, body: bodyOf(route) }
  }
  beforeAll(async () => {
    visitor = new Visitor(product)
    caller = new Visitor(product)
    await caller.register()
  })

  it.each(ROUTES)('%s asks for a sign-in only as documented', async (route, { access }) => {
    const { body } = await visitor.call(route, options(route))
    expect(body.code === 'not_signed_in').toBe(access === 'member')
  })

  it.each(ROUTES.filter(([, { access }]) => access === 'member'))(
    '%s reads the idempotency key only as documented',
    async (route, { idempotent = false }) => {
      const { body } = await caller.call(route, options(route, { [IDEMPOTENCY_HEADER]: 'short' }))
      expect(body.message === 'Idempotency-Key is not usable').toBe(idempotent)
    },
  )

  it.each(ROUTES.filter(([route]) => route.startsWith('GET ')))(
    '%s sends its own ETag only as documented',
    async (route, { etag = false }) => {
      const { headers } = await caller.call(route, options(route))
      expect(headers.has('ETag')).toBe(etag)
    },
  )
})
