import { describe, expect, it } from 'vitest'
import { type InboxFact, writeInbox } from '#db/inbox/inbox'
import { inTransaction } from '#db/postgres/statements/transaction'
import { choosePushKind, queueAnnouncements } from '#db/reminders/push-notices'
import { addAnnouncement, endAnnouncement } from '#operators/actions/announcements'
import { HOUR_MS } from '#rules/constants'
import { PUSH_KINDS, type PushKind } from '#rules/members/reminders'
import { isOneServer } from '#scripts/testing/db/database'
import { insertMember } from '#scripts/testing/db/members'
import { useRemindedMember } from '#scripts/testing/workers/reminded-member'

const { member, subscribe, endSession, send, rows, makeDue } = useRemindedMember()

const choose = (kind: PushKind, on = true) =>
  inTransaction(member.context.db, (tx) =>
    choosePushKind(tx, member.id, { kind, on, language: 'en' }),
  )
const happen = (...facts: InboxFact[]) =>
  inTransaction(member.context.db, (tx) => writeInbox(tx, ...facts))

const milestone = (fact = 10): InboxFact => {
  return { memberId: member.id, kind: 'milestone-ready', fact, facts: { members: fact } }
}
const everything = (): InboxFact[] => [
  { memberId: member.id, kind: 'member-joined', fact: 1, facts: { memberId: member.id } },
  milestone(),
  {
    memberId: member.id,
    kind: 'identity-decided',
    fact: 1,
    facts: { accepted: false, reason: 'blurred' },
  },
  { memberId: member.id, kind: 'new-browser', fact: 1, facts: { device: 'Firefox' } },
  {
    memberId: member.id,
    kind: 'corrected',
    fact: 1,
    facts: { token: 'TESP', amount: '7.25', reason: 'an outage' },
  },
]
const announce = (until = Date.now() + HOUR_MS) =>
  inTransaction(member.context.db, (tx) =>
    addAnnouncement(tx, {
      kind: 'urgent',
      until: new Date(until).toISOString(),
      texts: { en: 'Change your password now.', vi: 'Hãy đổi mật khẩu ngay.' },
    }),
  )

/** While `work` runs, Postgres does `statement` for each row of an announcement that is queued. */
async function onAnnouncement(statement: string, work: () => Promise<unknown>): Promise<void> {
  const { db } = member.context
  await db.raw(`
    create function on_announcement() returns trigger language plpgsql as
      $$ begin ${statement}; return new; end $$;
    create trigger on_announcement before insert on reminders
      for each row when (new.kind = 'announcement') execute function on_announcement()`)
  try {
    await work()
  } finally {
    await db.raw('drop function on_announcement cascade')
  }
}

describe('a notice', () => {
  it('what a member has not switched on is not pushed', async () => {
    await subscribe()
    await happen(...everything())
    await announce()
    await send()
    expect(member.service.deliveries).toEqual([])
    expect(await rows()).toEqual([])
  })

  it('each kind that is switched on is pushed, in the language of the device, and no other one', async () => {
    const device = await subscribe('vi')
    await choose('milestone')
    await happen(...everything())
    await send()
    expect(member.service.shownOn(device)).toMatchObject([
      { title: 'Đã đạt một mốc', path: '/team', lang: 'vi' },
    ])
    for (const kind of PUSH_KINDS) await choose(kind)
    await happen(...everything().map((fact) => ({ ...fact, fact: 2 })))
    await send()
    expect(member.service.shownOn(device)).toHaveLength(1 + everything().length)
  })

  it('no text names a member, an amount or a reason', async () => {
    const { db } = member.context
    const inviterId = await insertMember(db)
    await db('users').where({ id: member.id }).update({ referredBy: inviterId })
    const names = await db('users').whereIn('id', [member.id, inviterId]).pluck('username')
    await subscribe()
    for (const kind of PUSH_KINDS) await choose(kind)
    await happen(...everything())
    await send()
    expect(member.service.deliveries).toHaveLength(everything().length)
    const texts = JSON.stringify(member.service.deliveries.map(({ payload }) => payload))
    expect(names).toHaveLength(2)
    for (const secret of [...names, 'blurred', 'outage', '7.25', 'TESP', 'Firefox']) {
      expect(texts).not.toContain(secret)
    }
  })

  it('a fact that is written twice is pushed once, however often the job runs', async () => {
    await subscribe()
    await choose('milestone')
    await Promise.all(Array.from({ length: 20 }, () => happen(milestone())))
    await Promise.all([send(), send()])
    await makeDue()
    await send()
    expect(member.service.deliveries).toHaveLength(1)
  })

  it('a fact that is rolled back is not pushed', async () => {
    await subscribe()
    await choose('milestone')
    const failing = inTransaction(member.context.db, async (tx) => {
      await writeInbox(tx, milestone())
      throw new Error('rolled back')
    })
    await expect(failing).rejects.toThrow('rolled back')
    await send()
    expect(member.service.deliveries).toEqual([])
  })

  it('a kind that was switched off meanwhile is not sent', async () => {
    await subscribe()
    await choose('milestone')
    await happen(milestone())
    await choose('milestone', false)
    await send()
    expect(await rows()).toMatchObject([{ outcome: 'unwanted' }])
  })

  it('a notice is not sent after 12 hours', async () => {
    await subscribe()
    await choose('milestone')
    await happen(milestone())
    await member.context.db.raw(`update reminders set "createdAt" = now() - interval '12 hours'`)
    await send()
    expect(await rows()).toMatchObject([{ outcome: 'expired' }])
  })

  it('the end of a session is one message, and none if that is switched off', async () => {
    await subscribe()
    await choose('session')
    await endSession()
    await send()
    expect(member.service.deliveries).toHaveLength(1)
    await choose('session', false)
    await endSession()
    await send()
    expect(member.service.deliveries).toHaveLength(1)
  })
})

