import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { inTransaction } from '#db/postgres/transaction'
import { applyReferralCode } from '#db/team/referrals'
import { advance, freeze } from '#db/testing/clock'
import { insertMembers } from '#db/testing/members'
import { expectCleanAudit } from '#gateway/testing/expect-clean-audit'
import { type Product, startProduct } from '#gateway/testing/product'
import { newMember, type Visitor } from '#gateway/testing/visitor'
import { HOUR_MS } from '#rules/constants'

const CHECK = 'GET /api/referral/check-milestones'
const INFO = 'GET /api/referral/info'
let product: Product
let member: Visitor

beforeAll(async () => {
  product = await startProduct({ gateways: 2 })
  await freeze(product.db)
})
afterAll(async () => {
  await expectCleanAudit(product)
  await product.close()
})
beforeEach(async () => {
  member = await newMember(product)
})

const codeOf = async (who: Visitor) =>
  (await who.call('POST /api/referral/generate-code')).body.referralCode
/** Lets that many members join without a browser. */
async function grow(who: Visitor, count: number) {
  const code = await codeOf(who)
  for (const id of await insertMembers(product.db, count)) {
    await inTransaction(product.db, (tx) => applyReferralCode(tx, id, code))
  }
}
describe(CHECK, () => {
  it('pays nothing below ten members', async () => {
    await grow(member, 9)
    expect(await member.call(CHECK)).toMatchObject({
      status: 200,
      body: { success: true, usdtRewarded: 0, newMilestones: [] },
    })
  })

  it('pays all milestones that were newly reached at once, one time', async () => {
    await member.call('POST /api/mining/start')
    await grow(member, 25)
    const answers = await Promise.all(
      Array.from({ length: 12 }, (_, i) => member.call(CHECK, { gateway: i % 2 })),
    )
    const paid = answers.filter(({ body }) => body.newMilestones.length > 0)
    expect(paid.map(({ body }) => body)).toEqual([
      {
        success: true,
        usdtRewarded: 0.55,
        newMilestones: [
          { members: 10, reward: '5.00000000', usdt: '0.10000000' },
          { members: 25, reward: '15.00000000', usdt: '0.45000000' },
        ],
      },
    ])
    expect(answers.every(({ status }) => status === 200)).toBe(true)
    const { body } = await member.call('GET /api/wallet')
    expect(body).toMatchObject({ tesp: [{ balance: '20.00000000' }], usdtBalance: '0.55000000' })
    const info = (await member.call(INFO)).body
    expect(info.milestones.map(({ achieved }) => achieved)).toEqual([
      ...[true, true],
      ...[false, false, false, false],
    ])
    expect(info.usdtRewards).toMatchObject([
      { reason: 'Team milestone: 25 members', amount: 15 },
      { reason: 'Team milestone: 10 members', amount: 5 },
    ])
  })

  it('gives mining its USDT share from then on', async () => {
    await member.call('POST /api/mining/start')
    await grow(member, 10)
    await advance(product.db, HOUR_MS)
    await member.call(CHECK)
    const pending = async () =>
      (await member.call('GET /api/mining/status')).body.pendingUsdtRewards
    expect(await pending()).toBe('0.00000000')
    await advance(product.db, HOUR_MS)
    await member.call('POST /api/mining/stop')
    // 0.1 TESP/h with 50 % boost, of which 2 %.
    expect(await pending()).toBe('0.00300000')
  })
})
