import { afterEach, expect, it } from 'vitest'
import { HOUR_MS } from '#rules/constants'
import { advance } from '#scripts/testing/db/clock'
import { expectCleanAudit } from '#scripts/testing/gateway/expect-clean-audit'
import { useProduct } from '#scripts/testing/gateway/use-product'
import { newMember, PASSWORD, Visitor } from '#scripts/testing/gateway/visitor'

const product = useProduct({ gateways: 2, frozen: true })

afterEach(() => expectCleanAudit(product))

/** Visitors on both gateways with a verified e-mail each, one after the other: no part of the race. */
async function verified(count: number, prefix: string) {
  const all: { visitor: Visitor; email: string }[] = []
  for (let i = 0; i < count; i++) {
    const visitor = new Visitor(product, i % 2)
    const email = `${prefix}${i}@test.example`
    await visitor.verify(email)
    all.push({ visitor, email })
  }
  return all
}
const register = (visitor: Visitor, body: object) =>
  visitor.call('POST /api/register', { body: { password: PASSWORD, ...body } })
/** Repeats a registration that a busy gateway refuses: one that was refused must have changed nothing. */
async function registerAtLast(visitor: Visitor, body: object) {
  for (;;) {
    const answer = await register(visitor, body)
    if (answer.status !== 503) return answer
  }
}
/** Counts the responses by status and error code. */
const tally = (answers: { status: number; body: { code?: string | undefined } }[]) =>
  Object.fromEntries(
    [...new Set(answers.map(({ status, body }) => `${status} ${body.code ?? ''}`.trim()))].map(
      (kind) => [
        kind,
        answers.filter(({ status, body }) => `${status} ${body.code ?? ''}`.trim() === kind).length,
      ],
    ),
  )

it('12 parallel registrations of one name in any case make one member', async () => {
  const visitors = await verified(12, 'name')
  const answers = await Promise.all(
    visitors.map(({ visitor, email }, i) =>
      register(visitor, { username: i % 2 ? 'Wanted' : 'WANTED', email }),
    ),
  )
  expect(tally(answers)).toEqual({ '200': 1, '409 username_taken': 11 })
})

it('two parallel registrations of one e-mail make one member', async () => {
  const [first, second] = [new Visitor(product, 0), new Visitor(product, 1)]
  await first.verify('shared@test.example')
  await product.db.raw(`update email_codes set "createdAt" = "createdAt" - interval '2 minutes'`)
  await second.verify('SHARED@test.example')
  const answers = await Promise.all([
    register(first, { username: 'shared1', email: 'shared@test.example' }),
    register(second, { username: 'shared2', email: 'SHARED@test.example' }),
  ])
  expect(tally(answers)).toEqual({ '200': 1, '409 email_taken': 1 })
})

it('ten parallel registrations of one browser make one member', async () => {
  const [{ visitor, email } = { visitor: new Visitor(product), email: '' }] = await verified(1, 'x')
  const answers = await Promise.all(
    Array.from({ length: 10 }, (_, i) => register(visitor, { username: `many${i}`, email })),
  )
  expect(tally(answers)).toMatchObject({ '200': 1 })
  expect(answers.filter(({ status }) => status >= 500)).toEqual([])
  expect(await product.db('users').where({ emailKey: email })).toHaveLength(1)
})

it('50 parallel registrations with one code all count, and the owner’s rate rises', async () => {
  const owner = await newMember(product)
  await product.db('users').where({ id: owner.user?.id }).update({ referralCode: 'TESPFAM0US' })
  await owner.call('POST /api/mining/start')
  await advance(product.db, HOUR_MS)
  const visitors = await verified(50, 'fan')
  const answers = await Promise.all(
    visitors.map(({ visitor, email }, i) =>
      registerAtLast(visitor, { username: `fan${i}`, email, referralCode: 'tesp-fam0us' }),
    ),
  )
  expect(tally(answers)).toEqual({ '200': 50 })
  const row = await product.db('users').where({ id: owner.user?.id }).first()
  expect(row).toMatchObject({ teamSize: 50, miningBoost: '2.50000000' })
  const rewards = await product.db('referral_rewards').where({ userId: owner.user?.id })
  expect(rewards).toHaveLength(50)
  const status = (await owner.call('GET /api/mining/status')).body
  expect(status).toMatchObject({ miningBoost: 2.5, session: { hashRate: '0.35000000' } })
  expect(await owner.balances()).toMatchObject({ tesp: '0.10000000' })
  await advance(product.db, HOUR_MS)
  await owner.call('POST /api/mining/stop')
  expect(await owner.balances()).toMatchObject({ tesp: '0.45000000' })
})
