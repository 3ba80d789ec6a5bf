import { describe, expect, it } from 'vitest'
import { HOUR_MS } from '#rules/constants'
import { advance } from '#scripts/testing/db/clock'
import { growTeam } from '#scripts/testing/gateway/grow-team'
import { useMember, useProduct } from '#scripts/testing/gateway/use-product'

const CHECK = 'GET /api/referral/check-milestones'
const INFO = 'GET /api/referral/info'
const product = useProduct({ gateways: 2, frozen: true, audited: true })
const member = useMember(product)

describe(CHECK, () => {
  it('a team below ten members earns no milestone', async () => {
    await growTeam(member, 9)
    expect(await member.call(CHECK)).toMatchObject({
      status: 200,
      body: { success: true, usdtRewarded: 0, newMilestones: [] },
    })
  })

  it('12 parallel checks pay each newly reached milestone once', async () => {
    await member.call('POST /api/mining/start')
    await growTeam(member, 25)
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
      true,
      true,
      false,
      false,
      false,
      false,
    ])
    expect(info.usdtRewards).toMatchObject([
      { reason: 'Team milestone: 25 members', amount: 15 },
      { reason: 'Team milestone: 10 members', amount: 5 },
    ])
  })

  it('mining earns its USDT share from the first milestone on', async () => {
    await member.call('POST /api/mining/start')
    await growTeam(member, 10)
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
