import { afterAll, beforeAll, expect, it } from 'vitest'
import { enqueueMail, MAIL_TRIES, mailsToQueue, markFailed, noteQueued } from '#db/mails'
import { refuseAddress } from '#db/members/refused-addresses'
import { inTransaction } from '#db/postgres/statements/transaction'
import { listActions } from '#operators/actions/action-log'
import { operate } from '#operators/ops/testing/operate'
import { redisForRequests } from '#runtime/redis'
import { testConfig } from '#scripts/testing/db/database'
import { type FreshDatabase, freshDatabase } from '#scripts/testing/db/fresh-database'
import { insertMember } from '#scripts/testing/db/members'
import { jobQueue } from '#workers/queue'

let fresh: FreshDatabase
let mailId: number

beforeAll(async () => {
  fresh = await freshDatabase()
  const mail = { to: 'a@test.example', subject: 'verified', text: 'x' }
  mailId = await inTransaction(fresh.db, (tx) => enqueueMail(tx, fresh.dataKey, mail))
})
afterAll(() => fresh.close())

const place = () => ({ db: fresh.db, config: testConfig(fresh) })
const retry = (...args: string[]) =>
  operate(place(), 'mail retry', args, { reason: 'the server is back' })

it('ops mail retry lets workers queue a failed mail again and logs it', async () => {
  await noteQueued(fresh.db, [mailId])
  for (let n = 0; n < MAIL_TRIES; n++) await markFailed(fresh.db, mailId, 'mailbox full')
  expect(await operate(place(), 'mail failed')).toContain('mailbox full')
  expect(await retry('@all')).toBe('1 mails are tried again')
  expect(await operate(place(), 'mail failed')).toBe('none')
  expect(await mailsToQueue(fresh.db, false)).toMatchObject([{ id: mailId }])
  expect(await listActions(fresh.db, 1)).toMatchObject([
    { action: 'mail retry', details: { mails: [mailId] } },
  ])
})

it('ops queues counts waiting jobs with and without a priority', async () => {
  const redis = redisForRequests(fresh.redisUrl)
  const queue = await jobQueue('send-mail', redis, fresh.redisPrefix)
  await queue.add('send-mail', { mailId: 1 })
  await queue.add('send-mail', { mailId: 2 }, { priority: 1 })
  const [send] = JSON.parse(await operate(place(), 'queues', [], { json: true })).filter(
    (row: { queue: string }) => row.queue === 'send-mail',
  )
  expect(send).toEqual({ queue: 'send-mail', waiting: 2, active: 0, delayed: 0, failed: 0 })
  await queue.close()
  redis.disconnect()
})

it.each([
  [100, (mails: number[]) => ({ mails })],
  [101, () => ({ number: 101 })],
])('the log names the mails of a retry of %i, or their number', async (count, details) => {
  const mail = { to: 'a@test.example', subject: 'verified', text: 'x' }
  const ids: number[] = []
  await inTransaction(fresh.db, async (tx) => {
    ids.length = 0
    for (let n = 0; n < count; n++) ids.push(await enqueueMail(tx, fresh.dataKey, mail))
  })
  const failed = { failedAt: new Date(), attempts: MAIL_TRIES }
  await fresh.db('mails').whereIn('id', ids).update(failed)
  expect(await retry('@all')).toBe(`${count} mails are tried again`)
  expect((await listActions(fresh.db, 1))[0]?.details).toEqual(details(ids))
})

it.each(['', 'x', '0', '999999', '@all'])('ops mail retry %s is rejected', async (text) => {
  await expect(retry(...(text ? [text] : []))).rejects.toThrow(/mail|argument 'id/)
})

it('ops mail refused shows an address and whose it is; mail allow lets it have mails again', async () => {
  const email = 'gone@test.example'
  const memberId = await insertMember(fresh.db)
  await fresh.db('users').where({ id: memberId }).update({ email, emailKey: email })
  await inTransaction(fresh.db, (tx) => refuseAddress(tx, { email, reason: '550 5.1.1', fact: 1 }))
  const list = JSON.parse(await operate(place(), 'mail refused', [], { json: true }))
  expect(list).toMatchObject([{ address: email, memberId, reason: '550 5.1.1' }])
  expect(await operate(place(), 'members show', [email])).toMatch(/mail refused\s+550 5\.1\.1/)
  const allow = () =>
    operate(place(), 'mail allow', ['Gone@test.example'], { reason: 'the mailbox exists again' })
  expect(await allow()).toContain('are tried again')
  expect(await operate(place(), 'mail refused')).toBe('none')
  await expect(allow()).rejects.toThrow('refused address')
  expect(await listActions(fresh.db, 1)).toMatchObject([{ action: 'mail allow' }])
})
