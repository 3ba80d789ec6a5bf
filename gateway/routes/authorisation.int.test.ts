import { expect, it } from 'vitest'
import type { RouteName } from '#contract/routes'
import { aSubscription } from '#scripts/testing/gateway/push-subscription'
import { useProduct } from '#scripts/testing/gateway/use-product'
import { Visitor } from '#scripts/testing/gateway/visitor'
import { ROUTES } from './index.ts'

/** Routes without sign-in; every other route is for members. */
const PUBLIC_ROUTES = new Set<string>([
  'POST /api/login',
  'POST /api/login/second-factor',
  'POST /api/passkey/options',
  'POST /api/passkey/login',
  'POST /api/register',
  'POST /api/logout',
  'GET /api/check/username/:username',
  'GET /api/check/email/:email',
  'GET /api/check/referral-code/:code',
  'POST /api/verify/send-otp',
  'POST /api/verify/verify-otp',
  'POST /api/password/forgot',
  'POST /api/password/reset',
  'GET /api/app',
  'GET /api/ledger/roots',
  'GET /api/ledger/keys',
] satisfies RouteName[])

const password = 'Correct horse 1'
/** Valid bodies of the members' routes that require one. */
const bodies: Partial<Record<RouteName, object>> = {
  'POST /api/referral/apply-code': { referralCode: 'TESPABC234' },
  'POST /api/referral/wake': { memberId: 1 },
  'POST /api/referral/week': { listing: 'name' },
  'POST /api/tasks/complete': { taskId: 'join_telegram' },
  'POST /api/inbox/read': { row: 0, announcement: 0 },
  'POST /api/commands/cancel': { key: 'key-of-a-command' },
  'PATCH /api/user/profile': { fullName: 'A Name' },
  'POST /api/reminders/mail': { on: true, language: 'en' },
  'POST /api/reminders/kinds': { kind: 'team', on: true, language: 'en' },
  'POST /api/reminders/team': { on: true, language: 'en' },
  'POST /api/reminders/team/block': { blocked: true, language: 'en' },
  'POST /api/reminders/push': aSubscription(),
  'POST /api/reminders/push/remove': { deviceId: 1 },
  'POST /api/user/sign-ins/end': { password, signInId: 'a' },
  'POST /api/user/sign-ins/end-others': { password },
  'POST /api/user/password': { password, newPassword: 'Another horse 2' },
  'POST /api/user/passkeys/options': { password },
  'POST /api/user/passkeys': {
    name: 'Phone',
    id: 'a',
    clientDataJSON: 'a',
    attestationObject: 'a',
  },
  'POST /api/user/passkeys/rename': { passkeyId: 1, name: 'Phone' },
  'POST /api/user/passkeys/remove': { password, passkeyId: 1 },
  'POST /api/user/authenticator/set-up': { password },
  'POST /api/user/authenticator/confirm': { code: '123456' },
  'POST /api/user/authenticator/recovery-codes': { password, code: '123456' },
  'POST /api/user/authenticator/remove': { password, code: '123456' },
  'POST /api/user/export': { password },
  'POST /api/user/delete': { password, confirmation: 'somebody' },
}

const product = useProduct()

const memberRoutes = (Object.keys(ROUTES) as RouteName[]).filter((name) => !PUBLIC_ROUTES.has(name))

it.each(memberRoutes)('%s answers 401 to a visitor', async (route) => {
  const answer = await new Visitor(product).call(route, { body: bodies[route] })
  expect(answer).toMatchObject({
    status: 401,
    body: { message: 'Please sign in', code: 'not_signed_in' },
  })
})

it('every route is either public or for members', () => {
  expect(memberRoutes.length + PUBLIC_ROUTES.size).toBe(Object.keys(ROUTES).length)
})
