import { Secret } from 'otpauth'
import { beforeEach, describe, expect, it } from 'vitest'
import { lockMember } from '#db/members/execute-once'
import { inTransaction } from '#db/postgres/statements/transaction'
import { RECOVERY_CODES } from '#rules/constants'
import { waitingForMembers } from '#scripts/testing/db/statements/waiting-for-rows'
import {
  AuthenticatorApp,
  type TurnedOn,
  turnOnCodes,
  wrongCode,
} from '#scripts/testing/gateway/factors/authenticator-app'
import { afterPassword, enterCode } from '#scripts/testing/gateway/factors/enter-code'
import { subjectsTo } from '#scripts/testing/gateway/mails-to'
import { stranger } from '#scripts/testing/gateway/strangers'
import { useMember, useProduct } from '#scripts/testing/gateway/use-product'
import { newMember, PASSWORD, Visitor } from '#scripts/testing/gateway/visitor'

const product = useProduct({ gateways: 2, env: { TRUSTED_PROXIES: '127.0.0.1' } })
const member = useMember(product)

const name = () => member.user?.username ?? ''
const invalid = { status: 400, body: { code: 'second_factor_invalid' } }
const subjects = () => subjectsTo(product, member.user?.email)
const factors = async () => (await member.call('GET /api/user/factors')).body

describe('switching one-time codes on', () => {
  it('a confirmation that compares no code is no try', async () => {
    const confirm = async () =>
      (await member.call('POST /api/user/authenticator/confirm', { body: { code: '000000' } })).body
    const often = async (code: string) => {
      for (let n = 0; n < 12; n++) expect(await confirm()).toMatchObject({ code })
    }
    await often('second_factor_off')
    const { app } = await turnOnCodes(member)
    await often('second_factor_on')
    const body = { password: PASSWORD, code: app.code() }
    expect((await member.call('POST /api/user/authenticator/remove', { body })).status).toBe(200)
  })

  it('the secret alone asks for no code at sign-in', async () => {
    const body = { password: PASSWORD }
    const setUp = await member.call('POST /api/user/authenticator/set-up', { body })
    expect(setUp.body.uri).toContain(`secret=${setUp.body.secret}`)
    expect(setUp.body.uri).toMatch(/^otpauth:\/\/totp\/TESP%20Network:/)
    expect((await factors()).authenticator).toBeNull()
    expect((await new Visitor(product).login(name())).status).toBe(200)
  })

  it('the first code switches them on and answers ten recovery codes', async () => {
    const { recoveryCodes } = await turnOnCodes(member)
    expect(new Set(recoveryCodes).size).toBe(RECOVERY_CODES)
    expect(recoveryCodes.every((code) => /^[a-z2-7]{5}-[a-z2-7]{5}$/.test(code))).toBe(true)
    expect((await factors()).authenticator).toEqual({
      since: expect.any(String),
      recoveryCodesLeft: RECOVERY_CODES,
    })
    expect(await subjects()).toContain('TESP Network: one-time codes are on')
  })

  it('secret and recovery codes are unreadable in the database', async () => {
    const body = { password: PASSWORD }
    const { secret } = (await member.call('POST /api/user/authenticator/set-up', { body })).body
    const code = new AuthenticatorApp(secret).code()
    const confirm = await member.call('POST /api/user/authenticator/confirm', { body: { code } })
    const row = await product.db('second_factors').where({ userId: member.user?.id }).first()
    const stored = `${JSON.stringify(row)} ${row.sealed.toString('latin1')}`
    const bytes = Buffer.from(Secret.fromBase32(secret).bytes).toString('latin1')
    const { recoveryCodes } = confirm.body
    const hashed = recoveryCodes.map((shown) => shown.replace('-', ''))
    const readable = [secret, bytes, ...recoveryCodes, ...hashed]
    expect(readable.filter((text) => stored.includes(text))).toEqual([])
  })

  it('a wrong password gets no secret, and a wrong code switches nothing on', async () => {
    const setUp = (password: string) =>
      member.call('POST /api/user/authenticator/set-up', { body: { password } })
    expect(await setUp('a wrong password')).toMatchObject({ body: { code: 'wrong_password' } })
    const app = new AuthenticatorApp((await setUp(PASSWORD)).body.secret)
    const body = { code: wrongCode(app) }
    expect(await member.call('POST /api/user/authenticator/confirm', { body })).toMatchObject(
      invalid,
    )
    expect((await factors()).authenticator).toBeNull()
  })

  it('a sign-in that ends while the secret is made leaves no secret', async () => {
    const { id = 0 } = member.user ?? {}
    let setUp: Promise<{ status: number }> | undefined
    await inTransaction(product.db, async (tx) => {
      await lockMember(tx, id)
      setUp ??= member.call('POST /api/user/authenticator/set-up', { body: { password: PASSWORD } })
      await expect.poll(() => waitingForMembers(product.db)).toBe(1)
      await tx('users').where({ id }).increment('authEpoch')
    })
    expect((await setUp)?.status).toBe(401)
    expect(await product.db('second_factors').where({ userId: id })).toEqual([])
  })

  it('a set-up expires, and codes that are on cannot be replaced', async () => {
    const body = { password: PASSWORD }
    const { secret } = (await member.call('POST /api/user/authenticator/set-up', { body })).body
    const { id: userId } = member.user ?? {}
    await product
      .db('second_factors')
      .where({ userId })
      .update({ setUpAt: product.db.raw(`now() - interval '16 minutes'`) })
    const code = { body: { code: new AuthenticatorApp(secret).code() } }
    expect(await member.call('POST /api/user/authenticator/confirm', code)).toMatchObject({
      status: 409,
      body: { code: 'second_factor_off' },
    })
    await turnOnCodes(member)
    expect(await member.call('POST /api/user/authenticator/set-up', { body })).toMatchObject({
      status: 409,
      body: { code: 'second_factor_on' },
    })
  })
})

