import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { newestMails } from '#db/mails'
import { endSessions } from '#db/mining/sessions'
import { productNow } from '#db/postgres/product-clock'
import { type Db, inTransaction } from '#db/postgres/transaction'
import { addSubscription } from '#db/reminders/push-subscriptions'
import { freeze } from '#db/testing/clock'
import { insertMember } from '#db/testing/members'
import { insertFinished, wantMail } from '#db/testing/reminders'
import { insertSessions } from '#db/testing/sessions'
import { cutAfterStatements } from '#db/testing/statements/cut-after-statements'
import type { Language } from '#rules/languages'
import { REMINDER_LIFE_MS } from '#rules/reminders'
import { type TestContext, testContext } from '#workers/testing/context'
import type { PushDevice } from '#workers/testing/push-device'
import { type PushService, pushService } from '#workers/testing/push-service'
import { endSessionsDue } from './end-sessions.ts'
import { sendReminders } from './send-reminders.ts'

let context: TestContext
let service: PushService
let memberId: number

beforeAll(async () => {
  service = await pushService()
  context = await testContext({
    PUSH_PRIVATE_ENDPOINTS: 'on',
    PUBLIC_ORIGIN: 'https://tesp.example',
  })
  await freeze(context.db)
})
afterAll(async () => {
  await service.close()
  await context.close()
})
beforeEach(async () => {
  memberId = await insertMember(context.db)
})
afterEach(async () => {
  service.refusal = undefined
  service.beforeAnswer = () => {}
  service.deliveries.length = 0
  for (const table of ['reminders', 'push_subscriptions', 'mails']) await context.db(table).delete()
})

/** Subscribes a device of the member. */
async function subscribe(language: Language = 'en'): Promise<PushDevice> {
  const device = service.subscribe()
  const owner = { memberId, signInName: device.endpoint, device: 'Firefox on Linux', language }
  await inTransaction(context.db, (tx) =>
    addSubscription(tx, context.config.dataKey, owner, device.subscription),
  )
  return device
}

async function endSession(): Promise<number> {
  const [id = 0] = await insertFinished(context.db, [memberId], await productNow(context.db))
  await endSessionsDue(context, {})
  return id
}

const send = (db: Db = context.db) => sendReminders({ ...context, db }, {})
const rows = () => context.db('reminders').where({ userId: memberId }).orderBy('id')
const makeDue = () =>
  context.db('reminders').update({ nextTryAt: context.db.raw(`now() - interval '1 second'`) })
const mails = () => newestMails(context.db, context.config.dataKey)
const counted = async (channel: string, result: string) => {
  const text = await context.metrics.registry.metrics()
  const line = new RegExp(`reminders_total\\{channel="${channel}",result="${result}"\\} (\\d+)`)
  return Number(line.exec(text)?.[1] ?? 0)
}

