import { cancelKey, executeOnce, lockSignedIn } from '#db/members/execute-once'
import { claimRewards, startMining, stopMining } from '#db/mining/mining'
import { type MemberSnapshot, readSnapshots } from '#db/mining/snapshots'
import { type Db, inTransaction, type Tx } from '#db/postgres/statements/transaction'
import { completeTask } from '#db/tasks'
import { checkMilestones } from '#db/team/milestones'
import { applyReferralCode } from '#db/team/referrals'
import { RuleError } from '#rules/rule-error'
import type { ClaimResult, MilestoneCheck, MiningStatus, TaskClaim } from '#rules/snapshots'
import { type Command, NOBODY, type Outcome } from '#trials/simulation/model/economy'
import { codeOf } from './populate.ts'

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

type Kind = Exclude<Command['kind'], 'cancel'>

/** What a route is made of: its function in the transaction, and what its answer says. */
type Route = {
  name: string
  execute(tx: Tx, command: Command): Promise<unknown>
  view(answer: unknown): unknown
}

const status = (answer: unknown) => {
  const { active, session, pending, pendingUsdt } = miningView(answer as MiningStatus)
  return { active, session, pending, pendingUsdt }
}

/** A route that changes the member's session and answers the status. */
const answeringStatus = (
  name: string,
  change: (tx: Tx, memberId: number) => Promise<MiningStatus>,
): Route => ({
  name,
  execute: (tx, { memberId }) => change(tx, memberId),
  view: status,
})

/** As gateway/routes composes them. */
const ROUTES: Record<Kind, Route> = {
  start: answeringStatus('POST /api/mining/start', startMining),
  stop: answeringStatus('POST /api/mining/stop', stopMining),
  claim: {
    name: 'POST /api/mining/claim',
    execute: (tx, { memberId }) => claimRewards(tx, memberId),
    view(answer) {
      const { claimedTesp, claimedUsdt } = answer as ClaimResult
      return { tesp: claimedTesp, usdt: claimedUsdt }
    },
  },
  task: {
    name: 'POST /api/tasks/complete',
    execute: (tx, command) =>
      completeTask(tx, command.memberId, command.kind === 'task' ? command.taskId : ''),
    view: (answer) => ({ amount: (answer as TaskClaim).reward.amount }),
  },
  milestones: {
    name: 'GET /api/referral/check-milestones',
    execute: (tx, { memberId }) => checkMilestones(tx, memberId),
    view: (answer) => ({ milestones: (answer as MilestoneCheck).newMilestones }),
  },
  apply: {
    name: 'POST /api/referral/apply-code',
    async execute(tx, command) {
      const owner = command.kind === 'apply' ? command.owner : NOBODY
      return { owner: await applyReferralCode(tx, command.memberId, codeOf(owner)) }
    },
    view: (answer) => answer,
  },
}

/**
 * Delivers a command to the product as `command()` of gateway/http/route.ts does, below HTTP: one
 * transaction, the member's lock, the answer under its key.
 */
export async function deliver(db: Db, command: Command): Promise<Outcome> {
  const signIn = { memberId: command.memberId, epoch: 0 }
  try {
    if (command.kind === 'cancel') {
      const { cancelled } = await inTransaction(db, async (tx) => {
        await lockSignedIn(tx, signIn)
        return cancelKey(tx, command.memberId, command.cancelled)
      })
      return { answer: cancelled }
    }
    const { name, execute, view } = ROUTES[command.kind]
    const request = { signIn, route: name, key: command.key }
    const answer = await inTransaction(db, (tx) =>
      executeOnce(tx, request, () => execute(tx, command)),
    )
    return { answer: view(answer) }
  } catch (error) {
    if (error instanceof RuleError) return { refused: error.code }
    throw error
  }
}