describe('changing one-time codes', () => {
  let turnedOn: TurnedOn
  beforeEach(async () => {
    turnedOn = await turnOnCodes(member)
  })
  const turnOff = (password: string, code: string) =>
    member.call('POST /api/user/authenticator/remove', { body: { password, code } })

  it('they are switched off by the password and a code, and the member gets a mail', async () => {
    const { app } = turnedOn
    expect(await turnOff('a wrong password', app.code())).toMatchObject({ status: 403 })
    expect(await turnOff(PASSWORD, wrongCode(app))).toMatchObject(invalid)
    expect((await turnOff(PASSWORD, app.code())).status).toBe(200)
    expect((await factors()).authenticator).toBeNull()
    expect((await stranger(product).login(name())).status).toBe(200)
    expect(await subjects()).toContain('TESP Network: one-time codes are off')
  })

  it('the end of other sign-ins gives no new tries, and the owner gets a mail about ten', async () => {
    const wrong = wrongCode(turnedOn.app)
    for (let n = 0; n < 10; n++) expect(await turnOff(PASSWORD, wrong)).toMatchObject(invalid)
    const body = { password: PASSWORD }
    expect((await member.call('POST /api/user/sign-ins/end-others', { body })).status).toBe(200)
    expect((await turnOff(PASSWORD, wrong)).status).toBe(429)
    expect((await subjects()).filter((subject) => subject.includes('wrong codes'))).toHaveLength(1)
  })

  it('new recovery codes void the earlier ones', async () => {
    const body = { password: PASSWORD, code: turnedOn.app.code() }
    const answer = await member.call('POST /api/user/authenticator/recovery-codes', { body })
    const signInAgain = () => afterPassword(stranger(product), name())
    const [earlier = ''] = turnedOn.recoveryCodes
    const [renewed = ''] = answer.body.recoveryCodes
    expect(await enterCode(await signInAgain(), earlier)).toMatchObject(invalid)
    expect((await enterCode(await signInAgain(), renewed)).status).toBe(200)
  })

  it('a code of another member is not valid', async () => {
    const other = await newMember(product)
    const { app } = await turnOnCodes(other)
    expect(await turnOff(PASSWORD, app.code())).toMatchObject(invalid)
  })

  it('the export holds when they were switched on, and no secret', async () => {
    const { body } = await member.call('POST /api/user/export', { body: { password: PASSWORD } })
    expect(body.oneTimeCodes).toEqual({
      on: true,
      since: expect.any(String),
      recoveryCodesLeft: RECOVERY_CODES,
    })
  })

  it('a deleted account leaves no secret', async () => {
    const body = { password: PASSWORD, confirmation: name() }
    expect((await member.call('POST /api/user/delete', { body })).status).toBe(200)
    expect(await product.db('second_factors').where({ userId: member.user?.id })).toEqual([])
  })
})
