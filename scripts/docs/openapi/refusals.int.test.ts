import { beforeAll, it } from 'vitest'
import { DOCUMENT_BYTES } from '#contract/forms/document'
import { bodies, IDEMPOTENCY_HEADER, type RouteName } from '#contract/routes'
import { linkTelegram, newLinkCode } from '#db/members/telegram'
import { inTransaction } from '#db/postgres/statements/transaction'
import type { RouteFacts } from '#gateway/http/route'
import { ROUTES as ALL_ROUTES } from '#gateway/routes/index'
import { MINUTE_MS } from '#rules/constants'
import { advance } from '#scripts/testing/db/clock'
import { insertTask } from '#scripts/testing/db/tasks'
import { startProduct } from '#scripts/testing/gateway/product'
import { aSubscription } from '#scripts/testing/gateway/push-subscription'
import { useProduct } from '#scripts/testing/gateway/use-product'
import { type CallOptions, newMember, PASSWORD, Visitor } from '#scripts/testing/gateway/visitor'
import { botApi } from '#scripts/testing/workers/bot-api'
import { bodyOf, Refusals, SIGN_IN_ROUTES } from './testing/refusals.ts'

const ROUTES = Object.entries(ALL_ROUTES) as [RouteName, RouteFacts][]
/** sign-in-refusals.int.test.ts provokes the codes of these. */
const ELSEWHERE = Object.keys(SIGN_IN_ROUTES)

const product = useProduct({ frozen: true })
const member = new Visitor(product)
beforeAll(() => member.becomeNewMember())
const refusals = new Refusals()
const expectRefusal = refusals.expect

/** The options of a call that uploads a document with this text. */
function documentForm(text: string): CallOptions {
  const part = (headers: string, value: string) => `--form\r\n${headers}\r\n\r\n${value}\r\n`
  const type = part('Content-Disposition: form-data; name="documentType"', 'passport')
  const file = 'Content-Disposition: form-data; name="document"; filename="a.pdf"'
  const headers = { 'Content-Type': 'multipart/form-data; boundary=form' }
  const typed = `${file}\r\nContent-Type: application/pdf`
  return { headers, body: `${type}${part(typed, text)}--form--\r\n` }
}

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

it('the routes that ask for the password document a wrong one', async () => {
  const proof = { password: 'a wrong password', confirmation: member.user?.username }
  await expectRefusal(member, 'POST /api/user/delete', 'wrong_password', { body: proof })
  const password = { password: 'a wrong password' }
  await expectRefusal(member, 'POST /api/user/export', 'wrong_password', { body: password })
  const end = { ...password, signInId: 'ended' }
  await expectRefusal(member, 'POST /api/user/sign-ins/end', 'wrong_password', { body: end })
  const endOthers = 'POST /api/user/sign-ins/end-others'
  await expectRefusal(member, endOthers, 'wrong_password', { body: password })
  const change = { ...password, newPassword: PASSWORD }
  await expectRefusal(member, 'POST /api/user/password', 'wrong_password', { body: change })
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
  await insertTask(product.db, { id: 'over', ends: new Date(0) })
  await insertTask(product.db, { id: 'full', cap: 1, claimed: 1 })
  await insertTask(product.db, { id: 'guarded', check: 'code', code: 'mint' })
  for (const [taskId, code] of [
    ['over', 'task_ended'],
    ['full', 'task_full'],
    ['guarded', 'task_code_wrong'],
  ] as const) {
    await expectRefusal(member, 'POST /api/tasks/complete', code, { body: { taskId } })
  }
  const headers = { Origin: 'https://other.example' }
  await expectRefusal(member, 'GET /api/referral/check-milestones', 'cross_site', { headers })
})

it('the routes of Telegram accounts document their codes', async () => {
  const route = 'POST /api/tasks/complete'
  await expectRefusal(member, 'POST /api/telegram/link', 'telegram_unavailable')
  const telegram = await botApi()
  const withBot = await startProduct({ env: telegram.env })
  try {
    const joins = { id: 'channel', check: 'telegram', chat: '@tesp_news' }
    const body = { taskId: 'channel' }
    const who = await newMember(withBot)
    const id = who.user?.id ?? 0
    await insertTask(withBot.db, joins)
    await expectRefusal(who, route, 'telegram_not_linked', { body })
    await inTransaction(withBot.db, async (tx) => {
      const code = await newLinkCode(tx, withBot.config.dataKey, id)
      await linkTelegram(tx, withBot.config.dataKey, code, { id: 7, name: '@mara' })
    })
    await expectRefusal(who, route, 'telegram_not_member', { body })
    telegram.fault = { status: 502, description: 'Bad Gateway' }
    await expectRefusal(who, route, 'telegram_unavailable', { body })
    const account = await withBot.db('telegram_accounts').first('accountHash')
    await withBot.db('telegram_claims').insert({ taskId: 'channel', ...account })
    await expectRefusal(who, route, 'telegram_account_used', { body })
  } finally {
    await withBot.close()
    await telegram.close()
  }
})

it('the routes of reminders and boards of a team document their codes', async () => {
  await expectRefusal(member, 'GET /api/referral/week', 'board_unavailable')
  const route = 'POST /api/referral/wake'
  await expectRefusal(member, route, 'not_found', { body: { memberId: 2_000_000_000 } })
  const recruit = await newMember(product)
  const { body: code } = await member.call('POST /api/referral/generate-code')
  await recruit.call('POST /api/referral/apply-code', { body: code })
  const body = { memberId: recruit.user?.id }
  await expectRefusal(member, route, 'reminder_refused', { body })
  await recruit.call('POST /api/reminders/team', { body: { on: true, language: 'en' } })
  await member.call(route, { body })
  await expectRefusal(member, route, 'reminder_repeated', { body })
  await recruit.call('POST /api/mining/start')
  await expectRefusal(member, route, 'member_mining', { body })
})

it('POST /api/reminders/push documents its codes', async () => {
  const route = 'POST /api/reminders/push'
  const body = aSubscription('https://127.0.0.1/')
  await expectRefusal(member, route, 'subscription_refused', { body })
  const withoutKeys = await startProduct({ env: { VAPID_PRIVATE_KEY: '' } })
  const other = await newMember(withoutKeys)
  await expectRefusal(other, route, 'push_unavailable', { body: aSubscription() })
  await withoutKeys.close()
})

it.each(ROUTES.filter(([, { idempotent }]) => idempotent))(
  '%s documents the refusal of a cancelled key',
  async (route) => {
    const key = 'a-cancelled-key'
    await member.call('POST /api/commands/cancel', { body: { key } })
    // The password is checked before the key.
    const change = { password: PASSWORD, newPassword: 'Another horse 2' }
    const body = route === 'POST /api/user/password' ? change : bodyOf(route)
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
  await product.db('feature_flags').where({ name: 'kyc' }).update({ enabled: true })
  await member.call(route, options(pdf))
  await expectRefusal(member, route, 'kyc_not_open', options(pdf))
})

refusals.expectAll(Object.fromEntries(ROUTES.filter(([route]) => !ELSEWHERE.includes(route))))
