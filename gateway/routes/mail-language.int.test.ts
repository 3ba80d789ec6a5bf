import { expect, it } from 'vitest'
import { subjectsTo } from '#scripts/testing/gateway/mails-to'
import { useProduct } from '#scripts/testing/gateway/use-product'
import { newMember, Visitor } from '#scripts/testing/gateway/visitor'

const product = useProduct()
const VIETNAMESE = { 'Accept-Language': 'vi-VN,vi;q=0.9,en;q=0.5' }

const subjects = (email: string | undefined) => subjectsTo(product, email)

const setLanguage = (member: Visitor, language: string) =>
  member.call('PATCH /api/user/profile', { body: { language } })

it('a code for a visitor is mailed in the language of the request', async () => {
  const [vietnamese, german] = [new Visitor(product, 0, VIETNAMESE), new Visitor(product)]
  await vietnamese.call('POST /api/verify/send-otp', { body: { email: 'lan@test.example' } })
  await german.call('POST /api/verify/send-otp', {
    body: { email: 'uwe@test.example' },
    headers: { 'Accept-Language': 'de-DE,de' },
  })
  expect(await subjects('lan@test.example')).toEqual(['TESP Network: mã xác minh của bạn'])
  expect(await subjects('uwe@test.example')).toEqual(['TESP Network: your verification code'])
})

it('a new member has the language of the registration', async () => {
  const vietnamese = new Visitor(product, 0, VIETNAMESE)
  expect(await vietnamese.register()).toMatchObject({ language: 'vi' })
  expect(await new Visitor(product).register()).toMatchObject({ language: 'en' })
})

it('a mail to a member is in the member’s language, not in that of the request', async () => {
  const member = await newMember(product)
  expect((await setLanguage(member, 'vi')).body.language).toBe('vi')
  const email = member.user?.email
  await new Visitor(product).call('POST /api/password/forgot', { body: { email } })
  expect(await subjects(email)).toContain('TESP Network: mã đặt lại mật khẩu của bạn')
  await member.otherDevice()
  expect(await subjects(email)).toContain('TESP Network: đăng nhập từ trình duyệt mới')
})

it('a language of the product is required, and stays without one in the request', async () => {
  const member = await newMember(product)
  await setLanguage(member, 'vi')
  expect(await setLanguage(member, 'tlh')).toMatchObject({
    status: 400,
    body: { message: 'This language is not available' },
  })
  const renamed = await member.call('PATCH /api/user/profile', { body: { fullName: 'Lan' } })
  expect(renamed.body).toMatchObject({ fullName: 'Lan', language: 'vi' })
})

it('a member without a language gets mails in that of the request', async () => {
  const member = await newMember(product)
  await product.db('users').where({ id: member.user?.id }).update({ language: null })
  const visitor = new Visitor(product, 0, VIETNAMESE)
  const email = member.user?.email
  await visitor.call('POST /api/password/forgot', { body: { email } })
  expect(await subjects(email)).toContain('TESP Network: mã đặt lại mật khẩu của bạn')
})