describe('an announcement', () => {
  it('an announcement is pushed once to the devices of those who switched it on', async () => {
    const device = await subscribe()
    await choose('announcement')
    const other = await insertMember(member.context.db)
    await inTransaction(member.context.db, (tx) =>
      choosePushKind(tx, other, { kind: 'announcement', on: true, language: 'en' }),
    )
    await announce()
    await Promise.all([send(), send(), send()])
    await send()
    expect(member.service.shownOn(device)).toMatchObject([
      { title: 'Urgent notice', body: 'Change your password now.', path: '/inbox' },
    ])
    expect(await member.context.db('reminders')).toHaveLength(1)
  })

  it('an announcement that operators end before it is sent is not sent', async () => {
    await subscribe()
    await choose('announcement')
    const id = await announce()
    member.service.refusal = { status: 503 }
    await send()
    await inTransaction(member.context.db, (tx) => endAnnouncement(tx, id))
    member.service.refusal = undefined
    await makeDue()
    await send()
    expect(member.service.deliveries).toEqual([])
    expect(await rows()).toMatchObject([{ outcome: 'expired' }])
  })

  it('the end of a session is claimed before announcements that have waited longer', async () => {
    await subscribe()
    await choose('session')
    await choose('announcement')
    await announce()
    const { db } = member.context
    await queueAnnouncements(db)
    // More than one claim of them.
    await db.raw(
      `insert into reminders ("userId", "subscriptionId", kind, fact)
       select "userId", -n, kind, fact from reminders, generate_series(1, 100) n`,
    )
    await makeDue()
    await endSession()
    await send()
    const [session] = await db('reminders').where({ kind: 'session-ended' })
    const others = db('reminders').where({ kind: 'announcement' })
    // The end of the lease tells when a row was claimed.
    expect(await others.clone().where('nextTryAt', '<', session.nextTryAt)).toEqual([])
    expect((await others.where('nextTryAt', '>', session.nextTryAt)).length).toBeGreaterThan(50)
  })

  it('an urgent notice overtakes news that is being pushed', async () => {
    const device = await subscribe()
    await choose('announcement')
    const { db } = member.context
    const waiting = db('reminders').whereNull('settledAt').count('* as rows').first()
    await db.raw(
      `insert into reminders ("userId", "subscriptionId", kind, fact)
       select ?, -n, 'announcement', '0' from generate_series(1, 4000) n`,
      [member.id],
    )
    const sending = send()
    await expect.poll(async () => (await waiting.clone())?.rows).toBeLessThan(4_000)
    await announce()
    await sending
    expect(member.service.shownOn(device)).toMatchObject([{ title: 'Urgent notice' }])
    const [urgent] = await db('reminders').where('subscriptionId', '>', 0)
    const later = db('reminders').where('settledAt', '>', urgent.settledAt)
    // More than one claim of them.
    expect((await later.where('subscriptionId', '<', 0)).length).toBeGreaterThan(64)
  })

  it.runIf(isOneServer())(
    'a failure to queue it holds up no reminders, and the next run queues it',
    async () => {
      const device = await subscribe()
      await choose('session')
      await choose('announcement')
      await announce()
      await endSession()
      await onAnnouncement(`raise exception 'not queued'`, async () => {
        await send()
        expect(member.service.shownOn(device)).toMatchObject([{ path: '/mine' }])
      })
      await send()
      expect(member.service.shownOn(device)).toHaveLength(2)
    },
  )

  it.runIf(isOneServer())('its rows may take longer than other statements', async () => {
    await subscribe()
    await choose('announcement')
    await announce()
    const db = member.context.fresh.pool(1)
    await db.raw(`set statement_timeout = '2s'`)
    await onAnnouncement('perform pg_sleep(3)', () => queueAnnouncements(db))
    expect(await rows()).toMatchObject([{ kind: 'announcement' }])
  })
})
