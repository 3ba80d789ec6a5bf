import { cancelKey, executeOnce, lockSignedIn } from '#db/members/execute-once'
import { claimRewards, lockClaim, lockStarter, startMining, stopMining } from '#db/mining/mining'
import { lockActiveSession } from '#db/mining/sessions'
import { type MemberSnapshot, readSnapshots } from '#db/mining/snapshots'
import { type Db, inTransaction, type Tx } from '#db/postgres/statements/transaction'
import { completeTask } from '#db/tasks'
import { checkMilestones } from '#db/team/milestones'
import { applyReferralCode } from '#db/team/referrals'
import { RuleError } from '#rules/rule-error'
import type { MilestoneCheck, MiningStatus, TaskClaim } from '#rules/snapshots'
import { type Command, NOBODY, type Outcome } from '#trials/simulation/model/economy'
import { codeOf } from './populate.ts'

function miningView(status: MiningStatus) {
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

export async function memberViews(db: Db, memberIds: number[]) {
  const snapshots = await readSnapshots(db, memberIds)
  return new Map(snapshots.map((snapshot) => [snapshot.memberId, memberView(snapshot)]))
}

type Kind = Exclude<Command['kind'], 'cancel'>

type Route = {
  name: string
  execute(tx: Tx, command: Command, locked: Promise<unknown>): Promise<unknown>
  lock?(tx: Tx, memberId: number): Promise<unknown>
  view(answer: unknown): unknown
}

/** For routes that take their locks with the check of the request. */
const locking = <Locked, Answer>(
  name: string,
  change: (tx: Tx, memberId: number, locked: Promise<Locked>) => Promise<Answer>,
  lock: (tx: Tx, memberId: number) => Promise<Locked>,
  view: (answer: Answer) => unknown,
): Route => ({
  name,
  execute: (tx, { memberId }, locked) => change(tx, memberId, locked as Promise<Locked>),
  lock,
  view: (answer) => view(answer as Answer),
})

/** As gateway/routes composes them. */
const ROUTES: Record<Kind, Route> = {
  start: locking('POST /api/mining/start', startMining, lockStarter, miningView),
  stop: locking('POST /api/mining/stop', stopMining, lockActiveSession, miningView),
  claim: locking('POST /api/mining/claim', claimRewards, lockClaim, (answer) => ({
    tesp: answer.claimedTesp,
    usdt: answer.claimedUsdt,
  })),
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

/** As `command()` of gateway/http/route.ts, below HTTP: one transaction, the member's lock, the stored answer. */
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
    const { name, execute, lock, view } = ROUTES[command.kind]
    const request = { signIn, route: name, key: command.key }
    const answer = await inTransaction(db, (tx) =>
      executeOnce(tx, request, (locked) => execute(tx, command, locked), lock),
    )
    return { answer: view(answer) }
  } catch (error) {
    if (error instanceof RuleError) return { refused: error.code }
    throw error
  }
}
