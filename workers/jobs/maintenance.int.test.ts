import { afterAll, beforeAll, beforeEach, expect, it, vi } from 'vitest'
import { creditIntervals } from '#db/ledger/ledger'
import { enqueueMail } from '#db/mails'
import { decideAndNotify, submitDocument } from '#db/members/kyc'
import { productNow } from '#db/postgres/connection/product-clock'
import { inTransaction } from '#db/postgres/statements/transaction'
import { memberKey } from '#rules/buckets'
import { DAY_MS } from '#rules/constants'
import { advance } from '#scripts/testing/db/clock'
import { insertMember } from '#scripts/testing/db/members'
import { insertSessions, startedBefore } from '#scripts/testing/db/sessions'
import { type TestContext, testContext } from '#scripts/testing/workers/context'
import { maintenance } from './maintenance.ts'

let context: TestContext

beforeAll(async () => {
  context = await testContext({ SMTP_URL: 'smtp://127.0.0.1:1' })
})
afterAll(() => context.close())
beforeEach(async () => {
  await context.db('mails').delete()
})

const figure = async (name: string) => {
  const metric = await context.metrics.registry.getSingleMetric(name)?.get()
  return metric?.values[0]?.value
}
async function mail(age: string): Promise<number> {
  const text = { to: 'a@test.example', subject: 's', text: 't' }
  const id = await inTransaction(context.db, (tx) => enqueueMail(tx, context.config.dataKey, text))
  await context.db.raw('update mails set "createdAt" = now() - ?::interval where id = ?', [age, id])
  return id
}

it('reminders that wait are not counted among the mails that wait', async () => {
  const reminder = await mail('10 seconds')
  await mail('10 seconds')
  await context.db('mails').where({ id: reminder }).update({ unsubscribes: 1 })
  expect(await figure('mails_waiting')).toBe(1)
})

it('maintenance creates partitions and moves rows there from the default partition', async () => {
  const userId = await insertMember(context.db)
  await advance(context.db, 40 * DAY_MS)
  const startedAt = startedBefore(await productNow(context.db), 1)
  const [sessionId = 0] = await insertSessions(context.db, [{ userId, startedAt }])
  await creditIntervals(context.db, { sessionId, memberId: userId })
  const stray = () => context.db('wallet_activity_default')
  expect(await stray()).toHaveLength(1)
  await maintenance(context, {})
  expect(await stray()).toHaveLength(0)
  expect(await figure('ledger_stray_rows')).toBe(0)
  expect(await context.db('wallet_activity').where({ userId })).toHaveLength(1)
})

it('maintenance merges no days whose credits are still to be rolled up', async () => {
  const months = async () => {
    const { rows } = await context.db.raw(
      `select relname from pg_class where relname ~ '^wallet_activity_[0-9]{6}$'`,
    )
    return rows.length
  }
  await maintenance(context, {})
  const before = await months()
  await advance(context.db, 60 * DAY_MS)
  const config = { ...context.config, ledgerDetailDays: 365 }
  await maintenance({ ...context, config }, {})
  expect(await months()).toBe(before)
  await maintenance(context, {})
  expect(await months()).toBeGreaterThan(before)
})

it('identity documents past their retention are deleted and counted in the log', async () => {
  const { db, config, log } = context
  const ids: number[] = []
  for (const age of ['29 days 23:59', '30 days 00:01']) {
    const userId = await insertMember(db)
    const passport = {
      documentType: 'passport',
      mime: 'image/png' as const,
      bytes: Buffer.from('x'),
    }
    await inTransaction(db, (tx) => submitDocument(tx, config.dataKey, userId, passport))
    const { id } = await db('kyc_documents').where({ userId }).first('id')
    const mail = { dataKey: config.dataKey, origin: undefined }
    await inTransaction(db, (tx) => decideAndNotify(tx, { id, accepted: true }, mail))
    await db.raw('update kyc_documents set "decidedAt" = now() - ?::interval where id = ?', [
      age,
      id,
    ])
    ids.push(id)
  }
  const info = vi.spyOn(log, 'info')
  await maintenance(context, {})
  expect(info).toHaveBeenCalledWith({ documents: 1 }, 'identity documents deleted')
  info.mockRestore()
  const held = await db('kyc_documents').whereNotNull('sealed').pluck('id')
  expect(held).toEqual([ids[0]])
})

