import { afterAll, beforeAll, expect, it } from 'vitest'
import { newestMails } from '#db/mails'
import { type Product, startProduct } from '#gateway/testing/product'
import { newMember, Visitor } from '#gateway/testing/visitor'
import { NO_LIMITS } from './accounts.ts'
import { INJECTIONS, UNICODE } from './naughty-values.ts'
import { tableDigests } from './table-digests.ts'

/** Where any text may stand, odd text is text like other: kept as it is, and nothing else happens. */

let product: Product
beforeAll(async () => {
  product = await startProduct({ env: NO_LIMITS })
})
afterAll(() => product.close())

it('a profile keeps any text as it was written, and nothing else changes', async () => {
  const member = await newMember(product)
  const { users: _, ...before } = await tableDigests(product.db)
  for (const text of Object.values({ ...INJECTIONS, ...UNICODE })) {
    const fullName = text.slice(0, 100)
    const phone = text.slice(0, 32)
    const answer = await member.call('PATCH /api/user/profile', { body: { fullName, phone } })
    const kept = { fullName: fullName.trim() || null, phone: phone.trim() || null }
    expect(answer).toMatchObject({ status: 200, body: { ...member.user, ...kept } })
    expect((await member.call('GET /api/user')).body).toEqual({ ...member.user, ...kept })
  }
  const { users: __, ...after } = await tableDigests(product.db)
  expect(after).toEqual(before)
  expect(await product.db('users').where({ id: member.user?.id })).toHaveLength(1)
})

it('an odd address that is one gets a code, and nobody else a mail', async () => {
  const locals = ["o'or'1'='1", "x'--", '%s%n%x', '$gt', '{{7*7}}', '*|uid=*', '__proto__', '`id`']
  for (const local of locals) {
    const email = `${local}@test.example`
    const count = await product.db('mails').count().first()
    const answer = await new Visitor(product).call('POST /api/verify/send-otp', { body: { email } })
    expect({ local, status: answer.status }).toEqual({ local, status: 200 })
    const [newest] = await newestMails(product.db, product.config.dataKey, 1)
    expect(newest?.to).toBe(email)
    expect(Number((await product.db('mails').count().first())?.count)).toBe(
      Number(count?.count) + 1,
    )
  }
})
