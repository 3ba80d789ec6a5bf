import { beforeEach, describe, expect, it } from 'vitest'
import { bucketOf } from '#rules/buckets'
import { awayFromMidnight } from '#scripts/testing/away-from-midnight'
import { aSubscription } from '#scripts/testing/gateway/push-subscription'
import { useMember, useProduct } from '#scripts/testing/gateway/use-product'
import { newMember, PASSWORD, type Visitor } from '#scripts/testing/gateway/visitor'

const WAKE = 'POST /api/referral/wake'
const product = useProduct({ gateways: 2 })
const inviter = useMember(product)
beforeEach(awayFromMidnight)

const language = 'en'
const idOf = (who: Visitor) => who.user?.id ?? 0
const wake = (who: Visitor, by = inviter, gateway = 0) =>
  by.call(WAKE, { body: { memberId: idOf(who) }, gateway })
const allow = (who: Visitor, on = true) =>
  who.call('POST /api/reminders/team', { body: { on, language } })
const block = (who: Visitor, blocked: boolean) =>
  who.call('POST /api/reminders/team/block', { body: { blocked, language } })
const team = async () => (await inviter.call('GET /api/referral/mining')).body
const inboxOf = async (who: Visitor) =>
  (await who.call('GET /api/inbox')).body.rows.filter(({ kind }) => kind === 'team-reminder')

/** A member of the inviter's team, with team reminders on by default. */
async function joined({ allows = true } = {}): Promise<Visitor> {
  const member = await newMember(product)
  const referralCode = await inviter.referralCode()
  await member.call('POST /api/referral/apply-code', { body: { referralCode } })
  if (allows) await allow(member)
  return member
}

const dayBefore = (who: Visitor) =>
  product
    .db('reminder_preferences')
    .where({ userId: idOf(who) })
    .update({ remindedOn: product.db.raw(`(now() at time zone 'UTC')::date - 1`) })

describe(WAKE, () => {
  it('a reminder is one entry of the inbox that names the inviter', async () => {
    const member = await joined()
    const answer = await wake(member)
    expect(answer.status).toBe(200)
    expect(answer.body).toEqual({
      total: 0,
      memberIds: [],
      wakeable: [],
      reminded: [idOf(member)],
    })
    expect(await inboxOf(member)).toMatchObject([{ facts: { username: inviter.user?.username } }])
  })

  it('100 parallel reminders over two gateways send one', async () => {
    const member = await joined()
    const device = await inviter.otherDevice(1)
    const answers = await Promise.all(
      Array.from({ length: 100 }, (_, n) => wake(member, n % 2 ? device : inviter, n % 2)),
    )
    const statuses = answers.map(({ status }) => status)
    expect(statuses.filter((status) => status === 200)).toHaveLength(1)
    expect(statuses.filter((status) => status === 409)).toHaveLength(99)
    expect(await inboxOf(member)).toHaveLength(1)
  })

  it('the next UTC day allows the next reminder', async () => {
    const member = await joined()
    await wake(member)
    expect(await wake(member)).toMatchObject({
      status: 409,
      body: { code: 'reminder_repeated', message: 'You have reminded this member today' },
    })
    await dayBefore(member)
    expect((await team()).wakeable).toEqual([idOf(member)])
    // The facts of two days have two keys; the row of yesterday is dated back with its day.
    await product
      .db('inbox')
      .where({ bucket: bucketOf(idOf(member)), userId: idOf(member), kind: 'team-reminder' })
      .update({ fact: `${idOf(inviter)}:2000-01-01` })
    expect((await wake(member)).status).toBe(200)
    expect(await inboxOf(member)).toHaveLength(2)
  })

  it('off, blocked and frozen are refused with the same answer', async () => {
    const off = await joined({ allows: false })
    const blocking = await joined()
    await block(blocking, true)
    const frozen = await joined()
    await product
      .db('users')
      .where({ id: idOf(frozen) })
      .update({ frozenAt: product.db.fn.now(), frozenReason: 'a check' })
    const answers = await Promise.all([off, blocking, frozen].map((member) => wake(member)))
    for (const { status, body } of answers) {
      expect([status, body]).toEqual([
        409,
        { code: 'reminder_refused', message: 'This member takes no reminders' },
      ])
    }
    expect(await team()).toMatchObject({ wakeable: [], reminded: [] })
    expect(await inboxOf(blocking)).toEqual([])
  })

  it('a member who is mining is not reminded', async () => {
    const member = await joined()
    await member.call('POST /api/mining/start')
    expect(await wake(member)).toMatchObject({ status: 409, body: { code: 'member_mining' } })
    expect(await inboxOf(member)).toEqual([])
  })

  it('strangers, the own inviter and deleted members are not found', async () => {
    const member = await joined()
    const stranger = await newMember(product)
    await allow(stranger)
    await allow(inviter)
    expect((await wake(stranger)).status).toBe(404)
    expect((await wake(inviter, member)).status).toBe(404)
    expect((await wake(inviter)).status).toBe(404)
    const confirmation = member.user?.username
    await member.call('POST /api/user/delete', { body: { password: PASSWORD, confirmation } })
    expect((await wake(member)).status).toBe(404)
    expect(await team()).toMatchObject({ wakeable: [], reminded: [] })
  })

  it('a reminder in the middle of a deletion leaves nothing behind', async () => {
    const member = await joined()
    const body = { password: PASSWORD, confirmation: member.user?.username }
    await Promise.all([
      member.call('POST /api/user/delete', { body }),
      ...Array.from({ length: 10 }, () => wake(member)),
    ])
    const userId = idOf(member)
    for (const table of ['inbox', 'reminder_preferences', 'reminders']) {
      expect(await product.db(table).where({ userId })).toEqual([])
    }
  })

  it('more than 200 reminders an hour are refused', async () => {
    const member = await joined({ allows: false })
    const answers = await Promise.all(Array.from({ length: 205 }, () => wake(member)))
    expect(answers.filter(({ status }) => status === 429)).toHaveLength(5)
  })
})

