import { beforeEach, expect, it } from 'vitest'
import { newestMails } from '#db/mails'
import { deleteMember } from '#db/members/deletion'
import { waitingForMembers } from '#scripts/testing/db/statements/waiting-for-rows'
import { useProduct } from '#scripts/testing/gateway/use-product'
import { newMember, PASSWORD, Visitor } from '#scripts/testing/gateway/visitor'

const NEW = 'Another horse 2'
const product = useProduct()
let member: Visitor
let email: string

beforeEach(async () => {
  member = await newMember(product)
  email = member.user?.email ?? ''
  await minutesPass()
})

/** Moves the codes two minutes into the past, beyond the wait between two codes. */
const minutesPass = () =>
  product.db.raw(`update email_codes set "createdAt" = "createdAt" - interval '2 minutes'`)
const forgot = (visitor: Visitor, to: string) =>
  visitor.call('POST /api/password/forgot', { body: { email: to } })
const reset = (visitor: Visitor, otp: string, change = {}) =>
  visitor.call('POST /api/password/reset', {
    body: { email, otp, newPassword: NEW, ...change },
  })
const usedUp = {
  status: 400,
  body: { message: 'This code is used up. Request a new one.', code: 'otp_used_up' },
}
const invalid = { status: 400, body: { message: 'Invalid OTP code', code: 'otp_invalid' } }

it('a password reset sets the new password and ends every sign-in', async () => {
  const phone = await member.otherDevice()
  const visitor = new Visitor(product)
  await forgot(visitor, email.toUpperCase())
  expect(await reset(visitor, await visitor.codeOf(email))).toMatchObject({
    status: 200,
    body: { success: true, message: 'You can now log in with your new password' },
  })
  expect((await member.call('GET /api/user')).status).toBe(401)
  expect((await phone.call('GET /api/user')).status).toBe(401)
  expect((await visitor.login(email, PASSWORD)).status).toBe(401)
  expect((await visitor.login(email, NEW)).status).toBe(200)
})

it('a password reset sends a mail about it', async () => {
  const visitor = new Visitor(product)
  await forgot(visitor, email)
  await reset(visitor, await visitor.codeOf(email))
  const [mail] = await newestMails(product.db, product.config.dataKey, 1)
  expect(mail).toMatchObject({ to: email, subject: 'TESP Network: your password was reset' })
  expect(mail?.text).not.toContain(NEW)
})

it('registered and unknown e-mails get the same answer, after 250 ms at the earliest', async () => {
  const answer = async (to: string) => {
    const started = performance.now()
    const { status, body } = await forgot(new Visitor(product), to)
    return { status, body, ms: performance.now() - started }
  }
  const [registered, unknown] = [await answer(email), await answer('nobody@test.example')]
  expect(registered).toMatchObject({
    status: 200,
    body: {
      success: true,
      message: 'If your email is registered, you will receive password reset instructions',
    },
  })
  expect([unknown.status, unknown.body]).toEqual([registered.status, registered.body])
  expect(Math.min(registered.ms, unknown.ms)).toBeGreaterThan(240)
  expect(await product.db('mails').where({ recipient: 'nobody@test.example' })).toEqual([])
  const again = await Promise.all([email, 'nobody@test.example'].map(answer))
  expect(again.map(({ status }) => status)).toEqual([429, 429])
})

it('a browser with a device cookie gets a code even after strangers used up the hourly limit', async () => {
  await product.db.raw(`update email_codes set "createdAt" = now() - interval '2 hours'`)
  for (let i = 0; i < 5; i++) {
    expect((await forgot(new Visitor(product), email)).status).toBe(200)
    await minutesPass()
  }
  expect((await forgot(new Visitor(product), email)).status).toBe(429)
  await member.call('POST /api/logout')
  for (let i = 0; i < 5; i++) {
    expect((await forgot(member, email)).status).toBe(200)
    expect((await forgot(member, email)).status).toBe(429)
    await minutesPass()
  }
  expect((await forgot(member, email)).status).toBe(429)
  // Without the session, the codes still count for the device cookie.
  member.jar.delete('tesp')
  expect((await forgot(member, email)).status).toBe(429)
})

