import { expect, it } from 'vitest'
import { newestMails } from '#db/mails'
import { useProduct } from '#scripts/testing/gateway/use-product'
import { newMember, Visitor } from '#scripts/testing/gateway/visitor'
import { INJECTIONS, UNICODE } from './cases/corpus.ts'
import { NO_LIMITS } from './harness/accounts.ts'
import { tableDigests } from './harness/table-digests.ts'

const product = useProduct({ env: NO_LIMITS })

it('profile texts are stored verbatim and change no other table', async () => {
  const member = await newMember(product)
  const { users: _, ...before } = await tableDigests(product.db)
  for (const text of Object.values({ ...INJECTIONS, ...UNICODE })) {
    const fullName = text.slice(0, 100)
    const phone = text.slice(0, 32)
    const response = await member.call('PATCH /api/user/profile', { body: { fullName, phone } })
    const stored = { fullName: fullName.trim() || null, phone: phone.trim() || null }
    expect(response).toMatchObject({ status: 200, body: { ...member.user, ...stored } })
    expect((await member.call('GET /api/user')).body).toEqual({ ...member.user, ...stored })
  }
  const { users: __, ...after } = await tableDigests(product.db)
  expect(after).toEqual(before)
  expect(await product.db('users').where({ id: member.user?.id })).toHaveLength(1)
})

it('a code for an unusual e-mail address is mailed to that address only', async () => {
  const locals = ["o'or'1'='1", "x'--", '%s%n%x', '$gt', '{{7*7}}', '*|uid=*', '__proto__', '`id`']
  for (const local of locals) {
    const email = `${local}@test.example`
    const count = await product.db('mails').count().first()
    const response = await new Visitor(product).call('POST /api/verify/send-otp', {
      body: { email },
    })
    expect({ local, status: response.status }).toEqual({ local, status: 200 })
    const [newest] = await newestMails(product.db, product.config.dataKey, 1)
    expect(newest?.to).toBe(email)
    expect(Number((await product.db('mails').count().first())?.count)).toBe(
      Number(count?.count) + 1,
    )
  }
})
