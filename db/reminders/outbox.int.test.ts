import { afterAll, afterEach, beforeAll, expect, it } from 'vitest'
import { endSessions } from '#db/mining/end-sessions'
import { startMining, stopMining } from '#db/mining/mining'
import { deleteOld } from '#db/old-rows'
import { productNow } from '#db/postgres/connection/product-clock'
import { inTransaction } from '#db/postgres/statements/transaction'
import { HOUR_MS, MINUTE_MS, SESSION_MS } from '#rules/constants'
import { REMINDER_LIFE_MS } from '#rules/members/reminders'
import { advance, freeze } from '#scripts/testing/db/clock'
import { type FreshDatabase, freshDatabase } from '#scripts/testing/db/fresh-database'
import { insertMember, insertMembers } from '#scripts/testing/db/members'
import { insertFinished, wantMail } from '#scripts/testing/db/reminders'
import { plansOf } from '#scripts/testing/db/statements/plans'
import { claimReminders, postponeReminder, settleReminder } from './outbox.ts'
import { addSubscription } from './push-subscriptions.ts'

const CLAIM = { limit: 100, leaseMs: MINUTE_MS }
const SUBSCRIPTION = { p256dh: 'p', auth: 'a' }
let fresh: FreshDatabase
let memberId: number

beforeAll(async () => {
  fresh = await freshDatabase()
  memberId = await insertMember(fresh.db)
  await freeze(fresh.db)
})
afterAll(() => fresh.close())
afterEach(() => fresh.db('reminders').delete())

const queued = () => fresh.db('reminders').orderBy('id')

async function addDevice(memberId: number, name: string): Promise<number> {
  const signIn = { memberId, epoch: 0, signInName: name }
  const device = { ...signIn, device: 'Firefox on Linux', language: 'en' } as const
  const subscription = { ...SUBSCRIPTION, endpoint: `https://push.example/${name}` }
  await inTransaction(fresh.db, (tx) => addSubscription(tx, fresh.dataKey, device, subscription))
  const row = await fresh.db('push_subscriptions').where({ signInName: name }).first('id')
  return row.id
}

/** Ends a session of the member after its 24 hours; returns its id. */
async function endOne(userId: number, lateMs = 0): Promise<number> {
  const [sessionId = 0] = await insertFinished(
    fresh.db,
    [userId],
    await productNow(fresh.db),
    lateMs,
  )
  await endSessions(fresh.db)
  return sessionId
}

async function memberWithMail(): Promise<number> {
  const userId = await insertMember(fresh.db)
  await wantMail(fresh.db, userId)
  return userId
}

it('the end of 24 hours queues one reminder for each channel of the member', async () => {
  const userId = await memberWithMail()
  const devices = [await addDevice(userId, 'phone'), await addDevice(userId, 'desk')]
  const sessionId = await endOne(userId)
  const rows = await queued()
  expect(rows.map(({ subscriptionId }) => subscriptionId).sort()).toEqual([...devices, null].sort())
  expect(rows.every((row) => row.sessionId === sessionId && row.userId === userId)).toBe(true)
})

it('a member who has switched nothing on gets no reminder', async () => {
  await endOne(await insertMember(fresh.db))
  const off = await insertMember(fresh.db)
  await fresh.db('reminder_preferences').insert({ userId: off, mail: false, language: 'en' })
  await endOne(off)
  expect(await queued()).toEqual([])
})

it('a manual stop queues no reminder', async () => {
  const userId = await memberWithMail()
  await inTransaction(fresh.db, (tx) => startMining(tx, userId))
  await advance(fresh.db, 5 * HOUR_MS)
  await inTransaction(fresh.db, (tx) => stopMining(tx, userId))
  expect(await queued()).toEqual([])
})

