import { memberKey } from '#rules/buckets'
import { ledgerId } from '#rules/money/ledger-id'
import { display, type Money } from '#rules/money/money'
import { taskOf } from '#rules/money/tasks'
import { RuleError } from '#rules/rule-error'
import type { CompletedTask, TaskClaim } from '#rules/snapshots'
import { engineOf } from './engine/engine.ts'
import { post } from './ledger/ledger.ts'
import type { LockStatement } from './postgres/connection/product-clock.ts'
import type { Db, Tx } from './postgres/statements/transaction.ts'

/** Tasks that the member was paid for: one-time tasks, and daily tasks of the current UTC day. */
export async function readCompletedTasks(db: Db, memberId: number): Promise<CompletedTask[]> {
  const rows: { taskId: string; completedAt: Date; rewardAmount: Money; rewardType: string }[] =
    await db('completed_tasks')
      .where(memberKey(memberId))
      .whereRaw(`(day = '' or day = to_char(now() at time zone 'UTC', 'YYYY-MM-DD'))`)
      .orderBy('id')
  return rows.map(({ taskId, completedAt, rewardAmount, rewardType }) => {
    return { taskId, completedAt: completedAt.toISOString(), rewardAmount, rewardType }
  })
}

const COMPLETE_SQL = `
  insert into completed_tasks (bucket, "userId", "taskId", "rewardAmount", day)
  values (:bucket, :userId, :taskId, :reward,
    case when :daily::boolean then to_char(now() at time zone 'UTC', 'YYYY-MM-DD') else '' end)
  on conflict (bucket, "userId", "taskId", day) do nothing
  returning day`
const COMPLETE: LockStatement = {
  name: 'complete-task',
  sql: COMPLETE_SQL,
  withClock: `${COMPLETE_SQL}, product_now() as now`,
}

/**
 * Pays a task once per member, a daily task once per member and UTC day (rules.md: Tasks).
 * @throws {RuleError} `task_unknown`, `task_claimed`
 */
export async function completeTask(tx: Tx, memberId: number, taskId: string): Promise<TaskClaim> {
  const task = taskOf(taskId)
  if (!task) throw new RuleError('task_unknown', 'Task does not exist')
  const bindings = {
    ...memberKey(memberId),
    taskId,
    reward: task.reward,
    daily: Boolean(task.dailyLimit),
  }
  const engine = await engineOf(tx)
  const completed = await engine.readLocked<{ day: string }>(tx, COMPLETE, bindings)
  if (!completed) {
    throw new RuleError('task_claimed', 'You have already claimed the reward for this task')
  }
  const { day } = completed.row
  await post(tx, {
    id: day
      ? ledgerId('dailyTask', { memberId, taskId, day })
      : ledgerId('task', { memberId, taskId }),
    userId: memberId,
    token: 'TESP',
    amount: task.reward,
    type: 'other',
    description: `Task reward: ${task.title}`,
    at: completed.now,
  })
  const message = 'You have received the reward for this task! Check your wallet balance.'
  return {
    success: true,
    message,
    reward: { amount: Number(display(task.reward, 8)), type: 'TESP' },
  }
}
