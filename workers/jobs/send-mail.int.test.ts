import { afterAll, afterEach, beforeAll, expect, it, onTestFinished } from 'vitest'
import {
  enqueueMail,
  MAIL_TRIES,
  mailFigures,
  markSent,
  newestMails,
  type StoredMail,
} from '#db/mails'
import { allowAddress, refuseAddress, refusedAddresses } from '#db/members/refused-addresses'
import { inTransaction } from '#db/postgres/statements/transaction'
import { memberOfToken } from '#db/reminders/mail-reminders'
import { createLog } from '#runtime/log'
import { insertMember } from '#scripts/testing/db/members'
import { wantMail } from '#scripts/testing/db/reminders'
import { insertSessions } from '#scripts/testing/db/sessions'
import { type TestContext, testContext } from '#scripts/testing/workers/context'
import { type MailServer, mailServer } from '#scripts/testing/workers/mail-server'
import { runJob } from '#workers/job'
import { createMailer } from '#workers/mailer'
import { sendMail } from './send-mail.ts'

let server: MailServer
let context: TestContext

beforeAll(async () => {
  server = await mailServer()
  context = await testContext({
    SMTP_URL: server.url,
    MAIL_FROM: 'TESP Network <no-reply@tesp.example>',
    PUBLIC_ORIGIN: 'https://tesp.example',
  })
})
afterAll(async () => {
  await server.stop()
  await context.close()
})
afterEach(async () => {
  server.rejection = undefined
  server.recipientRejection = undefined
  server.mails.length = 0
  await server.stop()
  await context.db('mails').delete()
  await context.db('refused_addresses').delete()
})

const enqueue = () =>
  inTransaction(context.db, (tx) =>
    enqueueMail(tx, context.config.dataKey, {
      to: 'ann@test.example',
      subject: 'Your code',
      text: 'It is 123456.',
    }),
  )
/** Attempts with that result, as the metrics count them. */
const attempts = async (wanted: string) => {
  const { values } = await context.metrics.mails.get()
  return values.find(({ labels }) => labels.result === wanted)?.value ?? 0
}
const row = (id: number) => context.db('mails').where({ id }).first()

/** A member who wants reminders by mail, with one that waits. */
async function enqueueReminder(): Promise<{ memberId: number; mailId: number }> {
  const memberId = await insertMember(context.db)
  await wantMail(context.db, memberId)
  const reminder = { to: 'ann@test.example', subject: 'x', text: 'x', unsubscribes: memberId }
  const mailId = await inTransaction(context.db, (tx) =>
    enqueueMail(tx, context.config.dataKey, reminder),
  )
  return { memberId, mailId }
}

