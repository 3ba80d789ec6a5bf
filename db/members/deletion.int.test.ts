import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { audit } from '#db/ledger/audit'
import { startMining } from '#db/mining/mining'
import { inTransaction } from '#db/postgres/statements/transaction'
import { applyReferralCode } from '#db/team/referrals'
import { readReferralInfo, readTeamMembers, readTeamVersion } from '#db/team/team'
import { MINUTE_MS } from '#rules/constants'
import { isUsername } from '#rules/members/usernames-and-emails'
import { advance, freeze } from '#scripts/testing/db/clock'
import { type FreshDatabase, freshDatabase } from '#scripts/testing/db/fresh-database'
import { creditRanges } from '#scripts/testing/db/history'
import { insertMember, insertMembers } from '#scripts/testing/db/members'
import { deleteMember } from './deletion.ts'

const RULE = 'a deleted member holds nothing personal and no active session'
let fresh: FreshDatabase

beforeAll(async () => {
  fresh = await freshDatabase()
  await freeze(fresh.db)
})
afterAll(() => fresh.close())

const remove = (memberId: number, epoch = 0) =>
  inTransaction(fresh.db, (tx) => deleteMember(tx, fresh.dataKey, { memberId, epoch }))
const join = (memberId: number, code: string) =>
  inTransaction(fresh.db, (tx) => applyReferralCode(tx, memberId, code))
const row = (id: number) => fresh.db('users').where({ id }).first()
const problems = async () => (await audit(fresh.db)).problems

describe('deleteMember', () => {
  let memberId: number
  beforeEach(async () => {
    memberId = await insertMember(fresh.db)
  })

  it('a deleted row holds a pseudonym, the time of deletion and a raised epoch', async () => {
    const before = await row(memberId)
    expect(await remove(memberId)).toBeNull()
    const name = `deleted:${memberId}`
    expect(await row(memberId)).toMatchObject({
      username: name,
      usernameKey: name,
      email: name,
      emailKey: name,
      password: '',
      authEpoch: 1,
      deletedAt: expect.any(Date),
      createdAt: before.createdAt,
    })
  })

  it('a second deletion and one by an ended sign-in are rejected', async () => {
    await expect(remove(memberId, 7)).rejects.toMatchObject({ code: 'not_signed_in' })
    await remove(memberId)
    await expect(remove(memberId)).rejects.toMatchObject({ code: 'not_signed_in' })
  })

  it('a deleted member keeps the earnings of the running session and is credited nothing more', async () => {
    await inTransaction(fresh.db, (tx) => startMining(tx, memberId))
    await advance(fresh.db, 50 * MINUTE_MS)
    await remove(memberId)
    await advance(fresh.db, 50 * MINUTE_MS)
    expect(await creditRanges(fresh.db)).toEqual([])
    const wallet = await fresh.db('wallets').where({ userId: memberId }).first()
    const stats = await fresh.db('mining_stats').where({ userId: memberId }).first()
    expect([wallet.balance, stats.pendingRewards]).toEqual(['0.06666666', '0.01666667'])
    expect(await problems()).toEqual([])
  })

  it('a deleted member stays counted in a team, without a name', async () => {
    const leader = await insertMember(fresh.db)
    await fresh
      .db('users')
      .where({ id: leader })
      .update({ referralCode: `TESPL${leader}` })
    await fresh
      .db('users')
      .where({ id: memberId })
      .update({ referralCode: `TESPM${memberId}` })
    const [below = 0, other = 0] = await insertMembers(fresh.db, 2)
    await join(memberId, `TESPL${leader}`)
    await join(below, `TESPM${memberId}`)
    const versions = () =>
      Promise.all([leader, below].map((id) => readTeamVersion(fresh.db, id, 100)))
    const before = await versions()
    expect(await remove(memberId)).toBe(leader)
    const [above, beneath] = await versions()
    expect(above).not.toEqual(before[0])
    expect(beneath).not.toEqual(before[1])
    expect(await row(leader)).toMatchObject({ teamSize: 1, miningBoost: '0.05000000' })
    expect(await readTeamMembers(fresh.db, leader, 10)).toEqual([
      { id: memberId, username: 'Deleted member', email: '', createdAt: expect.any(String) },
    ])
    expect((await readReferralInfo(fresh.db, below, 10)).referrer).toEqual({
      username: 'Deleted member',
    })
    await expect(join(other, `TESPM${memberId}`)).rejects.toMatchObject({
      code: 'referral_unknown',
    })
    expect(await problems()).toEqual([])
  })

  it('the pseudonym of a deleted member cannot be registered', async () => {
    await remove(memberId)
    const { username, email } = await row(memberId)
    expect(isUsername(username)).toBe(false)
    expect(email).not.toContain('@')
  })
})

describe('the row of a deleted member', () => {
  const ID = ':id'
  const OWN = ['kyc_documents', 'idempotency_keys', 'telegram_accounts', 'mining_sessions']
  it.each([
    ['a name', `update users set "fullName" = 'Ada' where id = :id`],
    ['a password', `update users set password = 'x' where id = :id`],
    ['an address', `update users set email = 'a@test.example' where id = :id`],
  ])('%s in the row of a deleted member is rejected by the database', async (_, sql) => {
    const memberId = await insertMember(fresh.db)
    await remove(memberId)
    const broken = fresh.db.raw(sql.replaceAll(ID, String(memberId)))
    await expect(broken).rejects.toThrow(/users_deleted_is_nobody/)
  })

  it.each([
    [
      'a document',
      `insert into kyc_documents ("userId", "documentType", mime)
      values (:id, 'passport', 'image/png')`,
    ],
    [
      'an answer',
      `insert into idempotency_keys (bucket, "userId", key, route)
      values (:id % 1024, :id, 'k', 'r')`,
    ],
    [
      'a Telegram account',
      `insert into telegram_accounts ("userId", "accountHash", sealed, "linkedAt")
      values (:id, 'hash:id', 'x', now())`,
    ],
    ['a flag', `update feature_flags set "enabledForUsers" = '{:id}' where name = 'kyc'`],
    [
      'a running session',
      `insert into mining_sessions (bucket, "userId", "startTime", "rateSince",
      "creditSlot") values (:id % 1024, :id, now(), now(), 0)`,
    ],
  ])('%s of a deleted member is found by the audit', async (_, sql) => {
    const memberId = await insertMember(fresh.db)
    await remove(memberId)
    await fresh.db.raw(sql.replaceAll(ID, String(memberId)))
    const found = (await problems()).find(({ rule }) => rule === RULE)
    expect(found?.rows).toEqual([{ id: String(memberId) }])
    for (const table of OWN) {
      await fresh.db(table).where({ userId: memberId }).delete()
    }
    await fresh.db('feature_flags').update({ enabledForUsers: '{}' })
  })
})