it('reset codes that strangers ask for do not delay a registration', async () => {
  const newcomer = 'waits@test.example'
  for (let i = 0; i < 5; i++) {
    expect((await forgot(new Visitor(product), newcomer)).status).toBe(200)
    await minutesPass()
  }
  expect((await forgot(new Visitor(product), newcomer)).status).toBe(429)
  const ask = { body: { email: newcomer } }
  expect((await new Visitor(product).call('POST /api/verify/send-otp', ask)).status).toBe(200)
})

it('a code that waits for a deletion of its member is not mailed', async () => {
  const { db, config } = product
  const deletion = await db.transaction()
  await deleteMember(deletion, config.dataKey, { memberId: member.user?.id ?? 0, epoch: 0 })
  const asked = forgot(new Visitor(product), email)
  await expect.poll(() => waitingForMembers(db)).toBe(1)
  await deletion.commit()
  expect((await asked).status).toBe(200)
  expect(await db('mails').where({ recipient: email })).toEqual([])
})

it('a password reset sets the device cookie of the browser', async () => {
  const visitor = new Visitor(product)
  await forgot(visitor, email)
  await reset(visitor, await visitor.codeOf(email))
  const stranger = new Visitor(product)
  for (let i = 0; i < 10; i++) await stranger.login(email, `guess ${i}`)
  expect((await stranger.login(email, NEW)).status).toBe(429)
  expect((await visitor.login(email, NEW)).status).toBe(200)
})

it('a reset code works once, in its own browser and for a reset only', async () => {
  const visitor = new Visitor(product)
  await forgot(visitor, email)
  const otp = await visitor.codeOf(email)
  expect(await reset(new Visitor(product), otp)).toMatchObject(invalid)
  const verify = { body: { email, otp } }
  expect((await visitor.call('POST /api/verify/verify-otp', verify)).status).toBe(400)
  expect((await reset(visitor, otp)).status).toBe(200)
  expect(await reset(visitor, otp)).toMatchObject(invalid)
})

it('five wrong tries use a reset code up', async () => {
  const visitor = new Visitor(product)
  await forgot(visitor, email)
  const otp = await visitor.codeOf(email)
  const wrong = String((Number(otp) + 1) % 1_000_000).padStart(6, '0')
  for (let i = 0; i < 4; i++) expect(await reset(visitor, wrong)).toMatchObject(invalid)
  expect(await reset(visitor, wrong)).toMatchObject(usedUp)
  expect(await reset(visitor, otp)).toMatchObject(usedUp)
  expect((await member.call('GET /api/user')).status).toBe(200)
})

it('five wrong tries for an unknown e-mail get the same answers as for a registered one', async () => {
  const visitor = new Visitor(product)
  await forgot(visitor, 'nobody@test.example')
  const guess = { email: 'nobody@test.example' }
  // A right guess would answer otp_invalid too, since there is no member.
  for (let i = 0; i < 4; i++) expect(await reset(visitor, '000000', guess)).toMatchObject(invalid)
  expect(await reset(visitor, '000000', guess)).toMatchObject(usedUp)
})

it('registration and reset count their 60 seconds apart', async () => {
  const visitor = new Visitor(product)
  const newcomer = 'newcomer@test.example'
  const sendOtp = () => visitor.call('POST /api/verify/send-otp', { body: { email: newcomer } })
  expect((await sendOtp()).status).toBe(200)
  expect((await forgot(visitor, newcomer)).status).toBe(200)
  expect((await sendOtp()).status).toBe(429)
  expect((await forgot(visitor, newcomer)).status).toBe(429)
})

it('invalid fields of a reset are reported with their messages', async () => {
  const visitor = new Visitor(product)
  expect(await forgot(visitor, 'nobody')).toMatchObject({
    status: 400,
    body: { message: 'Invalid email address' },
  })
  expect(await reset(visitor, '123', { newPassword: 'short' })).toMatchObject({
    status: 400,
    body: {
      fields: {
        otp: 'OTP code must be at least 6 characters',
        newPassword: 'Password must be at least 8 characters',
      },
    },
  })
})
