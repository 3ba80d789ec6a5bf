import { setTimeout as sleep } from 'node:timers/promises'
import { type Db, inTransaction, retrying } from '#db/postgres/statements/transaction'
import { applyReferralCode, generateReferralCode } from '#db/team/referrals'
import { insertMembers } from '#db/testing/members'
import type { Random } from './random.ts'

/** Followers of each leader at the start: one below the milestones that pay USDT. */
const FOLLOWERS = [9, 24]

export type Teams = {
  /** Adds members to the teams, by the product's own function, until the run is over. */
  grow(isRunning: () => boolean, random: Random): Promise<void>
}

async function join(db: Db, code: string): Promise<void> {
  const [follower = 0] = await retrying(() => insertMembers(db, 1))
  await inTransaction(db, (tx) => applyReferralCode(tx, follower, code))
}

/** Makes the first of these members leaders of teams that reach milestones during the run. */
export async function largeTeams(db: Db, members: number[]): Promise<Teams> {
  const codes: string[] = []
  for (const [n, leader] of members.slice(0, FOLLOWERS.length).entries()) {
    const code = await inTransaction(db, (tx) => generateReferralCode(tx, leader))
    for (let followers = 0; followers < (FOLLOWERS[n] ?? 0); followers++) await join(db, code)
    codes.push(code)
  }
  return {
    async grow(isRunning, random) {
      while (isRunning()) {
        await join(db, random.pick(codes))
        await sleep(random.between(500, 4_000))
      }
    },
  }
}
