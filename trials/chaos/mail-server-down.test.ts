import { afterAll, beforeAll, expect, it } from 'vitest'
import { operate } from '#operators/ops/testing/operate'
import { type Product, startProduct } from '#scripts/testing/gateway/product'
import { Visitor } from '#scripts/testing/gateway/visitor'
import { type MailServer, mailServer } from '#scripts/testing/workers/mail-server'
import { reportTime } from '#trials/kit/report'

let server: MailServer
let product: Product

beforeAll(async () => {
  server = await mailServer()
  const env = { SMTP_URL: server.url, MAIL_FROM: 'TESP Network <no-reply@tesp.example>' }
  product = await startProduct({ workers: true, env })
})
afterAll(async () => {
  await product?.close()
  await server?.stop()
})

it('a code request succeeds while the mail server is down; operators see the mail and it is sent later', async () => {
  const email = 'late@test.example'
  const visitor = new Visitor(product)
  const requestedAt = Date.now()
  const request = await visitor.call('POST /api/verify/send-otp', { body: { email } })
  expect(request.status).toBe(200)
  reportTime('mail server down: code request answered after', Date.now() - requestedAt)
  const attempts = async () => (await product.db('mails').first('attempts')).attempts
  await expect.poll(attempts).toBeGreaterThan(1)
  expect(await operate(product, 'status')).toMatch(/^mails waiting +1$/m)
  expect(await operate(product, 'mail waiting')).toContain('ECONNREFUSED')

  await server.start()
  const upAt = Date.now()
  await expect.poll(() => server.mails.length, { timeout: 60_000 }).toBe(1)
  reportTime('mail server up: mail delivered after', Date.now() - upAt)
  const [, otp = ''] = /\r\n\r\n[\s\S]*?\b(\d{6})\b/.exec(server.mails[0] ?? '') ?? []
  const verified = await visitor.call('POST /api/verify/verify-otp', { body: { email, otp } })
  expect(verified.status).toBe(200)
})
