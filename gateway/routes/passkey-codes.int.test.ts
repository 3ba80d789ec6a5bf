import { expect, it } from 'vitest'
import { turnOnCodes, wrongCode } from '#scripts/testing/gateway/factors/authenticator-app'
import { originOf } from '#scripts/testing/gateway/factors/passkey-visitor'
import { SoftwareAuthenticator } from '#scripts/testing/gateway/factors/software-authenticator'
import { subjectsTo } from '#scripts/testing/gateway/mails-to'
import { useMember, useProduct } from '#scripts/testing/gateway/use-product'
import { PASSWORD } from '#scripts/testing/gateway/visitor'

const product = useProduct()
const member = useMember(product)

it('a passkey is added with the password and an unused code only', async () => {
  const { app, recoveryCodes } = await turnOnCodes(member)
  const code = app.code()
  const options = (one?: string) =>
    member.call('POST /api/user/passkeys/options', { body: { password: PASSWORD, code: one } })
  for (const one of [undefined, '', wrongCode(app)]) {
    expect(await options(one)).toMatchObject({ body: { code: 'second_factor_invalid' } })
  }
  expect((await options(code)).status).toBe(200)
  expect(await options(code)).toMatchObject({ body: { code: 'second_factor_invalid' } })
  expect((await options(recoveryCodes[0])).status).toBe(200)
  expect(await subjectsTo(product, member.user?.email)).toContain(
    'TESP Network: a recovery code was used',
  )
  expect((await member.call('GET /api/user/factors')).body.passkeys).toEqual([])
})

it('wrong codes for a new passkey are counted', async () => {
  const { app } = await turnOnCodes(member)
  const body = { password: PASSWORD, code: wrongCode(app) }
  const answers = await Promise.all(
    Array.from({ length: 12 }, () => member.call('POST /api/user/passkeys/options', { body })),
  )
  expect(answers.filter(({ status }) => status === 429)).toHaveLength(2)
})

it('a challenge from before one-time codes were switched on adds no passkey', async () => {
  const key = new SoftwareAuthenticator()
  const asked = await member.call('POST /api/user/passkeys/options', {
    body: { password: PASSWORD },
  })
  await turnOnCodes(member)
  const body = key.create(asked.body.options, 'Phone', { origin: originOf(member) })
  expect(await member.call('POST /api/user/passkeys', { body })).toMatchObject({
    status: 400,
    body: { code: 'passkey_refused' },
  })
})
