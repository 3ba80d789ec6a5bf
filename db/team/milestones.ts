import { writeInbox } from '#db/inbox/inbox'
import { post } from '#db/ledger/ledger'
import { rerateSession } from '#db/mining/sessions'
import { productNow } from '#db/postgres/connection/product-clock'
import type { Tx } from '#db/postgres/statements/transaction'
import { memberKey } from '#rules/buckets'
import { ledgerId } from '#rules/money/ledger-id'
import { type Milestone, milestonesReached } from '#rules/money/milestones'
import { fromUnits, type Money, sum, times, toUnits } from '#rules/money/money'
import type { Activity, MilestoneCheck } from '#rules/snapshots'

type Payee = { id: number; teamSize: number; teamLevel: number; miningBoost: Money; at: number }

async function payMilestone(tx: Tx, member: Payee, milestone: Milestone): Promise<Money> {
  const { members, reward, usdtRate } = milestone
  const usdt = times(reward, usdtRate)
  const { id: userId, at } = member
  const description = `Team milestone: ${members} members`
  const pay = (token: 'TESP' | 'USDT', amount: Money, type: Activity['type']) => {
    const id = ledgerId('milestone', { memberId: userId, members, token })
    return post(tx, { id, userId, token, amount, type, description, at })
  }
  await pay('TESP', reward, 'other')
  await pay('USDT', usdt, 'usdt_reward')
  await tx('team_milestones').insert({
    ...memberKey(userId),
    milestone: members,
    achieved: true,
    rewardAmount: reward,
    achievedAt: tx.fn.now(),
  })
  await tx('usdt_rewards').insert({
    ...memberKey(userId),
    amount: reward,
    reason: description,
    teamSize: member.teamSize,
  })
  const facts = { members, tesp: reward, usdt }
  await writeInbox(tx, { memberId: userId, kind: 'milestone-paid', fact: members, facts })
  return usdt
}

/** Pays each newly reached milestone; the highest sets the USDT rate of mining from then on (rules.md: Team). */
export async function checkMilestones(tx: Tx, memberId: number): Promise<MilestoneCheck> {
  // Not `for update`, which would wait for idempotency keys: their foreign keys lock this row.
  const member: Payee = await tx('users').where({ id: memberId }).forNoKeyUpdate().first()
  const reached = milestonesReached(member.teamSize)
  const fresh = reached.slice(member.teamLevel)
  if (fresh.length === 0) return { success: true, usdtRewarded: 0, newMilestones: [] }
  const at = await productNow(tx)
  const teamLevel = reached.length
  await tx('users').where({ id: memberId }).update({ teamLevel })
  // Before the payments, because every writer locks session, wallet, stats in this order.
  await rerateSession(tx, { ...member, teamLevel }, at)
  const newMilestones: MilestoneCheck['newMilestones'] = []
  for (const milestone of fresh) {
    const usdt = await payMilestone(tx, { ...member, at }, milestone)
    const reward = fromUnits(toUnits(milestone.reward))
    newMilestones.push({ members: milestone.members, reward, usdt })
  }
  const usdtRewarded = Number(sum(...newMilestones.map(({ usdt }) => usdt)))
  return { success: true, usdtRewarded, newMilestones }
}
