import { claimRewards, startMining, stopMining } from '#db/mining/mining'
import { type Db, inTransaction, type Tx } from '#db/postgres/statements/transaction'
import { completeTask } from '#db/tasks'
import { checkMilestones } from '#db/team/milestones'
import { applyReferralCode } from '#db/team/referrals'
import { advance, freeze } from '#db/testing/clock'
import { insertMembers } from '#db/testing/members'
import { MINUTE_MS } from '#rules/constants'
import { creditRanges } from './credit-ranges.ts'

/**
 * Fills a database with the history of a team: referrals, a milestone, sessions, claims and tasks.
 * @returns ids of the members, the team's leader first
 */
export async function seedHistory(db: Db): Promise<number[]> {
  await freeze(db)
  const [leader = 0, ...team] = await insertMembers(db, 13)
  const run = <T>(work: (tx: Tx) => Promise<T>) => inTransaction(db, work)
  await db('users').where({ id: leader }).update({ referralCode: 'TESPLEADER' })
  await run((tx) => startMining(tx, leader))
  for (const member of team.slice(0, 11)) {
    await run((tx) => applyReferralCode(tx, member, 'TESPLEADER'))
    await advance(db, 3 * MINUTE_MS)
  }
  await run((tx) => checkMilestones(tx, leader))
  for (const member of team.slice(0, 5)) await run((tx) => startMining(tx, member))
  await advance(db, 90 * MINUTE_MS)
  await creditRanges(db)
  await advance(db, 5 * MINUTE_MS)
  for (const member of [leader, ...team.slice(0, 2)]) {
    await run((tx) => stopMining(tx, member))
    await run((tx) => claimRewards(tx, member))
    await run((tx) => completeTask(tx, member, 'join_telegram'))
  }
  await run((tx) => startMining(tx, leader))
  await advance(db, 7 * MINUTE_MS)
  await run((tx) => stopMining(tx, leader))
  return [leader, ...team]
}
