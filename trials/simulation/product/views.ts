import { type MemberSnapshot, readSnapshots } from '#db/mining/snapshots'
import type { Db } from '#db/postgres/statements/transaction'
import type { MiningStatus } from '#rules/snapshots'

/** What a mining status says, in the words of the model. */
export function miningView(status: MiningStatus) {
  const { active, session, pendingRewards, pendingUsdtRewards, canClaim } = status
  return {
    active,
    session: session && {
      rate: session.hashRate,
      intervals: session.creditedIntervals,
      credited: session.credited,
      sinceCredit: session.currentReward,
      left: session.remainingTime,
      isCompleted: session.isCompleted,
    },
    pending: pendingRewards,
    pendingUsdt: pendingUsdtRewards,
    canClaim,
    cooldown: status.cooldown.remainingTime,
    boost: Math.round(status.miningBoost * 100),
  }
}

const memberView = ({ mining, wallet }: MemberSnapshot) => ({
  ...miningView(mining),
  balance: wallet.tesp[0]?.balance,
  usdtBalance: wallet.usdtBalance,
})

/** What the screens of these members show, by member. */
export async function memberViews(db: Db, memberIds: number[]) {
  const snapshots = await readSnapshots(db, memberIds)
  return new Map(snapshots.map((snapshot) => [snapshot.memberId, memberView(snapshot)]))
}
