import { describe, expect, it } from 'vitest'
import { aSubscription } from '#scripts/testing/gateway/push-subscription'
import { useMember, useProduct } from '#scripts/testing/gateway/use-product'
import { newMember, PASSWORD, type Visitor } from '#scripts/testing/gateway/visitor'

const product = useProduct({ gateways: 2 })
const withoutKeys = useProduct({ env: { VAPID_PRIVATE_KEY: '' } })
const member = useMember(product)

const PHONE = { 'User-Agent': 'Mozilla/5.0 (Linux; Android 15) Chrome/147.0.0.0 Mobile' }

const read = async (who: Visitor = member) => (await who.call('GET /api/reminders')).body
const addDevice = (who: Visitor = member, body: object = aSubscription(), headers = {}) =>
  who.call('POST /api/reminders/push', { body: { language: 'en', ...body }, headers })
const byMail = (on: boolean, who: Visitor = member) =>
  who.call('POST /api/reminders/mail', { body: { on, language: 'vi' } })
const stored = () =>
  product.db('push_subscriptions').where({ userId: member.user?.id }).orderBy('id')

describe('reminder settings', () => {
  it('nothing is switched on for a new member', async () => {
    expect(await read()).toEqual({
      mail: false,
      team: { on: false, inviter: null, blocked: false },
      kinds: null,
      pushKey: product.config.vapidPublicKey,
      devices: [],
    })
  })

  it('reminders by mail are switched on and off, in the language of the screen', async () => {
    expect((await byMail(true)).body.mail).toBe(true)
    const row = product.db('reminder_preferences').where({ userId: member.user?.id }).first()
    expect(await row).toMatchObject({ mail: true, language: 'vi' })
    expect((await byMail(false)).body.mail).toBe(false)
    expect((await read()).mail).toBe(false)
  })

  it('each kind is switched on and off for itself, and a no without a choice is remembered', async () => {
    const choose = async (kind: string, on: boolean) =>
      (await member.call('POST /api/reminders/kinds', { body: { kind, on, language: 'vi' } })).body
    expect((await choose('session', false)).kinds).toEqual([])
    expect((await choose('team', true)).kinds).toEqual(['team'])
    await Promise.all(['milestone', 'sign-in', 'announcement'].map((kind) => choose(kind, true)))
    await choose('team', false)
    expect((await read()).kinds).toEqual(['milestone', 'sign-in', 'announcement'])
    await byMail(true)
    expect((await read()).kinds).toHaveLength(3)
    const unknown = { kind: 'swap', on: true, language: 'en' }
    expect((await member.call('POST /api/reminders/kinds', { body: unknown })).status).toBe(400)
  })

  it('a device that was added before there was a choice keeps the end of sessions', async () => {
    await addDevice()
    const body = { kind: 'team', on: true, language: 'en' }
    const { body: settings } = await member.call('POST /api/reminders/kinds', { body })
    expect(settings.kinds).toEqual(['session', 'team'])
  })

  it('a member changes only their own settings', async () => {
    const other = await newMember(product)
    await addDevice(other)
    await byMail(true, other)
    expect(await read()).toMatchObject({ mail: false, devices: [] })
    const deviceId = (await read(other)).devices[0]?.id
    await member.call('POST /api/reminders/push/remove', { body: { deviceId } })
    expect((await read(other)).devices).toHaveLength(1)
  })
})