it('a mail is sent as written, then its text is deleted', async () => {
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

it('a database that takes no writes sends nothing: it could not remember what was sent', async () => {
  await server.start()
  const mailId = await enqueue()
  await context.db.raw(`
    create function refuse_writes() returns trigger language plpgsql as
      $$ begin raise exception 'disk full' using errcode = '53100'; end $$;
    create trigger refuse_writes before update on mails
      for each row execute function refuse_writes()`)
  for (let n = 0; n < 3; n++)
    await expect(sendMail(context, { mailId })).rejects.toThrow('disk full')
  await context.db.raw('drop function refuse_writes cascade')
  expect(server.mails).toEqual([])
  await sendMail(context, { mailId })
  expect(server.mails).toHaveLength(1)
})

it('a mail that can be switched off has a link for one click (RFC 8058); others have none', async () => {
  await server.start()
  const { memberId, mailId } = await enqueueReminder()
  await sendMail(context, { mailId })
  await sendMail(context, { mailId: await enqueue() })
  const [first = '', second = ''] = server.mails.map((mail) => mail.replace(/\r\n[ \t]+/g, ' '))
  expect(first).toContain('List-Unsubscribe-Post: List-Unsubscribe=One-Click')
  const [, token = ''] =
    /List-Unsubscribe: <https:\/\/tesp\.example\/unsubscribe\?token=([^>]+)>/.exec(first) ?? []
  expect(memberOfToken(context.config.dataKey, token)).toBe(memberId)
  expect(second).not.toContain('List-Unsubscribe')
})

it.each<[string, (memberId: number, mailId: number) => Promise<unknown>]>([
  [
    'the member has switched such mails off',
    (userId) => context.db('reminder_preferences').where({ userId }).update({ mail: false }),
  ],
  [
    'it was written 12 hours ago',
    (_, mailId) =>
      context.db.raw(`update mails set "createdAt" = now() - interval '12 hours' where id = ?`, [
        mailId,
      ]),
  ],
  ['the member mines', (userId) => insertSessions(context.db, [{ userId, startedAt: Date.now() }])],
  [
    'the member is frozen',
    (id) =>
      context
        .db('users')
        .where({ id })
        .update({ frozenAt: context.db.fn.now(), frozenReason: 'a check' }),
  ],
])('a reminder that has waited is dropped if %s', async (_, change) => {
  const { memberId, mailId } = await enqueueReminder()
  await expect(sendMail(context, { mailId })).rejects.toThrow()
  await change(memberId, mailId)
  await server.start()
  await sendMail(context, { mailId })
  expect(server.mails).toEqual([])
  expect(await row(mailId)).toBeUndefined()
  expect(await mailFigures(context.db)).toMatchObject({ waiting: 0, failed: 0 })
})

it('a job that is delivered twice sends the mail once', async () => {
  await server.start()
  const mailId = await enqueue()
  await sendMail(context, { mailId })
  await sendMail(context, { mailId })
  expect(server.mails).toHaveLength(1)
})

it('a mail stays waiting with its text while the server is unreachable, and is sent later', async () => {
  const mailId = await enqueue()
  await expect(sendMail(context, { mailId })).rejects.toThrow()
  expect(await row(mailId)).toMatchObject({ attempts: 1, sentAt: null, failedAt: null })
  expect((await row(mailId)).lastError).toMatch(/ECONNREFUSED/)
  expect(await mailFigures(context.db)).toMatchObject({ waiting: 1, failed: 0 })
  await server.start()
  await sendMail(context, { mailId })
  expect(server.mails[0]).toContain('It is 123456.')
})

it('a mail that cannot be decrypted is counted as failed attempts and holds up no other', async () => {
  await server.start()
  const [broken, intact] = [await enqueue(), await enqueue()]
  await context
    .db('mails')
    .where({ id: broken })
    .update({ sealed: Buffer.alloc(60) })
  for (let i = 0; i < MAIL_TRIES; i++) {
    await expect(sendMail(context, { mailId: broken })).rejects.toThrow(/cannot be decrypted/)
  }
  await sendMail(context, { mailId: intact })
  expect(server.mails).toHaveLength(1)
  expect(await row(broken)).toMatchObject({ attempts: MAIL_TRIES })
  expect((await row(broken)).failedAt).toBeInstanceOf(Date)
})

it('a mail is retried after SMTP 4xx and fails after its last attempt', async () => {
  await server.start()
  server.rejection = { responseCode: 451, message: 'come back later' }
  const mailId = await enqueue()
  for (let i = 1; i <= MAIL_TRIES; i++) {
    await expect(sendMail(context, { mailId })).rejects.toThrow()
    expect(await row(mailId)).toMatchObject({ attempts: i })
  }
  expect(await mailFigures(context.db)).toMatchObject({ waiting: 0, failed: 1 })
  expect((await row(mailId)).lastError).toContain('come back later')
  server.rejection = undefined
  await sendMail(context, { mailId })
  expect(server.mails).toHaveLength(0)
})

it('a mail fails without retries after SMTP 5xx', async () => {
  await server.start()
  server.rejection = { responseCode: 550, message: 'no such user' }
  const mailId = await enqueue()
  await sendMail(context, { mailId })
  expect(await row(mailId)).toMatchObject({ attempts: 1 })
  expect((await row(mailId)).failedAt).toBeInstanceOf(Date)
  expect(await mailFigures(context.db)).toMatchObject({ waiting: 0, failed: 1 })
})

const NO_SUCH_USER = { responseCode: 550, message: '5.1.1 no such user here' }

it('an address that its server refuses for good gets no more mails, and the member is told', async () => {
  const memberId = await insertMember(context.db)
  const email = 'ann@test.example'
  await context.db('users').where({ id: memberId }).update({ email, emailKey: email })
  await server.start()
  server.recipientRejection = NO_SUCH_USER
  await sendMail(context, { mailId: await enqueue() })
  expect(await refusedAddresses(context.db, 10)).toMatchObject([
    { address: 'ann@test.example', memberId, reason: expect.stringContaining('no such user') },
  ])
  const inbox = await context.db('inbox').where({ userId: memberId })
  expect(inbox).toMatchObject([{ kind: 'mail-refused', facts: {} }])

  // The mailbox would take it now, and is not asked.
  server.recipientRejection = undefined
  const next = await enqueue()
  const skipped = await attempts('skipped')
  await sendMail(context, { mailId: next })
  expect(server.mails).toEqual([])
  expect((await row(next)).lastError).toMatch(/mail allow/)
  expect(await attempts('skipped')).toBe(skipped + 1)
})

it('a reminder to a refused address is dropped and is no rejection', async () => {
  const { mailId } = await enqueueReminder()
  await inTransaction(context.db, (tx) =>
    refuseAddress(tx, { email: 'ann@test.example', reason: 'x', fact: 1 }),
  )
  const rejected = await attempts('rejected')
  await sendMail(context, { mailId })
  expect(await row(mailId)).toBeUndefined()
  expect(await mailFigures(context.db)).toMatchObject({ waiting: 0, failed: 0 })
  expect(await attempts('rejected')).toBe(rejected)
})

it('a refused address is retried when an operator allows it, or after seven days', async () => {
  await server.start()
  await inTransaction(context.db, (tx) =>
    refuseAddress(tx, { email: 'Ann@test.example', reason: 'x', fact: 1 }),
  )
  await context.db.raw(`update refused_addresses set "refusedAt" = now() - interval '7 days'`)
  await sendMail(context, { mailId: await enqueue() })
  expect(server.mails).toHaveLength(1)
  await inTransaction(context.db, (tx) =>
    refuseAddress(tx, { email: 'ann@test.example', reason: 'x', fact: 2 }),
  )
  await inTransaction(context.db, (tx) => allowAddress(tx, 'ann@test.example'))
  await sendMail(context, { mailId: await enqueue() })
  expect(server.mails).toHaveLength(2)
})

it('a refusal that arrives after another process sent the mail changes nothing', async () => {
  await server.start()
  server.recipientRejection = NO_SUCH_USER
  const mailId = await enqueue()
  const mailer = {
    ...context.mailer,
    send: async (mail: StoredMail) => {
      await markSent(context.db, mailId, false)
      await context.mailer.send(mail)
    },
  }
  await sendMail({ ...context, mailer }, { mailId })
  expect(await row(mailId)).toMatchObject({ failedAt: null, lastError: null, attempts: 0 })
  expect(await refusedAddresses(context.db, 10)).toEqual([])
})

it('the address of a mail that is deleted while it is sent is not kept', async () => {
  await server.start()
  server.recipientRejection = { responseCode: 550, message: '5.1.1 unknown' }
  const mailId = await enqueue()
  const mailer = {
    ...context.mailer,
    send: async (mail: StoredMail) => {
      await context.db('mails').where({ id: mailId }).delete()
      await context.mailer.send(mail)
    },
  }
  await sendMail({ ...context, mailer }, { mailId })
  expect(await refusedAddresses(context.db, 10)).toEqual([])
})

it('the refusal of a mailbox that a member has left is not kept', async () => {
  await server.start()
  server.recipientRejection = NO_SUCH_USER
  const mailId = await enqueue()
  await context.db('mails').where({ id: mailId }).update({ recipientKey: 'new@test.example' })
  await sendMail(context, { mailId })
  expect((await row(mailId)).lastError).toContain('no such user')
  expect(await refusedAddresses(context.db, 10)).toEqual([])
})

it.each([
  ['a content that is refused', 'rejection', { responseCode: 554, message: '5.7.1 spam' }, 1],
  [
    'a relay that is refused',
    'recipientRejection',
    { responseCode: 550, message: '5.7.1 relay' },
    1,
  ],
  ['a mailbox that is full', 'recipientRejection', { responseCode: 452, message: '4.2.2 full' }, 0],
] as const)('%s does not mark the address', async (_, what, rejection, final) => {
  await server.start()
  server[what] = rejection
  const mailId = await enqueue()
  await sendMail(context, { mailId }).catch(() => {})
  expect((await row(mailId)).failedAt !== null).toBe(final === 1)
  expect(await refusedAddresses(context.db, 10)).toEqual([])
})

it.each([450, 550])(
  'a refusal with code %s is logged without the address that it names',
  async (code) => {
    await server.start()
    const message = '<Ann@Test.example>: Recipient address rejected'
    server.recipientRejection = { responseCode: code, message }
    const mailId = await enqueue()
    let logged = ''
    const write = (line: string) => {
      logged += line
    }
    const log = createLog('test', 'debug', { write })
    const job = { name: 'send-mail', data: { mailId } } as const
    await runJob({ ...context, log }, sendMail, job).catch(() => {})
    expect(logged).toContain('<address>: Recipient address rejected')
    expect(logged).not.toMatch(/ann@test/i)
    expect((await row(mailId)).lastError).toContain(message)
  },
)

it('a mail stays waiting while the server rejects the password of SMTP_URL', async () => {
  server.password = 'the new one'
  onTestFinished(() => {
    server.password = undefined
  })
  await server.start()
  const mailId = await enqueue()
  const mailerWith = (password: string) => {
    const url = new URL(server.url)
    Object.assign(url, { username: 'tesp', password })
    const mailer = createMailer({ ...context.config, smtpUrl: url.href })
    onTestFinished(() => mailer.close())
    return mailer
  }
  const before = { ...context, mailer: mailerWith('the old one') }
  await expect(sendMail(before, { mailId })).rejects.toThrow()
  expect(await row(mailId)).toMatchObject({ attempts: 1, sentAt: null, failedAt: null })
  await sendMail({ ...context, mailer: mailerWith('the new one') }, { mailId })
  expect(server.mails[0]).toContain('It is 123456.')
})

it('the development outbox keeps the text of sent mails', async () => {
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
