import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { recordFigures } from '#db/daily-figures'
import { inTransaction } from '#db/postgres/statements/transaction'
import { applyReferralCode } from '#db/team/referrals'
import { operate } from '#operators/ops/testing/operate'
import { DAY_MS } from '#rules/constants'
import { awayFromMidnight } from '#scripts/testing/away-from-midnight'
import { insertMember, insertMembers } from '#scripts/testing/db/members'
import { insertSessions } from '#scripts/testing/db/sessions'
import { type TestContext, testContext } from '#scripts/testing/workers/context'

let context: TestContext
beforeAll(async () => {
  context = await testContext()
})
afterAll(() => context.close())
beforeEach(awayFromMidnight)

const db = () => context.db
const json = async (name: Parameters<typeof operate>[1], args: string[] = []) =>
  JSON.parse(await operate(context, name, args, { json: true }))
/** Noon of a UTC day, that many days ago. */
const noon = (daysAgo: number) =>
  new Date(Math.floor(Date.now() / DAY_MS) * DAY_MS - daysAgo * DAY_MS + DAY_MS / 2)

describe('the overview', () => {
  it('counts a day’s sign-ups, who came back after one and seven days, and invitations', async () => {
    const owner = await insertMember(db())
    await db()('users').where({ id: owner }).update({ referralCode: 'TESPOWNER' })
    const cohort = await insertMembers(db(), 4)
    await db()('users')
      .whereIn('id', cohort)
      .update({ createdAt: noon(9) })
    await db()('users')
      .where({ id: owner })
      .update({ createdAt: noon(20) })
    for (const id of cohort.slice(0, 3)) {
      await inTransaction(db(), (tx) => applyReferralCode(tx, id, 'TESPOWNER'))
    }
    const [one = 0, two = 0, three = 0] = cohort
    const at = (userId: number, daysAgo: number) => ({ userId, startedAt: noon(daysAgo).getTime() })
    await insertSessions(db(), [at(one, 8), at(two, 2), at(three, 7)])
    await db()('mails').insert({
      recipient: 'x@y.example',
      recipientKey: 'x@y.example',
      subject: 'x',
      failedAt: noon(9),
    })
    for (let run = 0; run < 40; run++) {
      await db()('daily_figures').update({ at: db().raw(`at - interval '2 minutes'`) })
      await recordFigures(db())
    }
    const days: { day: string }[] = await json('overview days')
    expect(days).toHaveLength(30)
    const day = days.find((each) => each.day === noon(9).toISOString().slice(0, 10))
    expect(day).toMatchObject({
      signUps: 4,
      invited: 3,
      mailsFailed: 1,
      backAfterOneDay: 1,
      backAfterSevenDays: 1,
    })
    expect(days.at(-2)).toMatchObject({ members: 5, joined: 3 })
    expect(await json('overview')).toMatchObject({
      activeSessions: expect.any(Number),
      signUpsToday: 0,
      backAfterSevenDays: 0.25,
      invitationsPerMember: 0.6,
      mailsToRetry: 0,
      mailsRejected: 0,
    })
  })

  it('counts the credits that yesterday got after midnight, and its members only once', async () => {
    const day = noon(1).toISOString().slice(0, 10)
    const yesterday = () => db()('daily_figures').whereRaw('day = ?::date', [day]).first()
    const credit = async (credits: number) => {
      await db()('network_hours')
        .insert({ bucket: 1, hour: noon(1), credits })
        .onConflict(['bucket', 'hour'])
        .merge()
      await db()('daily_figures').update({ at: new Date(0) })
      await recordFigures(db())
    }
    await credit(3)
    const { members, credits } = await yesterday()
    expect(credits).toBe(3)
    await insertMember(db())
    await credit(8)
    expect(await yesterday()).toMatchObject({ members, credits: 8 })
  })

  it('counts at most once a minute, and keeps the largest of the day', async () => {
    await db()('daily_figures').update({ at: new Date(0) })
    expect(await recordFigures(db())).toBe(true)
    expect(await recordFigures(db())).toBe(false)
    const today = () => db()('daily_figures').orderBy('day', 'desc').first()
    await db()('daily_figures').update({ at: new Date(0), activeSessions: 999, creditLag: 1e6 })
    expect(await recordFigures(db())).toBe(true)
    expect(await today()).toMatchObject({ activeSessions: 999, creditLag: 1e6 })
  })
})