describe('a reminder by push', () => {
  it('a push message names the end of the session, in the language of its device', async () => {
    const [english, vietnamese] = [await subscribe(), await subscribe('vi')]
    const sent = await counted('push', 'sent')
    const sessionId = await endSession()
    await send()
    const shown = { tag: `session-${sessionId}`, path: '/mine' }
    expect(service.shownOn(english)).toMatchObject([
      { ...shown, title: 'Your 24 hours are over', lang: 'en' },
    ])
    expect(service.shownOn(vietnamese)).toMatchObject([
      { ...shown, title: 'Phiên đào 24 giờ đã kết thúc', lang: 'vi' },
    ])
    expect(await counted('push', 'sent')).toBe(sent + 2)
  })

  it('a push message has the session as topic and expires with the reminder', async () => {
    await subscribe()
    const sessionId = await endSession()
    await send()
    const { headers } = service.deliveries[0] ?? {}
    expect(headers?.topic).toBe(`session-${sessionId}`)
    expect(Number(headers?.ttl)).toBe(REMINDER_LIFE_MS / 1_000)
  })

  it('a reminder is sent once, however often the job runs', async () => {
    await subscribe()
    await endSession()
    await Promise.all([send(), send(), send()])
    await makeDue()
    await send()
    expect(service.deliveries).toHaveLength(1)
  })

  it('a subscription that is gone is removed, and the others are reminded', async () => {
    const removed = await counted('push', 'removed')
    const gone = await subscribe()
    const kept = await subscribe()
    const other = { ...gone.subscription, endpoint: `${service.origin}/gone` }
    const owner = { memberId, signInName: gone.endpoint, device: 'x', language: 'en' } as const
    await inTransaction(context.db, (tx) =>
      addSubscription(tx, context.config.dataKey, owner, other),
    )
    await endSession()
    await send()
    expect(service.shownOn(kept)).toHaveLength(1)
    expect(await context.db('push_subscriptions').where({ userId: memberId })).toHaveLength(1)
    expect((await rows()).map(({ outcome }) => outcome).sort()).toEqual(['removed', 'sent'])
    expect(await counted('push', 'removed')).toBe(removed + 1)
  })

  it.each([
    [{ status: 429, headers: { 'Retry-After': '7200' } }, 7_200],
    [{ status: 503, headers: {} }, 60],
  ])('a push service that answers %j is asked again later', async (refusal, seconds) => {
    const device = await subscribe()
    await endSession()
    service.refusal = refusal
    await send()
    const { rows: waits } = await context.db.raw(
      `select extract(epoch from "nextTryAt" - now())::float8 as seconds, "settledAt" from reminders`,
    )
    expect(waits[0].settledAt).toBeNull()
    expect(waits[0].seconds).toBeGreaterThan(seconds - 30)
    expect(waits[0].seconds).toBeLessThanOrEqual(seconds)
    service.refusal = undefined
    await makeDue()
    await send()
    expect(service.shownOn(device)).toHaveLength(1)
  })

  it('a message that the push service rejects is given up and its device is kept', async () => {
    await subscribe()
    await endSession()
    service.refusal = { status: 400 }
    await send()
    expect(await rows()).toMatchObject([{ outcome: 'failed', lastError: 'status 400' }])
    expect(await context.db('push_subscriptions').where({ userId: memberId })).toHaveLength(1)
  })

  it('a reminder that is not sent in time expires', async () => {
    await subscribe()
    await endSession()
    service.refusal = { status: 503 }
    await send()
    service.refusal = undefined
    await context.db.raw(`update reminders set "endedAt" = "endedAt" - interval '12 hours'`)
    await makeDue()
    await send()
    expect(service.deliveries).toEqual([])
    expect(await rows()).toMatchObject([{ outcome: 'expired' }])
  })

  it('a member who mines again is not reminded', async () => {
    await subscribe()
    await endSession()
    await insertSessions(context.db, [{ userId: memberId, startedAt: Date.now() }])
    await send()
    expect(service.deliveries).toEqual([])
    expect(await rows()).toMatchObject([{ outcome: 'mining' }])
  })

  it('a frozen member is not reminded', async () => {
    await subscribe()
    await endSession()
    const frozen = { frozenAt: context.db.fn.now(), frozenReason: 'a check' }
    await context.db('users').where({ id: memberId }).update(frozen)
    await send()
    expect(await rows()).toMatchObject([{ outcome: 'unwanted' }])
  })

  it('a private endpoint that was stored gets no request and is removed', async () => {
    await subscribe()
    await endSession()
    const config = { ...context.config, pushPrivateEndpoints: false }
    await sendReminders({ ...context, config }, {})
    expect(service.deliveries).toEqual([])
    expect(await context.db('push_subscriptions').where({ userId: memberId })).toEqual([])
  })

  it('a worker that dies after any statement shows its device exactly one notification', async () => {
    const device = await subscribe()
    await endSession()
    const cuts = await cutAfterStatements(context.fresh.url, {
      work: (db) => send(db),
      async check() {
        await makeDue()
        expect(service.shownOn(device).length).toBeLessThanOrEqual(1)
      },
    })
    expect(cuts).toBeGreaterThanOrEqual(1)
    expect(service.shownOn(device)).toHaveLength(1)
    expect(new Set(service.deliveries.map(({ headers }) => headers.topic)).size).toBe(1)
    expect(await rows()).toMatchObject([{ outcome: 'sent' }])
  })
})

describe('a reminder by mail', () => {
  it('a mail names the page and the link that stops these mails', async () => {
    await wantMail(context.db, memberId)
    await endSession()
    await send()
    const [mail, ...others] = await mails()
    expect(others).toEqual([])
    expect(mail).toMatchObject({
      subject: 'TESP Network: your 24 hours are over',
      unsubscribes: memberId,
    })
    expect(mail?.text).toContain('https://tesp.example/mine')
    expect(mail?.text).toMatch(
      new RegExp(`https://tesp\\.example/unsubscribe\\?token=${memberId}\\.[\\w-]{43}`),
    )
    const jobs = await context.mailQueue.getWaiting()
    expect(jobs.map(({ data }) => data.mailId)).toContain(mail?.id)
  })

  it('a mail is written in the language in which the member asked for it', async () => {
    await wantMail(context.db, memberId, 'vi')
    await endSession()
    await send()
    expect((await mails())[0]?.subject).toBe('TESP Network: phiên đào 24 giờ của bạn đã kết thúc')
  })

  it('a mail that is switched off meanwhile is not written', async () => {
    await wantMail(context.db, memberId)
    await endSession()
    await context.db('reminder_preferences').where({ userId: memberId }).update({ mail: false })
    await send()
    expect(await mails()).toEqual([])
    expect(await rows()).toMatchObject([{ outcome: 'unwanted' }])
  })

  it('a worker that dies after any statement leaves exactly one mail', async () => {
    await wantMail(context.db, memberId)
    await endSession()
    const cuts = await cutAfterStatements(context.fresh.url, {
      work: (db) => send(db),
      async check() {
        await makeDue()
        expect((await mails()).length).toBeLessThanOrEqual(1)
      },
    })
    expect(cuts).toBeGreaterThanOrEqual(4)
    expect(await mails()).toHaveLength(1)
  })
})

it('the end of a session by any statement queues its reminders', async () => {
  await wantMail(context.db, memberId)
  const [id = 0] = await insertFinished(context.db, [memberId], await productNow(context.db))
  await endSessions(context.db, { id, userId: memberId, quarantinedAt: null })
  expect(await rows()).toHaveLength(1)
})
