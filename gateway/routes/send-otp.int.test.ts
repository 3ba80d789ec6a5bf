import { describe, expect, it } from 'vitest'
import { refuseAddress } from '#db/members/refused-addresses'
import { inTransaction } from '#db/postgres/statements/transaction'
import { ageCodes, newEmail } from '#scripts/testing/gateway/email-codes'
import { stranger } from '#scripts/testing/gateway/strangers'
import { useProduct } from '#scripts/testing/gateway/use-product'
import type { Visitor } from '#scripts/testing/gateway/visitor'

const product = useProduct({
  env: { TRUSTED_PROXIES: '127.0.0.1', OTP_PER_ADDRESS_HOUR: '8' },
})
const send = (visitor: Visitor, email: string) =>
  visitor.call('POST /api/verify/send-otp', { body: { email } })

describe('POST /api/verify/send-otp', () => {
  it('a six-digit code is mailed to the e-mail as written', async () => {
    const visitor = stranger(product)
    expect(await send(visitor, 'Zoe.X@Test.example')).toMatchObject({
      status: 200,
      body: { ok: true, message: 'OTP code has been sent to your email' },
    })
    expect(await visitor.codeOf('Zoe.X@Test.example')).toMatch(/^\d{6}$/)
  })

  it('codes and mails are stored encrypted', async () => {
    const email = newEmail()
    const visitor = stranger(product)
    await send(visitor, email)
    const code = await visitor.codeOf(email)
    const { rows } = await product.db.raw(
      `select to_jsonb(c)::text || to_jsonb(m)::text as stored, m.sealed from email_codes c, mails m
       where c."emailKey" = :email and m.recipient = :email`,
      { email },
    )
    expect(rows[0].stored).not.toContain(code)
    expect(rows[0].sealed.toString('latin1')).not.toContain(code)
  })

  it('a malformed e-mail is rejected', async () => {
    for (const email of ['', 'nobody', 'a@', `${'x'.repeat(250)}@test.example`]) {
      expect(await send(stranger(product), email)).toMatchObject({
        status: 400,
        body: {
          message: 'Please enter a valid email address',
          fields: { email: 'Please enter a valid email address' },
        },
      })
    }
  })

  it('an address that refuses mails gets none, and the visitor is told how to go on', async () => {
    const email = newEmail()
    await inTransaction(product.db, (tx) => refuseAddress(tx, { email, reason: 'x', fact: 1 }))
    const answer = await send(stranger(product), email.toUpperCase())
    expect(answer).toMatchObject({ status: 409, body: { code: 'email_refused' } })
    expect(answer.body.message).toMatch(/Check the spelling or use another address/)
    expect(await product.db('mails').where({ recipientKey: email })).toEqual([])
  })

  it('the address of a member gets no code, so strangers cannot delay its password reset', async () => {
    const email = newEmail()
    await stranger(product).register({ email })
    await product.db('email_codes').delete()
    expect(await send(stranger(product), email.toUpperCase())).toMatchObject({
      status: 409,
      body: { message: 'Email is already in use', code: 'email_taken' },
    })
    expect(await product.db('email_codes').where({ emailKey: email })).toEqual([])
  })

  it('a second code within 60 seconds is rejected', async () => {
    const email = newEmail()
    await send(stranger(product), email)
    const soon = await send(stranger(product), email.toUpperCase())
    expect(soon).toMatchObject({ status: 429, body: { code: 'otp_too_soon' } })
    expect(soon.body.message).toMatch(/^Please wait (60|5\d)s before asking again$/)
    expect(Number(soon.headers.get('Retry-After'))).toBeGreaterThan(50)
    await ageCodes(product, email, 1.01)
    expect((await send(stranger(product), email)).status).toBe(200)
  })

  it('an e-mail gets at most five codes an hour', async () => {
    const email = newEmail()
    for (let i = 0; i < 5; i++) {
      expect((await send(stranger(product), email)).status).toBe(200)
      await ageCodes(product, email, 2)
    }
    const sixth = await send(stranger(product), email)
    expect(sixth).toMatchObject({
      status: 429,
      body: { message: 'Too many codes for this email address', code: 'otp_too_soon' },
    })
    expect(Number(sixth.headers.get('Retry-After'))).toBeGreaterThan(45 * 60)
    await ageCodes(product, email, 55)
    expect((await send(stranger(product), email)).status).toBe(200)
  })

  it('two parallel requests send one code', async () => {
    const email = newEmail()
    const visitor = stranger(product)
    const answers = await Promise.all([send(visitor, email), send(visitor, email)])
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 429])
  })

  it('an IP address gets a limited number of codes an hour', async () => {
    const visitor = stranger(product)
    for (let i = 0; i < 8; i++) expect((await send(visitor, newEmail())).status).toBe(200)
    expect(await send(visitor, newEmail())).toMatchObject({
      status: 429,
      body: { message: 'Too many requests. Please try again later', code: 'too_many_requests' },
    })
    expect((await send(stranger(product), newEmail())).status).toBe(200)
  })
})
