import { describe, expect, it } from 'vitest'
import { ageCodes, newEmail } from '#scripts/testing/gateway/email-codes'
import { stranger } from '#scripts/testing/gateway/strangers'
import { useProduct } from '#scripts/testing/gateway/use-product'
import { PASSWORD, type Visitor } from '#scripts/testing/gateway/visitor'

const product = useProduct({
  env: { TRUSTED_PROXIES: '127.0.0.1', OTP_PER_ADDRESS_HOUR: '8' },
})
const send = (visitor: Visitor, email: string) =>
  visitor.call('POST /api/verify/send-otp', { body: { email } })
const verify = (visitor: Visitor, email: string, otp: string) =>
  visitor.call('POST /api/verify/verify-otp', { body: { email, otp } })
const invalid = { status: 400, body: { message: 'Invalid OTP code', code: 'otp_invalid' } }
const usedUp = {
  status: 400,
  body: { message: 'This code is used up. Request a new one.', code: 'otp_used_up' },
}
const wrongCode = (code: string) => String((Number(code) + 1) % 1_000_000).padStart(6, '0')

describe('POST /api/verify/verify-otp', () => {
  it('an e-mail code is accepted once', async () => {
    const email = newEmail()
    const visitor = stranger(product)
    await send(visitor, email)
    const code = await visitor.codeOf(email)
    expect(
      await verify(visitor, email.toUpperCase(), ` ${code.slice(0, 3)} ${code.slice(3)}`),
    ).toMatchObject({
      status: 200,
      body: { ok: true, message: 'OTP code has been verified successfully' },
    })
    expect(await verify(visitor, email, code)).toMatchObject(invalid)
  })

  it('five wrong tries use a code up, and a new code is accepted', async () => {
    const email = newEmail()
    const visitor = stranger(product)
    await send(visitor, email)
    const code = await visitor.codeOf(email)
    for (let i = 0; i < 4; i++) {
      expect(await verify(visitor, email, wrongCode(code))).toMatchObject(invalid)
    }
    expect(await verify(visitor, email, wrongCode(code))).toMatchObject(usedUp)
    expect(await verify(visitor, email, code)).toMatchObject(usedUp)
    await ageCodes(product, email, 1.01)
    await send(visitor, email)
    expect((await verify(visitor, email, await visitor.codeOf(email))).status).toBe(200)
  })

  it('a used-up code is reported only to the browser that requested it', async () => {
    const email = newEmail()
    const visitor = stranger(product)
    await send(visitor, email)
    const code = await visitor.codeOf(email)
    for (let i = 0; i < 5; i++) await verify(visitor, email, wrongCode(code))
    expect(await verify(stranger(product), email, code)).toMatchObject(invalid)
  })

  it('guesses and requests of another browser leave the code valid', async () => {
    const email = newEmail()
    const visitor = stranger(product)
    await send(visitor, email)
    const code = await visitor.codeOf(email)
    for (let i = 0; i < 6; i++) await verify(stranger(product), email, wrongCode(code))
    await send(stranger(product), email)
    expect((await verify(visitor, email, code)).status).toBe(200)
  })

  it('a code is accepted after four wrong tries', async () => {
    const email = newEmail()
    const visitor = stranger(product)
    await send(visitor, email)
    const code = await visitor.codeOf(email)
    for (let i = 0; i < 4; i++) await verify(visitor, email, wrongCode(code))
    expect((await verify(visitor, email, code)).status).toBe(200)
  })

  it('parallel wrong tries are all counted', async () => {
    const email = newEmail()
    const visitor = stranger(product)
    await send(visitor, email)
    const code = await visitor.codeOf(email)
    await Promise.all(Array.from({ length: 5 }, () => verify(visitor, email, wrongCode(code))))
    expect(await verify(visitor, email, code)).toMatchObject(usedUp)
  })

  it('an e-mail code is rejected in another browser', async () => {
    const email = newEmail()
    const visitor = stranger(product)
    await send(visitor, email)
    expect(await verify(stranger(product), email, await visitor.codeOf(email))).toMatchObject(
      invalid,
    )
  })

  it('a browser that asked for no code is refused and gets no session', async () => {
    const visitor = stranger(product)
    expect(await verify(visitor, newEmail(), '123456')).toMatchObject(invalid)
    const body = { email: newEmail(), otp: '123456', newPassword: PASSWORD }
    expect(await visitor.call('POST /api/password/reset', { body })).toMatchObject(invalid)
    expect(visitor.jar.header()).toBeUndefined()
  })

  it('an expired code and a replaced code are rejected', async () => {
    const [old, replaced] = [newEmail(), newEmail()]
    const visitor = stranger(product)
    await send(visitor, old)
    await ageCodes(product, old, 10.01)
    expect(await verify(visitor, old, await visitor.codeOf(old))).toMatchObject(invalid)
    await send(visitor, replaced)
    const first = await visitor.codeOf(replaced)
    await ageCodes(product, replaced, 1.01)
    await send(visitor, replaced)
    const second = await visitor.codeOf(replaced)
    if (first !== second) expect(await verify(visitor, replaced, first)).toMatchObject(invalid)
    expect((await verify(visitor, replaced, second)).status).toBe(200)
  })

  it('an empty code is rejected', async () => {
    expect(await verify(stranger(product), newEmail(), '')).toMatchObject({
      status: 400,
      body: { message: 'Please enter OTP code' },
    })
  })
})

it('a verified e-mail can be registered for 30 minutes', async () => {
  const [fresh, stale] = [newEmail(), newEmail()]
  const body = (email: string) => ({ username: email.split('@')[0], email, password: PASSWORD })
  for (const [email, minutes, status] of [
    [fresh, 29.5, 200],
    [stale, 30.1, 400],
  ] as const) {
    const visitor = stranger(product)
    await visitor.verify(email)
    await ageCodes(product, email, minutes)
    expect((await visitor.call('POST /api/register', { body: body(email) })).status).toBe(status)
  }
})
