import { afterAll, beforeAll, expect, it } from 'vitest'
import { MEMBER_COOKIE } from '#contract/headers'
import { freePort } from '#runtime/config/free-port'
import { type GatewayProcess, gatewayProcess } from '#scripts/testing/db/role-process'
import { useProduct } from '#scripts/testing/gateway/use-product'
import { PASSWORD, Visitor } from '#scripts/testing/gateway/visitor'

const product = useProduct({ gateways: 0 })
let gateway: GatewayProcess

beforeAll(async () => {
  gateway = gatewayProcess(product.config, await freePort())
  await gateway.ready
  product.urls.push(`http://127.0.0.1:${gateway.port}`)
})
afterAll(() => gateway?.end('SIGTERM'))

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
  await expect.poll(() => gateway.output()).toMatch(/cross_site/)

  const lines = gateway
    .output()
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line) as Record<string, unknown>)
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
  const ofStart = /^(gateway is ready$|development: NODE_ENV is not production)/
  expect(lines.filter(({ msg }) => !ofStart.test(String(msg)))).toEqual(
    lines.filter(({ requestId }) => /^[\w-]{36}$/.test(String(requestId))),
  )
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
