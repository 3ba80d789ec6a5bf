import { afterAll, afterEach, beforeAll, expect, it } from 'vitest'
import { enqueueMail, MAIL_TRIES, mailFigures, newestMails } from '#db/mails'
import { inTransaction } from '#db/postgres/transaction'
import { type TestContext, testContext } from '#workers/testing/context'
import { type MailServer, mailServer } from '#workers/testing/mail-server'
import { sendMail } from './send-mail.ts'

let server: MailServer
let context: TestContext

beforeAll(async () => {
  server = await mailServer()
  context = await testContext({
    SMTP_URL: server.url,
    MAIL_FROM: 'TESP Network <no-reply@tesp.example>',
  })
})
afterAll(async () => {
  await server.stop()
  await context.close()
})
afterEach(async () => {
  server.refuse = undefined
  server.mails.length = 0
  await server.stop()
  await context.db('mails').delete()
})

const enqueue = () =>
  inTransaction(context.db, (tx) =>
    enqueueMail(tx, context.config.dataKey, {
      to: 'ann@test.example',
      subject: 'Your code',
      text: 'It is 123456.',
    }),
  )
const row = (id: number) => context.db('mails').where({ id }).first()

it('sends the mail as it was written, then forgets its text', async () => {
  await server.start()
  const mailId = await enqueue()
  await sendMail(context, { mailId })
  expect(server.mails).toHaveLength(1)
  expect(server.mails[0]).toContain('From: TESP Network <no-reply@tesp.example>')
  expect(server.mails[0]).toContain('To: ann@test.example')
  expect(server.mails[0]).toContain('Subject: Your code')
  expect(server.mails[0]).toContain('It is 123456.')
  expect(await row(mailId)).toMatchObject({ sealed: null, failedAt: null, lastError: null })
  expect((await row(mailId)).sentAt).toBeInstanceOf(Date)
})

it('sends it once when the job is delivered again', async () => {
  await server.start()
  const mailId = await enqueue()
  await sendMail(context, { mailId })
  await sendMail(context, { mailId })
  expect(server.mails).toHaveLength(1)
})

it('counts and shows a try while the server is away, keeps the text, and sends it later', async () => {
  const mailId = await enqueue()
  await expect(sendMail(context, { mailId })).rejects.toThrow()
  expect(await row(mailId)).toMatchObject({ attempts: 1, sentAt: null, failedAt: null })
  expect((await row(mailId)).lastError).toMatch(/ECONNREFUSED/)
  expect(await mailFigures(context.db)).toMatchObject({ waiting: 1, failed: 0 })
  await server.start()
  await sendMail(context, { mailId })
  expect(server.mails[0]).toContain('It is 123456.')
})

it('tries again after a 4xx, and gives a mail up after its last try', async () => {
  await server.start()
  server.refuse = { responseCode: 451, message: 'come back later' }
  const mailId = await enqueue()
  for (let i = 1; i <= MAIL_TRIES; i++) {
    await expect(sendMail(context, { mailId })).rejects.toThrow()
    expect(await row(mailId)).toMatchObject({ attempts: i })
  }
  expect(await mailFigures(context.db)).toMatchObject({ waiting: 0, failed: 1 })
  expect((await row(mailId)).lastError).toContain('come back later')
  server.refuse = undefined
  await sendMail(context, { mailId })
  expect(server.mails).toHaveLength(0)
})

it('gives a mail up at once that the server will never take', async () => {
  await server.start()
  server.refuse = { responseCode: 550, message: 'no such user' }
  const mailId = await enqueue()
  await expect(sendMail(context, { mailId })).rejects.toThrow()
  expect(await row(mailId)).toMatchObject({ attempts: 1 })
  expect((await row(mailId)).failedAt).toBeInstanceOf(Date)
  expect(await mailFigures(context.db)).toMatchObject({ waiting: 0, failed: 1 })
})

it('without a server the outbox keeps the mail readable', async () => {
  const printed: string[] = []
  const mailer = {
    keepsText: true,
    send: async ({ text }: { text: string }) => void printed.push(text),
    close: () => {},
  }
  const mailId = await enqueue()
  await sendMail({ ...context, mailer }, { mailId })
  expect(printed).toEqual(['It is 123456.'])
  const [mail] = await newestMails(context.db, context.config.dataKey)
  expect(mail).toMatchObject({ to: 'ann@test.example', text: 'It is 123456.' })
})
