import { expect, it, vi } from 'vitest'
import { inTransaction } from '#db/postgres/statements/transaction'
import { addSubscription } from '#db/reminders/push-subscriptions'
import { HOUR_MS } from '#rules/constants'
import { REMINDER_LIFE_MS } from '#rules/members/reminders'
import { insertSessions } from '#scripts/testing/db/sessions'
import { cutAfterStatements } from '#scripts/testing/db/statements/cut-after-statements'
import type { PushDevice } from '#scripts/testing/workers/push-device'
import { useRemindedMember } from '#scripts/testing/workers/reminded-member'
import { sendReminders } from './send-reminders.ts'

const { member, subscribe, endSession, send, rows, makeDue, counted } = useRemindedMember()

it('a push message names the end of the session, in the language of its device', async () => {
  const [english, vietnamese] = [await subscribe(), await subscribe('vi')]
  const sent = await counted('push', 'sent')
  const sessionId = await endSession()
  await send()
  const shown = { tag: `session-${sessionId}`, path: '/mine' }
  expect(member.service.shownOn(english)).toMatchObject([
    { ...shown, title: 'Your 24 hours are over', lang: 'en' },
  ])
  expect(member.service.shownOn(vietnamese)).toMatchObject([
    { ...shown, title: 'Phiên đào 24 giờ đã kết thúc', lang: 'vi' },
  ])
  expect(await counted('push', 'sent')).toBe(sent + 2)
})

it('a push message has the session as topic and expires with the reminder', async () => {
  await subscribe()
  const sessionId = await endSession()
  await send()
  const { headers } = member.service.deliveries[0] ?? {}
  expect(headers?.topic).toBe(`session-${sessionId}`)
  expect(Number(headers?.ttl)).toBe(REMINDER_LIFE_MS / 1_000)
})

it('a reminder is sent once, however often the job runs', async () => {
  await subscribe()
  await endSession()
  await Promise.all([send(), send(), send()])
  await makeDue()
  await send()
  expect(member.service.deliveries).toHaveLength(1)
})

it('a subscription that is gone is removed, and the others are reminded', async () => {
  const removed = await counted('push', 'removed')
  const gone = await subscribe()
  const kept = await subscribe()
  const other = { ...gone.subscription, endpoint: `${member.service.origin}/gone` }
  const owner = {
    memberId: member.id,
    epoch: 0,
    signInName: gone.endpoint,
    device: 'x',
    language: 'en',
  } as const
  await inTransaction(member.context.db, (tx) =>
    addSubscription(tx, member.context.config.dataKey, owner, other),
  )
  await endSession()
  await send()
  expect(member.service.shownOn(kept)).toHaveLength(1)
  expect(await member.context.db('push_subscriptions').where({ userId: member.id })).toHaveLength(1)
  expect((await rows()).map(({ outcome }) => outcome).sort()).toEqual(['removed', 'sent'])
  expect(await counted('push', 'removed')).toBe(removed + 1)
})

it.each([
  [{ status: 429, headers: { 'Retry-After': '7200' } }, 7_200],
  [{ status: 503, headers: {} }, 60],
])('a push service that answers %j is asked again later', async (refusal, seconds) => {
  const device = await subscribe()
  await endSession()
  member.service.refusal = refusal
  await send()
  const { rows: waits } = await member.context.db.raw(
    `select extract(epoch from "nextTryAt" - now())::float8 as seconds, "settledAt" from reminders`,
  )
  expect(waits[0].settledAt).toBeNull()
  expect(waits[0].seconds).toBeGreaterThan(seconds - 30)
  expect(waits[0].seconds).toBeLessThanOrEqual(seconds)
  member.service.refusal = undefined
  await makeDue()
  await send()
  expect(member.service.shownOn(device)).toHaveLength(1)
})

it('a message that the push service rejects is given up and its device is kept', async () => {
  await subscribe()
  await endSession()
  member.service.refusal = { status: 400 }
  await send()
  expect(await rows()).toMatchObject([{ outcome: 'failed', lastError: 'status 400' }])
  expect(await member.context.db('push_subscriptions').where({ userId: member.id })).toHaveLength(1)
})

it('a reminder that is not sent in time expires', async () => {
  await subscribe()
  await endSession()
  member.service.refusal = { status: 503 }
  await send()
  member.service.refusal = undefined
  const reminders = () => member.context.db('reminders').where({ userId: member.id })
  const { endedAt } = await reminders().whereNull('settledAt').first()
  await reminders().update({ endedAt: new Date(endedAt.getTime() - 12 * HOUR_MS) })
  await makeDue()
  await send()
  expect(member.service.deliveries).toEqual([])
  expect(await rows()).toMatchObject([{ outcome: 'expired' }])
})

