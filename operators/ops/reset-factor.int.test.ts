import { expect, it } from 'vitest'
import { newestMails } from '#db/mails'
import { operate } from '#operators/ops/testing/operate'
import { turnOnCodes } from '#scripts/testing/gateway/factors/authenticator-app'
import { useMember, useProduct } from '#scripts/testing/gateway/use-product'
import { Visitor } from '#scripts/testing/gateway/visitor'

const product = useProduct()
const member = useMember(product)
const name = () => member.user?.username ?? ''
const reason = 'lost the phone; identity checked'
const reset = () => operate(product, 'members reset-factor', [name()], { reason })
const shown = async () =>
  JSON.parse(await operate(product, 'members show', [name()], { json: true }))

it('a reset lets the member sign in with the password alone, is logged and is announced', async () => {
  await turnOnCodes(member)
  expect(await shown()).toMatchObject({
    passkeys: 0,
    oneTimeCodesSince: expect.any(String),
    recoveryCodesLeft: 10,
  })
  expect(await reset()).toBe(
    `member ${member.user?.id} needs no one-time code any more, and gets a mail`,
  )
  expect(await shown()).toMatchObject({ oneTimeCodesSince: null, recoveryCodesLeft: null })
  expect((await new Visitor(product).login(name())).status).toBe(200)
  const logged = await product.db('operator_actions').where({ userId: member.user?.id })
  expect(logged).toMatchObject([{ action: 'members reset-factor', reason }])
  const mails = await newestMails(product.db, product.config.dataKey)
  expect(mails.map(({ subject }) => subject)).toContain(
    'TESP Network: one-time codes were switched off',
  )
})

it('a member without one-time codes has nothing to reset', async () => {
  await expect(reset()).rejects.toThrow('The member uses no one-time codes')
})
