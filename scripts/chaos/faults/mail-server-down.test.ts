import { execFile } from 'node:child_process'
import { promisify } from 'node:util'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { type TestDatabase, testDatabase } from '#db/testing/database'
import { Visitor } from '#gateway/testing/visitor'
import { Stage } from '#scripts/chaos/stage'
import { tell } from '#scripts/chaos/tell'
import { ROOT } from '#scripts/process/root'
import { type MailServer, mailServer } from '#workers/testing/mail-server'

let place: TestDatabase
let server: MailServer
let stage: Stage

beforeAll(async () => {
  place = await testDatabase()
  server = await mailServer()
  const env = { SMTP_URL: server.url, MAIL_FROM: 'TESP Network <no-reply@tesp.example>' }
  stage = await Stage.set(place, { gateways: 1, env })
}, 120_000)
afterAll(async () => {
  await stage?.stop()
  await server?.stop()
  await place?.drop()
})

/** What `npm run ops -- status` prints. */
async function opsStatus(): Promise<string> {
  const argv = ['--import', 'tsx', 'scripts/commands/ops.ts', 'status']
  const env = { PATH: process.env.PATH, ...stage.env }
  return (await promisify(execFile)(process.execPath, argv, { cwd: ROOT, env })).stdout
}

it('answers a code request while the mail server is away, shows the mail to operators, and sends it later', async () => {
  const email = 'late@test.example'
  const visitor = new Visitor(stage.product)
  const askedAt = Date.now()
  const asked = await visitor.call('POST /api/verify/send-otp', { body: { email } })
  expect(asked.status).toBe(200)
  tell('SMTP down: the code request is answered after', Date.now() - askedAt)
  const attempts = async () => (await stage.product.db('mails').first('attempts')).attempts
  await expect.poll(attempts, { timeout: 20_000 }).toBeGreaterThan(1)
  const status = await opsStatus()
  expect(status).toMatch(/^mails waiting +1$/m)
  expect(status).toContain('ECONNREFUSED')

  await server.start()
  const upAt = Date.now()
  await expect.poll(() => server.mails.length, { timeout: 60_000 }).toBe(1)
  tell('SMTP back: the mail is there after', Date.now() - upAt)
  const [, otp = ''] = /\r\n\r\n[\s\S]*?\b(\d{6})\b/.exec(server.mails[0] ?? '') ?? []
  const right = await visitor.call('POST /api/verify/verify-otp', { body: { email, otp } })
  expect(right.status).toBe(200)
  expect(await stage.deaths()).toEqual([])
}, 120_000)
