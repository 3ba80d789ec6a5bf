import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { deleteMember } from '#db/members/deletion'
import { inTransaction } from '#db/postgres/statements/transaction'
import { applyReferralCode } from '#db/team/referrals'
import { checkGrownTeams, lookAtTeam, suspiciousTeams } from '#db/team/suspicious-teams'
import { memberSignIns, teamOf } from '#operators/actions/member-records'
import { operate } from '#operators/ops/testing/operate'
import { memberKey } from '#rules/buckets'
import { DAY_MS, HOUR_MS, MINUTE_MS } from '#rules/constants'
import { signInsKey } from '#runtime/redis/sign-in-networks'
import { DEMO_LEADER, DEMO_TEAM } from '#scripts/seed/demo-members'
import { seedDemo } from '#scripts/seed/seed-demo'
import { insertMember, insertMembers } from '#scripts/testing/db/members'
import { type TestContext, testContext } from '#scripts/testing/workers/context'
import { maintenance } from '#workers/jobs/maintenance'

let context: TestContext
beforeAll(async () => {
  context = await testContext()
})
afterAll(() => context.close())

const db = () => context.db
const json = async (name: Parameters<typeof operate>[1], args: string[] = []) =>
  JSON.parse(await operate(context, name, args, { json: true }))
const noNetworks = async (ids: number[]) => ids.map(() => [])
/** Noon of a UTC day, that many days ago. */
const noon = (daysAgo: number) =>
  new Date(Math.floor(Date.now() / DAY_MS) * DAY_MS - daysAgo * DAY_MS + DAY_MS / 2)