it('a start that ends the session of before queues its reminder', async () => {
  const userId = await memberWithMail()
  await inTransaction(fresh.db, (tx) => startMining(tx, userId))
  await advance(fresh.db, SESSION_MS)
  await inTransaction(fresh.db, (tx) => startMining(tx, userId))
  expect(await queued()).toHaveLength(1)
  expect(await claimReminders(fresh.db, CLAIM)).toMatchObject([{ isMining: true }])
})

it('a session and its reminder end in one transaction', async () => {
  const userId = await memberWithMail()
  await insertFinished(fresh.db, [userId], await productNow(fresh.db))
  const failing = fresh.db.transaction(async (tx) => {
    await endSessions(tx)
    throw new Error('rolled back')
  })
  await expect(failing).rejects.toThrow('rolled back')
  expect(await queued()).toEqual([])
  await endSessions(fresh.db)
  await endSessions(fresh.db)
  expect(await queued()).toHaveLength(1)
})

it('a session that is ended too late queues no reminder', async () => {
  await endOne(await memberWithMail(), REMINDER_LIFE_MS)
  expect(await queued()).toEqual([])
  await endOne(await memberWithMail(), REMINDER_LIFE_MS - MINUTE_MS)
  expect(await queued()).toHaveLength(1)
})

it('a device that is removed before the end of the session is no error', async () => {
  const userId = await memberWithMail()
  const id = await addDevice(userId, 'old')
  await endOne(userId)
  await fresh.db('push_subscriptions').where({ id }).delete()
  const claimed = await claimReminders(fresh.db, CLAIM)
  expect(claimed.find(({ subscriptionId }) => subscriptionId === id)).toMatchObject({
    sealed: null,
  })
})

it('parallel workers claim each reminder once', async () => {
  const members = await insertMembers(fresh.db, 60)
  for (const userId of members) await wantMail(fresh.db, userId)
  await insertFinished(fresh.db, members, await productNow(fresh.db))
  await endSessions(fresh.db)
  const claims = await Promise.all(
    Array.from({ length: 6 }, () => claimReminders(fresh.db, { ...CLAIM, limit: 15 })),
  )
  const ids = claims.flat().map(({ id }) => id)
  expect(ids).toHaveLength(60)
  expect(new Set(ids).size).toBe(60)
})

it('a claim does not wait for rows that another worker is claiming', async () => {
  const members = await insertMembers(fresh.db, 4)
  for (const userId of members) await wantMail(fresh.db, userId)
  await insertFinished(fresh.db, members, await productNow(fresh.db))
  await endSessions(fresh.db)
  await fresh.db.transaction(async (tx) => {
    const first = await claimReminders(tx, { ...CLAIM, limit: 2 })
    const second = await claimReminders(fresh.db, { ...CLAIM, limit: 2 })
    expect(new Set([...first, ...second].map(({ id }) => id)).size).toBe(4)
  })
})

/** Lets real time pass for the one reminder that is not settled. */
async function letPass(ms: number): Promise<void> {
  const { id, nextTryAt } = await fresh.db('reminders').whereNull('settledAt').first()
  await fresh
    .db('reminders')
    .where({ id })
    .update({ nextTryAt: new Date(nextTryAt.getTime() - ms) })
}

it('a claimed reminder is due again after its lease, a postponed one after its delay', async () => {
  await endOne(await memberWithMail())
  const [first] = await claimReminders(fresh.db, CLAIM)
  expect(await claimReminders(fresh.db, CLAIM)).toEqual([])
  await letPass(MINUTE_MS)
  const [second] = await claimReminders(fresh.db, CLAIM)
  expect(second).toMatchObject({ id: first?.id, attempts: 2 })
  await postponeReminder(fresh.db, second?.id ?? 0, HOUR_MS, 'status 503')
  await letPass(59 * MINUTE_MS)
  expect(await claimReminders(fresh.db, CLAIM)).toEqual([])
  await letPass(MINUTE_MS)
  expect(await claimReminders(fresh.db, CLAIM)).toMatchObject([{ attempts: 3 }])
})

