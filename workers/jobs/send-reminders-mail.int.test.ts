import { Worker } from 'bullmq'
import { expect, it } from 'vitest'
import { enqueueMail } from '#db/mails'
import { refuseAddress } from '#db/members/refused-addresses'
import { endSession as endOne } from '#db/mining/end-sessions'
import { productNow } from '#db/postgres/connection/product-clock'
import { inTransaction } from '#db/postgres/statements/transaction'
import { redisForQueues } from '#runtime/redis'
import { insertFinished, wantMail } from '#scripts/testing/db/reminders'
import { cutAfterStatements } from '#scripts/testing/db/statements/cut-after-statements'
import { useRemindedMember } from '#scripts/testing/workers/reminded-member'
import { queuePrefix } from '#workers/queue'
import { queueMails } from './queue-mails.ts'

const { member, endSession, send, rows, makeDue, mails, counted } = useRemindedMember()

it('a mail names the page and the link that stops these mails', async () => {
  await wantMail(member.context.db, member.id)
  await endSession()
  await send()
  const [mail, ...others] = await mails()
  expect(others).toEqual([])
  expect(mail).toMatchObject({
    subject: 'TESP Network: your 24 hours are over',
    unsubscribes: member.id,
  })
  expect(mail?.text).toContain('https://tesp.example/mine')
  expect(mail?.text).toMatch(
    new RegExp(`https://tesp\\.example/unsubscribe\\?token=${member.id}\\.[\\w-]{43}`),
  )
})

it('a mail is written in the language in which the member asked for it', async () => {
  await wantMail(member.context.db, member.id, 'vi')
  await endSession()
  await send()
  const [mail] = await mails()
  expect(mail?.subject).toBe('TESP Network: phiên đào 24 giờ của bạn đã kết thúc')
  expect(mail?.text).toMatch(/\/unsubscribe\?token=\S+&language=vi$/m)
})

it('a mail is written in the language that the member has chosen since', async () => {
  await wantMail(member.context.db, member.id, 'en')
  await member.context.db('users').where({ id: member.id }).update({ language: 'vi' })
  await endSession()
  await send()
  expect((await mails())[0]?.subject).toBe('TESP Network: phiên đào 24 giờ của bạn đã kết thúc')
})

it('a code that is queued after a reminder is sent before it', async () => {
  const { db, config, mailQueue } = member.context
  await mailQueue.obliterate({ force: true })
  await wantMail(db, member.id)
  await endSession()
  await send()
  const [reminder] = await mails()
  await queueMails(member.context, {})
  const text = { to: 'a@test.example', subject: 's', text: 't' }
  const code = await inTransaction(db, (tx) => enqueueMail(tx, config.dataKey, text))
  await queueMails(member.context, {})
  const connection = redisForQueues(config.redisUrl)
  const sent: number[] = []
  const taking = new Worker('send-mail', async ({ data }) => void sent.push(data.mailId), {
    connection,
    prefix: queuePrefix(config.redisPrefix),
  })
  await expect.poll(() => sent).toEqual([code, reminder?.id])
  await taking.close()
  connection.disconnect()
})

it('a mail that is switched off meanwhile is not written', async () => {
  await wantMail(member.context.db, member.id)
  await endSession()
  await member.context
    .db('reminder_preferences')
    .where({ userId: member.id })
    .update({ mail: false })
  await send()
  expect(await mails()).toEqual([])
  expect(await rows()).toMatchObject([{ outcome: 'unwanted' }])
})

it('a worker that dies after any statement leaves exactly one mail', async () => {
  await wantMail(member.context.db, member.id)
  await endSession()
  const cuts = await cutAfterStatements(member.context.fresh.url, {
    work: (db) => send(db),
    async check() {
      await makeDue()
      expect((await mails()).length).toBeLessThanOrEqual(1)
    },
  })
  expect(cuts).toBeGreaterThanOrEqual(4)
  expect(await mails()).toHaveLength(1)
})

it('no mail is written to an address that refuses mails', async () => {
  const { db } = member.context
  const before = await counted('mail', 'unwanted')
  const { email } = await db('users').where({ id: member.id }).first('email')
  await inTransaction(db, (tx) => refuseAddress(tx, { email, reason: 'x', fact: 1 }))
  await wantMail(db, member.id)
  await endSession()
  await send()
  expect(await mails()).toEqual([])
  expect(await rows()).toMatchObject([{ outcome: 'unwanted' }])
  expect(await counted('mail', 'unwanted')).toBe(before + 1)
})

it('the end of a session by any statement queues its reminders', async () => {
  await wantMail(member.context.db, member.id)
  const [id = 0] = await insertFinished(
    member.context.db,
    [member.id],
    await productNow(member.context.db),
  )
  await inTransaction(member.context.db, (tx) => endOne(tx, { id, userId: member.id }))
  expect(await rows()).toHaveLength(1)
})