describe('devices with notifications', () => {
  it('a device has the name of its browser and is marked as this one', async () => {
    const { body } = await addDevice(member, aSubscription(), PHONE)
    const time = expect.stringMatching(/^\d{4}-\d\d-\d\dT.*Z$/)
    const device = { id: expect.any(Number), device: 'Chrome on Android', addedAt: time }
    expect(body.devices).toEqual([{ ...device, current: true }])
    const other = await member.otherDevice(1)
    expect((await read(other)).devices).toEqual([{ ...device, current: false }])
  })

  it('a device that is removed is not listed any more; a second request changes nothing', async () => {
    const deviceId = (await addDevice()).body.devices[0]?.id
    for (let n = 0; n < 2; n++) {
      const { status, body } = await member.call('POST /api/reminders/push/remove', {
        body: { deviceId },
      })
      expect([status, body.devices]).toEqual([200, []])
    }
  })

  it.each([
    'http://push.example/a',
    'https://127.0.0.1/a',
    'https://[::1]/a',
    'https://169.254.169.254/latest',
    'https://10.1.2.3/a',
    'https://push.example:8443/a',
    'https://user@push.example/a',
  ])('the endpoint %s is refused', async (endpoint) => {
    expect(await addDevice(member, aSubscription(endpoint))).toMatchObject({
      status: 400,
      body: { code: 'subscription_refused' },
    })
    expect(await stored()).toEqual([])
  })

  it.each([
    [{ endpoint: 'file:///etc/passwd' }, 'bad_input'],
    [{ endpoint: `https://push.example/${'a'.repeat(2_000)}` }, 'bad_input'],
    [{ auth: 'short' }, 'bad_input'],
    [{ p256dh: 'short' }, 'bad_input'],
    // No point of the curve.
    [{ p256dh: Buffer.alloc(65, 4).toString('base64url') }, 'subscription_refused'],
    [{ userId: 1 }, 'bad_input'],
    [{ language: 'xx' }, 'bad_input'],
  ])('a subscription with %j is rejected', async (change, code) => {
    const answer = await addDevice(member, { ...aSubscription(), ...change })
    expect(answer).toMatchObject({ status: 400, body: { code } })
    expect(await stored()).toEqual([])
  })

  it('without keys the settings say so, and no device can be added', async () => {
    const other = await newMember(withoutKeys)
    expect(await read(other)).toMatchObject({ pushKey: null })
    expect(await addDevice(other)).toMatchObject({
      status: 409,
      body: { code: 'push_unavailable' },
    })
  })
})

describe('the end of a sign-in', () => {
  it('a logout removes this device only', async () => {
    const other = await member.otherDevice()
    await addDevice()
    await addDevice(other)
    await member.call('POST /api/logout')
    expect((await read(other)).devices).toMatchObject([{ current: true }])
  })

  it('a sign-in that is ended from another device loses its notifications', async () => {
    const phone = await member.otherDevice()
    await addDevice(phone)
    await addDevice()
    const { signIns } = (await member.call('GET /api/user/sign-ins')).body
    const signInId = signIns.find(({ current }) => !current)?.id
    await member.call('POST /api/user/sign-ins/end', { body: { password: PASSWORD, signInId } })
    expect((await read()).devices).toMatchObject([{ current: true }])
  })

  it('the end of all others keeps this device, also a second time', async () => {
    const phone = await member.otherDevice()
    await addDevice(phone)
    await addDevice()
    for (let n = 0; n < 2; n++) {
      const body = { password: PASSWORD }
      await member.call('POST /api/user/sign-ins/end-others', { body })
      expect((await read()).devices).toMatchObject([{ current: true }])
    }
  })

  it('a new password by the code from a mail removes every device', async () => {
    await addDevice()
    const { email = '' } = member.user ?? {}
    await product.db.raw(`update email_codes set "createdAt" = now() - interval '2 minutes'`)
    await member.call('POST /api/password/forgot', { body: { email } })
    const otp = await member.codeOf(email)
    await member.call('POST /api/password/reset', { body: { email, otp, newPassword: PASSWORD } })
    expect(await stored()).toEqual([])
  })

  it('the deletion of the account removes what was switched on', async () => {
    await addDevice()
    await byMail(true)
    const { id: userId, username } = member.user ?? {}
    const body = { password: PASSWORD, confirmation: username }
    expect((await member.call('POST /api/user/delete', { body })).status).toBe(200)
    for (const table of ['push_subscriptions', 'reminder_preferences', 'reminders']) {
      expect(await product.db(table).where({ userId })).toEqual([])
    }
  })
})