describe('suspicious teams', () => {
  /** A team that somebody filled two days ago, with members who never mined. */
  async function farm(size = 8, domain = 'mailinator.com'): Promise<number> {
    const owner = await insertMember(db())
    const code = `TESPFARM${owner}`
    await db()('users').where({ id: owner }).update({ referralCode: code })
    const members = await insertMembers(db(), size)
    for (const id of members) {
      const email = `bot${id}@${domain}`
      await db()('users').where({ id }).update({ email, emailKey: email })
      await inTransaction(db(), (tx) => applyReferralCode(tx, id, code))
    }
    const then = noon(3)
    await db()('users').whereIn('id', members).update({ createdAt: then })
    await db()('referral_rewards').where({ userId: owner }).update({ createdAt: then })
    return owner
  }
  const listed = async () => (await suspiciousTeams(db())).teams.map(({ ownerId }) => ownerId)

  it('a farm is found by the maintenance job, shown with evidence, and gone once dismissed', async () => {
    const owner = await farm()
    await maintenance(context, {})
    const rows = await json('teams suspicious')
    expect(rows.find((row: { owner: number }) => row.owner === owner)).toMatchObject({
      score: 35,
      evidence:
        '8 of 8 who signed up together or share a network have never mined; 8 of 8 have a throw-away mailbox; 8 of 8 signed up in the same minute as two others; 8 of 8 have never mined',
    })
    await operate(context, 'teams dismiss', [`id:${owner}`], { reason: 'a school class' })
    expect(await listed()).not.toContain(owner)
    await db()('suspicious_teams').where({ userId: owner }).update({ score: 36 })
    expect(await listed()).toContain(owner)
  })

  it('the members who joined last are looked at, however old their accounts are', async () => {
    const owner = await insertMember(db())
    const bots = await insertMembers(db(), 8)
    await db()('users')
      .whereIn('id', bots)
      .update({ createdAt: noon(30) })
    const others = await insertMembers(db(), 200)
    await db()('mining_stats').whereIn('userId', others).update({ totalMined: 1 })
    const join = async (ids: number[], daysAgo: number) => {
      const rows = ids.map((referredUserId) => ({
        userId: owner,
        referredUserId,
        rewardPercentage: 5,
        createdAt: noon(daysAgo),
      }))
      await db()('referral_rewards').insert(rows)
      await db()('users').whereIn('id', ids).update({ referredBy: owner })
    }
    await join(others, 4)
    expect((await lookAtTeam(db(), owner)).score).toBe(0)
    await join(bots, 3)
    expect((await lookAtTeam(db(), owner)).score).toBeGreaterThan(0)
    const [newest] = await teamOf(db(), owner, 1)
    expect(newest).toMatchObject({ id: bots.at(-1), joinedAt: noon(3) })
    // One run looks at 100 joins, which tests below count on.
    await db()('referral_rewards').where({ userId: owner }).delete()
  })

  it('a join that is due before one with a smaller id leaves that one to a later run', async () => {
    const [first, second] = [await farm(), await farm()]
    const joined = (owner: number, hoursAgo: number) =>
      db()('referral_rewards')
        .where({ userId: owner })
        .update({ createdAt: new Date(Date.now() - hoursAgo * HOUR_MS) })
    await joined(first, 23)
    await joined(second, 25)
    await checkGrownTeams(db(), noNetworks)
    await joined(first, 25)
    await checkGrownTeams(db(), noNetworks)
    expect(await listed()).toEqual(expect.arrayContaining([first, second]))
  })

  it('a team that was dismissed stays off the list after its score has fallen', async () => {
    const owner = await farm()
    await checkGrownTeams(db(), noNetworks)
    await operate(context, 'teams dismiss', [`id:${owner}`], { reason: 'a school class' })
    const members: number[] = await db()('users').where({ referredBy: owner }).pluck('id')
    const lookAgain = async (email: (id: number) => string, idle: boolean) => {
      for (const id of members) {
        await db()('users')
          .where({ id })
          .update({ email: email(id), emailKey: email(id) })
        await db()('mining_stats')
          .where(memberKey(id))
          .update({ totalMined: idle ? 0 : 1 })
      }
      await db()('team_check_position').update({ afterId: 0 })
      await checkGrownTeams(db(), noNetworks)
    }
    await lookAgain((id) => `bot${id}@mail.example`, false)
    expect(await db()('suspicious_teams').where({ userId: owner }).first()).toMatchObject({
      score: 1,
      dismissedScore: 35,
    })
    await lookAgain((id) => `bot${id}@mailinator.com`, true)
    expect(await listed()).not.toContain(owner)
  })

  it('a dismissal counts the score that its page shows, if that is greater than the stored', async () => {
    const owner = await farm()
    await checkGrownTeams(db(), noNetworks)
    const row = () => db()('suspicious_teams').where({ userId: owner })
    await row().update({ score: 20 })
    await operate(context, 'teams dismiss', [`id:${owner}`], { reason: 'a school class' })
    expect(await row().first()).toMatchObject({ dismissedScore: 35 })
    await row().update({ score: 40 })
    await operate(context, 'teams dismiss', [`id:${owner}`], { reason: 'a school class' })
    expect(await row().first()).toMatchObject({ dismissedScore: 40 })
  })

  it('a frozen code takes its team off the list', async () => {
    const owner = await farm()
    await checkGrownTeams(db(), noNetworks)
    expect(await listed()).toContain(owner)
    const { referralCode } = await db()('users').where({ id: owner }).first()
    await operate(context, 'codes freeze', [referralCode], { reason: 'filled by one person' })
    expect(await listed()).not.toContain(owner)
  })

  it('members of one network who never mined are found by sign-ins, ended ones too', async () => {
    const owner = await farm(10, 'mail.example')
    const team = await db()('users').where({ referredBy: owner }).select('id', 'createdAt')
    for (const { id, createdAt } of team) {
      const later = new Date(createdAt.getTime() + id * 3 * MINUTE_MS)
      await db()('users').where({ id }).update({ createdAt: later })
    }
    expect((await lookAtTeam(db(), owner)).score).toBe(0)
    const members = team.map(({ id }) => id)
    for (const id of members) {
      const seen = JSON.stringify({ device: 'Firefox on Linux', network: '203.0.x.x', at: 1 })
      await context.redis.hset(signInsKey(context.config.redisPrefix, id), 'name', seen)
    }
    expect(await json('teams show', [`id:${owner}`])).toMatchObject({
      score: 10,
      sharedNetwork: 10,
      evidence:
        '10 of 10 who signed up together or share a network have never mined; 10 of 10 signed in from one network; 10 of 10 have never mined',
    })
    const { redisPrefix } = context.config
    for (const memberId of members) {
      expect(await memberSignIns(db(), context.redis, { memberId, redisPrefix })).toEqual([])
    }
    expect(await json('teams show', [`id:${owner}`])).toMatchObject({ score: 10 })
  })

  it('each join is looked at once, a day after it, by whichever worker comes first', async () => {
    const owner = await farm()
    const soon = await farm()
    await db()('referral_rewards').where({ userId: soon }).update({ createdAt: new Date() })
    await Promise.all([1, 2, 3].map(() => checkGrownTeams(db(), noNetworks)))
    expect(await listed()).toContain(owner)
    expect(await listed()).not.toContain(soon)
    expect(await checkGrownTeams(db(), noNetworks)).toBe(0)
  })

  it('a deleted owner is not listed', async () => {
    const owner = await farm()
    await checkGrownTeams(db(), noNetworks)
    await inTransaction(db(), (tx) =>
      deleteMember(tx, context.fresh.dataKey, { memberId: owner, epoch: 0 }),
    )
    expect(await listed()).not.toContain(owner)
    expect(await db()('suspicious_teams').where({ userId: owner })).toEqual([])
  })

  it('pages of the list follow each other without a gap', async () => {
    await db()('suspicious_teams').delete()
    const owners = await insertMembers(db(), 120)
    const evidence = (await lookAtTeam(db(), owners[0] ?? 0)).evidence
    await db()('suspicious_teams').insert(
      owners.map((userId, at) => ({ userId, score: 7 + (at % 3), evidence })),
    )
    const pages = []
    let after: string | undefined
    do {
      const { teams, next } = await suspiciousTeams(db(), after)
      pages.push(...teams.map(({ ownerId }) => ownerId))
      after = next
    } while (after !== undefined)
    expect(pages).toHaveLength(120)
    expect(new Set(pages)).toEqual(new Set(owners))
  })

  it.each([0, 3, 30])('the demo team is far below the threshold, %i days after', async (days) => {
    await seedDemo(db(), context.fresh.dataKey)
    const demo = db()('users').whereLike('username', 'demo%')
    const createdAt = new Date(Date.now() - days * DAY_MS)
    await demo.clone().update({ createdAt })
    const ids: number[] = await demo.clone().pluck('id')
    for (const id of ids) {
      const seen = JSON.stringify({ device: 'Firefox on Linux', network: '127.0.x.x', at: 1 })
      await context.redis.hset(signInsKey(context.config.redisPrefix, id), 'name', seen)
      await db()('referral_rewards').where({ userId: id }).update({ createdAt })
    }
    // Everybody in one minute and, at worst, on one public network.
    const networks = async (members: number[]) => members.map(() => ['203.0.x.x'])
    await db()('team_check_position').update({ afterId: 0 })
    await db()('suspicious_teams').delete()
    await checkGrownTeams(db(), networks)
    expect(await db()('suspicious_teams').whereIn('userId', ids)).toEqual([])
    const leader = await db()('users').where({ username: DEMO_LEADER }).first('id')
    const { score, evidence } = await lookAtTeam(db(), leader.id, networks)
    expect(evidence).toMatchObject({ members: DEMO_TEAM.length, sameMinute: DEMO_TEAM.length })
    expect(score).toBeLessThanOrEqual(2)
    expect(await db()('wallets').where(memberKey(ids[0] ?? 0))).toHaveLength(1)
  })
})