it('a member who mines again is not reminded', async () => {
  await subscribe()
  await endSession()
  await insertSessions(member.context.db, [{ userId: member.id, startedAt: Date.now() }])
  await send()
  expect(member.service.deliveries).toEqual([])
  expect(await rows()).toMatchObject([{ outcome: 'mining' }])
})

it('a frozen member is not reminded', async () => {
  await subscribe()
  await endSession()
  const frozen = { frozenAt: member.context.db.fn.now(), frozenReason: 'a check' }
  await member.context.db('users').where({ id: member.id }).update(frozen)
  await send()
  expect(await rows()).toMatchObject([{ outcome: 'unwanted' }])
})

it('a private endpoint that was stored gets no request and is removed', async () => {
  await subscribe()
  await endSession()
  const config = { ...member.context.config, pushPrivateEndpoints: false }
  await sendReminders({ ...member.context, config }, {})
  expect(member.service.deliveries).toEqual([])
  expect(await member.context.db('push_subscriptions').where({ userId: member.id })).toEqual([])
})

/** Adds reminders of the newest device, more than are sent at once. */
const addReminders = async (attempts = 0) => {
  const { rowCount } = await member.context.db.raw(
    `insert into reminders ("userId", "subscriptionId", "sessionId", "endedAt", attempts, "nextTryAt")
     select "userId", max(id), -n, product_now(), :attempts, now() - :attempts * interval '1 minute'
     from push_subscriptions, generate_series(1, 40) n group by "userId", n`,
    { attempts },
  )
  return rowCount
}

/** Sends what is due while a device does not answer, until `isDone`. */
async function sendDespite(silent: PushDevice, isDone: () => Promise<void>): Promise<void> {
  let answer = () => {}
  const held = new Promise<void>((resolve) => {
    answer = resolve
  })
  member.service.beforeAnswer = ({ device }) => (device === silent ? held : undefined)
  // Its time-out would let the others go on.
  const timeout = vi.spyOn(AbortSignal, 'timeout').mockReturnValue(new AbortController().signal)
  const running = send()
  try {
    await isDone()
  } finally {
    answer()
    await running
    timeout.mockRestore()
  }
}

it('a device that does not answer holds up no others', async () => {
  const silent = await subscribe()
  await endSession()
  await makeDue()
  const other = await subscribe()
  const added = await addReminders()
  await sendDespite(silent, () =>
    expect.poll(() => member.service.shownOn(other).length).toBe(added),
  )
})

it('a device whose keys cannot be read takes no place of those that are retried', async () => {
  await subscribe()
  await addReminders(1)
  await member.context.db('push_subscriptions').update({ sealed: Buffer.from('damaged') })
  await send()
  const other = await subscribe()
  await addReminders(1)
  await send()
  expect(member.service.shownOn(other).length).toBeGreaterThan(0)
})

it('reminders that are retried in vain hold up no new ones', async () => {
  const silent = await subscribe()
  await addReminders(1)
  const other = await subscribe()
  await endSession()
  await sendDespite(silent, () => expect.poll(() => member.service.shownOn(other)).toHaveLength(1))
})

it('a worker that dies after any statement shows its device exactly one notification', async () => {
  const device = await subscribe()
  await endSession()
  const cuts = await cutAfterStatements(member.context.fresh.url, {
    work: (db) => send(db),
    async check() {
      await makeDue()
      expect(member.service.shownOn(device).length).toBeLessThanOrEqual(1)
    },
  })
  expect(cuts).toBeGreaterThanOrEqual(1)
  expect(member.service.shownOn(device)).toHaveLength(1)
  expect(new Set(member.service.deliveries.map(({ headers }) => headers.topic)).size).toBe(1)
  expect(await rows()).toMatchObject([{ outcome: 'sent' }])
})

it('a push service cannot put a message off beyond the life of its reminder', async () => {
  await subscribe()
  await endSession()
  member.service.refusal = { status: 503, headers: { 'Retry-After': '31536000000' } }
  await send()
  const { rows: waits } = await member.context.db.raw(
    `select extract(epoch from "nextTryAt" - now())::float8 * 1000 as ms from reminders`,
  )
  expect(waits[0].ms).toBeLessThanOrEqual(REMINDER_LIFE_MS)
})