it('codes, idempotency keys, mails and e-mail hashes are deleted after their retention', async () => {
  const userId = await insertMember(context.db)
  const codes = ['25 hours', '23 hours'].map((age) => ({
    purpose: 'register',
    emailKey: age,
    browserId: 'b',
    codeHash: 'h',
    createdAt: context.db.raw('now() - ?::interval', [age]),
    expiresAt: context.db.fn.now(),
  }))
  await context.db('email_codes').insert(codes)
  const keys = ['49 hours', '47 hours'].map((age) => ({
    ...memberKey(userId),
    key: age,
    route: 'POST /api/mining/claim',
    createdAt: context.db.raw('now() - ?::interval', [age]),
  }))
  await context.db('idempotency_keys').insert(keys)
  const [old, young] = [await mail('9 days'), await mail('8 days')]
  const [gone, failed] = [await mail('40 days'), await mail('40 days')]
  await context.db.raw(`update mails set "sentAt" = now() - interval '8 days' where id = ?`, [old])
  await context.db.raw(`update mails set "sentAt" = now() - interval '6 days' where id = ?`, [
    young,
  ])
  const failedAges: [number, string][] = [
    [gone, '31 days'],
    [failed, '29 days'],
  ]
  for (const [id, age] of failedAges) {
    const sql = `update mails set "failedAt" = now() - :age::interval where id = :id`
    await context.db.raw(sql, { id, age })
  }
  await context.db('counted_addresses').insert(
    ['366 days', '364 days'].map((age) => ({
      hash: age,
      createdAt: context.db.raw('now() - ?::interval', [age]),
    })),
  )
  await maintenance(context, {})
  expect(await context.db('counted_addresses').pluck('hash')).toEqual(['364 days'])
  expect(await context.db('email_codes').pluck('emailKey')).toEqual(['23 hours'])
  expect(await context.db('idempotency_keys').pluck('key')).toEqual(['47 hours'])
  expect(await context.db('mails').orderBy('id').pluck('id')).toEqual([young, failed])
})

it('a maintenance step that fails does not stop the others', async () => {
  // A partition is missing, and without the default one it cannot be created.
  await advance(context.db, DAY_MS)
  await context.db.schema.renameTable('wallet_activity_default', 'moved_away')
  const sent = await mail('9 days')
  await context.db.raw(`update mails set "sentAt" = now() - interval '8 days' where id = ?`, [sent])
  try {
    await expect(maintenance(context, {})).rejects.toThrow(/wallet_activity_default/)
    expect(await context.db('mails').where({ id: sent })).toEqual([])
  } finally {
    await context.db.schema.renameTable('moved_away', 'wallet_activity_default')
  }
})

it('tables whose old rows cannot be deleted do not stop the others, and the job fails with all of them', async () => {
  const { db } = context
  const refusing = ['email_codes', 'refused_addresses']
  const createdAt = db.raw(`now() - interval '366 days'`)
  await db.raw(`create function refuse_delete() returns trigger language plpgsql as $$
    begin raise exception 'no delete from %', tg_table_name; end $$`)
  for (const table of refusing) {
    await db.raw(`create trigger refuse before delete on ${table}
      for each statement execute function refuse_delete()`)
  }
  await db('counted_addresses').insert({ hash: 'old', createdAt })
  const sent = await mail('9 days')
  await db.raw(`update mails set "sentAt" = now() - interval '8 days' where id = ?`, [sent])
  try {
    await expect(maintenance(context, {})).rejects.toThrow(
      /no delete from email_codes[\s\S]*no delete from refused_addresses/,
    )
    expect(await db('counted_addresses').where({ hash: 'old' })).toEqual([])
    expect(await db('mails').where({ id: sent })).toEqual([])
  } finally {
    await db.raw('drop function refuse_delete() cascade')
  }
})
