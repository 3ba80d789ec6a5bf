import { afterAll, beforeAll, expect, it } from 'vitest'
import type { RouteName } from '#contract/routes'
import { type Product, startProduct } from '#gateway/testing/product'
import { Visitor } from '#gateway/testing/visitor'
import { handlers } from './index.ts'

/** What anybody may ask; every other route is for members. */
const FOR_ANYBODY = new Set<string>([
  'POST /api/login',
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
] satisfies RouteName[])

const password = 'Correct horse 1'
/** A body that is fine, for the routes of members that take one. */
const bodies: Partial<Record<RouteName, object>> = {
  'POST /api/referral/apply-code': { referralCode: 'TESPABC234' },
  'POST /api/tasks/complete': { taskId: 'join_telegram' },
  'PATCH /api/user/profile': { fullName: 'A Name' },
  'POST /api/user/export': { password },
  'POST /api/user/delete': { password, confirmation: 'somebody' },
}

let product: Product

beforeAll(async () => {
  product = await startProduct()
})
afterAll(() => product.close())

const forMembers = (Object.keys(handlers) as RouteName[]).filter((name) => !FOR_ANYBODY.has(name))

it.each(forMembers)('%s asks a visitor to sign in', async (route) => {
  const answer = await new Visitor(product).call(route, { body: bodies[route] })
  expect(answer).toMatchObject({
    status: 401,
    body: { message: 'Please sign in', code: 'not_signed_in' },
  })
})

it('knows every route', () => {
  expect(forMembers.length + FOR_ANYBODY.size).toBe(Object.keys(handlers).length)
})