describe('team reminders of a member', () => {
  const settings = async (who: Visitor) => (await who.call('GET /api/reminders')).body.team

  it('the switch and the block are independent, and the block has a way back', async () => {
    const member = await joined({ allows: false })
    const name = inviter.user?.username
    expect(await settings(member)).toEqual({ on: false, inviter: name, blocked: false })
    expect((await allow(member)).body.team).toMatchObject({ on: true, blocked: false })
    await block(member, true)
    await allow(member, false)
    await allow(member)
    expect(await settings(member)).toEqual({ on: true, inviter: name, blocked: true })
    expect((await wake(member)).status).toBe(409)
    await block(member, false)
    expect((await wake(member)).status).toBe(200)
  })

  it('a member who blocks after a reminder is listed as reminded until the day is over', async () => {
    const member = await joined()
    await wake(member)
    await block(member, true)
    expect(await team()).toMatchObject({ wakeable: [], reminded: [idOf(member)] })
    await dayBefore(member)
    expect(await team()).toMatchObject({ wakeable: [], reminded: [] })
  })

  it('the switches of mails and team reminders leave each other as they are', async () => {
    const member = await joined()
    await member.call('POST /api/reminders/mail', { body: { on: true, language } })
    await member.call('POST /api/reminders/push', { body: { ...aSubscription(), language } })
    const { body } = await allow(member, false)
    expect(body).toMatchObject({ mail: true, team: { on: false } })
    await allow(member)
    await member.call('POST /api/reminders/mail', { body: { on: false, language } })
    expect(await settings(member)).toMatchObject({ on: true })
  })

  it('the export holds the switch, the block and the day', async () => {
    const member = await joined()
    await wake(member)
    await block(member, true)
    const { body } = await member.call('POST /api/user/export', { body: { password: PASSWORD } })
    expect(body.reminderSettings).toEqual({
      mail: false,
      kinds: null,
      team: true,
      inviterBlockedAt: expect.any(String),
      lastTeamReminder: new Date().toISOString().slice(0, 10),
      weekBoard: null,
    })
    expect(body.inbox).toMatchObject([{ kind: 'team-reminder', facts: {} }])
  })
})