it('a reminder is settled once and is not claimed again', async () => {
  await endOne(await memberWithMail())
  const [{ id } = { id: 0 }] = await claimReminders(fresh.db, CLAIM)
  const settled = await Promise.all([1, 2, 3].map(() => settleReminder(fresh.db, id, 'sent')))
  expect(settled.filter(Boolean)).toHaveLength(1)
  await fresh.db('reminders').update({ nextTryAt: fresh.db.raw(`now() - interval '1 hour'`) })
  expect(await claimReminders(fresh.db, CLAIM)).toEqual([])
})

it('the life of a reminder is that of its session, at the speed of product time', async () => {
  await endOne(await memberWithMail(), HOUR_MS)
  await fresh.db('product_clock').update({ speed: 60 })
  const [claimed] = await claimReminders(fresh.db, CLAIM)
  const expected = (REMINDER_LIFE_MS - HOUR_MS) / 60
  expect(claimed?.leftMs).toBeGreaterThan(expected - MINUTE_MS)
  expect(claimed?.leftMs).toBeLessThanOrEqual(expected)
  await freeze(fresh.db)
})

it('reminders are deleted 7 days after they ended, and open ones are kept', async () => {
  await endOne(await memberWithMail())
  const [{ id } = { id: 0 }] = await claimReminders(fresh.db, CLAIM)
  await fresh.db('reminders').update({ createdAt: fresh.db.raw(`now() - interval '9 days'`) })
  expect(await deleteOld(fresh.db, 'reminders')).toBe(0)
  await settleReminder(fresh.db, id, 'sent')
  expect(await deleteOld(fresh.db, 'reminders')).toBe(0)
  await fresh.db('reminders').update({ settledAt: fresh.db.raw(`now() - interval '8 days'`) })
  expect(await deleteOld(fresh.db, 'reminders')).toBe(1)
})

/** Rows of ended sessions or of an announcement, for devices that do not exist. */
const insertRows = (count: number, isAnnouncement: boolean, nextTryAt = 'now()') =>
  fresh.db.raw(
    `insert into reminders ("sessionId", "endedAt", kind, fact, "userId", "subscriptionId", "nextTryAt")
     select ${isAnnouncement ? `null, null, 'announcement', '1'` : `n, now(), 'session-ended', ''`},
       :userId, n, ${nextTryAt} from generate_series(1, :count::int) n`,
    { count, userId: memberId },
  )

it('announcements are claimed last, however long they have been due', async () => {
  await insertRows(5, true, `now() - interval '1 hour'`)
  await insertRows(3, false)
  const claim = async () => {
    const claimed = await claimReminders(fresh.db, { ...CLAIM, limit: 4 })
    return claimed.map(({ kind }) => kind).sort()
  }
  const [announcement, session] = ['announcement', 'session-ended']
  expect(await claim()).toEqual([announcement, session, session, session])
  expect(await claim()).toEqual(Array(4).fill(announcement))
  expect(await claim()).toEqual([])
})

it('a claim finds due reminders by indexes, without reading the announcements that wait', async () => {
  await insertRows(5_000, false)
  await fresh.db('reminders').update({ settledAt: fresh.db.fn.now(), outcome: 'sent' })
  await insertRows(5_000, true)
  await fresh.db.raw('vacuum analyze reminders')
  const claim = () => claimReminders(fresh.db, { ...CLAIM, limit: 32 })
  const [plan = ''] = await plansOf(fresh, claim, 'with personal')
  // Citus appends the number of the shard.
  expect(plan).toMatch(/Index Scan using reminders_due_personal\S* on reminders/)
  expect(plan).toMatch(/Index Scan using reminders_due(_\d+)? on reminders/)
  expect(plan).toMatch(/Index Scan using reminders_pkey\S* on reminders.*\s+Index Cond: \(id = ANY/)
  expect(plan).not.toMatch(/Sort|Join/)
})
