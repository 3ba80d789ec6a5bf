import { expect, it } from 'vitest'
import { MEMBER_COOKIE } from '#contract/headers'
import { useLog } from '#scripts/testing/gateway/kept-log'
import { useProduct } from '#scripts/testing/gateway/use-product'
import { PASSWORD, Visitor } from '#scripts/testing/gateway/visitor'

const log = useLog()
const product = useProduct({ env: { LOG_LEVEL: 'info' } })

it('log lines are JSON with sign-ins and rejections and without secrets', async () => {
  const visitor = new Visitor(product)
  const email = 'logged@test.example'
  await visitor.call('POST /api/verify/send-otp', { body: { email } })
  const otp = await visitor.codeOf(email)
  const wrongOtp = otp === '000000' ? '000001' : '000000'
  await visitor.call('POST /api/verify/verify-otp', { body: { email, otp: wrongOtp } })
  await visitor.call('POST /api/verify/verify-otp', { body: { email, otp } })
  const body = { username: 'logged', email, password: PASSWORD }
  const { id } = (await visitor.call('POST /api/register', { body })).body
  await visitor.login('logged', 'a wrong password')
  await visitor.login('logged', PASSWORD)
  await visitor.call('POST /api/mining/start', { headers: { Origin: 'https://evil.example' } })
  const cookies = visitor.jar.header() ?? ''
  await expect.poll(log.text).toMatch(/cross_site/)

  const lines = log.lines()
  const ip = '127.0.0.1'
  expect(lines).toEqual(
    expect.arrayContaining([
      expect.objectContaining({ msg: 'registered', ip, memberId: id }),
      expect.objectContaining({ msg: 'sign-in failed', ip, memberId: id }),
      expect.objectContaining({ msg: 'signed in', ip, memberId: id }),
      expect.objectContaining({ msg: 'request rejected', ip, code: 'otp_invalid' }),
      expect.objectContaining({
        msg: 'request rejected',
        code: 'cross_site',
        path: '/api/mining/start',
      }),
    ]),
  )
  expect(lines.filter(({ requestId }) => !/^[\w-]{36}$/.test(String(requestId)))).toEqual([])
  const text = lines.map((line) => JSON.stringify({ ...line, time: 0 })).join('\n')
  const cookieValues = cookies
    .split('; ')
    // The marker cookie is the member's id, which log lines contain.
    .filter((cookie) => !cookie.startsWith(`${MEMBER_COOKIE}=`))
    .map((cookie) => cookie.slice(cookie.indexOf('=') + 1))
  for (const secret of [PASSWORD, 'a wrong password', otp, wrongOtp, email, ...cookieValues]) {
    expect(text).not.toContain(secret)
  }
})
