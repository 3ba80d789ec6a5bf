import { createHash, timingSafeEqual } from 'node:crypto'
import { memberKey } from '#rules/buckets'
import type { Language } from '#rules/members/languages'
import { ledgerId } from '#rules/money/ledger-id'
import { display, type Money } from '#rules/money/money'
import { RuleError } from '#rules/rule-error'
import type { CompletedTask, Task, TaskClaim, TaskList, TaskTexts } from '#rules/snapshots'
import { engineOf } from './engine/engine.ts'
import { post } from './ledger/ledger.ts'
import { type Membership, MembershipNeeded, useAccount } from './members/telegram.ts'
import { CLOCKS, type LockStatement } from './postgres/connection/product-clock.ts'
import { prepared } from './postgres/statements/prepared.ts'
import { isoTimes } from './postgres/statements/times.ts'
import type { Db, Tx } from './postgres/statements/transaction.ts'

const TODAY_SQL = `to_char(now() at time zone 'UTC', 'YYYY-MM-DD')`
/** As bounds of the index: a member of years has claims of a thousand other days. */
const IS_TODAY_SQL = `day >= ${TODAY_SQL} and day < to_char(now() at time zone 'UTC' + interval '1 day', 'YYYY-MM-DD')`

/** Claims that count now: those of tasks that pay once, and of daily ones on the current UTC day. */
export async function readCompletedTasks(db: Db, memberId: number): Promise<CompletedTask[]> {
  const rows = await db('completed_tasks')
    .where(memberKey(memberId))
    .whereRaw(`(day = '' or (${IS_TODAY_SQL}))`)
    .orderBy('id')
    .select('taskId', 'completedAt', 'rewardAmount', 'rewardType')
  return rows.map(isoTimes<CompletedTask>)
}

/** State at the start of the transaction: a claim pressed in time is paid even if it then waits for a lock. */
const stateSql = (at: string) => `
  case when status = 'draft' or ${at} < starts then 'hidden' when ${at} >= ends then 'ended'
    when claimed >= cap then 'full' else 'open' end`

const LIST_SQL = `
  select * from (
    select id, texts, trim_scale(reward)::text as reward, platform, action, link, "dailyLimit", "check",
      "createdAt", ${stateSql('now()')} as state
    from tasks
  ) t where state in ('open', 'full') or (state = 'ended' and id = any(:completed::text[]))
  order by "createdAt", id`

const NEXT_SQL = `
  select (extract(epoch from statement_timestamp()) * 1000)::float8 as "asOf",
    (select ceil(extract(epoch from min(at) - now()) * 1000)::float8
     from tasks, unnest(array[starts, ends]) at where status = 'active' and at > now()) as "changesInMs"`

type TaskRow = Omit<Task, 'dailyLimit'> & { dailyLimit: number | null; createdAt: Date }

/** Tasks to claim, those that are full, and those completed; `links` by task id, for tasks without one. */
export async function readTasks(
  db: Db,
  memberId: number,
  links: Record<string, string>,
): Promise<TaskList> {
  const completed = (await readCompletedTasks(db, memberId)).map(({ taskId }) => taskId)
  // The clock is read first, so that no row is older than its moment.
  const { rows: moments } = await prepared(db, 'tasks-next', NEXT_SQL, {})
  const { rows } = await prepared(db, 'tasks', LIST_SQL, { completed })
  const tasks = (rows as TaskRow[]).map(({ createdAt: _, dailyLimit, ...task }) => ({
    ...task,
    link: task.link ?? links[task.id] ?? null,
    ...(dailyLimit !== null && { dailyLimit }),
  }))
  return { tasks, ...moments[0] }
}

type ClaimedTask = {
  texts: Record<Language, TaskTexts>
  reward: Money
  dailyLimit: number | null
  cap: number | null
  code: string | null
  chat: string | null
  state: Task['state'] | 'hidden'
  pressedAt: Date
}

const PRESSED_SQL = 'coalesce(:pressedAt::timestamptz, now())'
const CLAIMED_SQL = `
  select texts, reward, "dailyLimit", cap, code, chat, ${PRESSED_SQL} as "pressedAt",
    ${stateSql(PRESSED_SQL)} as state
  from tasks where id = :taskId`

const CLAIMS_TODAY_SQL = `
  select count(*)::integer as claims from completed_tasks
  where bucket = :bucket and "userId" = :userId and "taskId" = :taskId and ${IS_TODAY_SQL}`

/** Claim `n` has the day '', '2026-11-24', '2026-11-24:2' …, so the unique key bounds claims without a lock too. */
const COMPLETE_SQL = `
  insert into completed_tasks (bucket, "userId", "taskId", "rewardAmount", day)
  values (:bucket, :userId, :taskId, :reward, case when :n::integer = 0 then '' when :n::integer = 1 then ${TODAY_SQL}
    else ${TODAY_SQL} || ':' || :n::integer end)
  on conflict (bucket, "userId", "taskId", day) do nothing
  returning day`
const COMPLETE: LockStatement = {
  name: 'complete-task',
  sql: COMPLETE_SQL,
  withClocks: `${COMPLETE_SQL}, ${CLOCKS}`,
  clocks: `select ${CLOCKS}`,
}

/** Waits for the claims before it, and is sent last: the row is locked for the commit only. */
const COUNT_SQL = `
  update tasks set claimed = claimed + 1 where id = :taskId and (cap is null or claimed < cap)
  returning coalesce(claimed = cap, false) as "isFull"`

const claimedBefore = () =>
  new RuleError('task_claimed', 'You have already claimed the reward for this task')

const full = () => new RuleError('task_full', 'All rewards of this task have been claimed')

/** Ignores case and surrounding blanks, which phones add. */
const digestOf = (word: string) =>
  createHash('sha256').update(word.normalize('NFKC').trim().toLowerCase()).digest()

/** Compares in constant time. */
const isSameWord = (given: string, right: string) =>
  timingSafeEqual(digestOf(given), digestOf(right))

type ClaimOptions = {
  code?: string | undefined
  /** The answer of Telegram to a claim that threw `MembershipNeeded`. */
  membership?: Membership | undefined
  /** Called if this claim takes the last reward below the cap; the transaction may still fail. */
  onFull?: () => void
}

async function claimableTask(
  tx: Tx,
  memberId: number,
  taskId: string,
  { code = '', membership }: ClaimOptions,
): Promise<ClaimedTask> {
  const values = { taskId, pressedAt: membership?.pressedAt ?? null }
  const task: ClaimedTask | undefined = (await prepared(tx, 'claimed-task', CLAIMED_SQL, values))
    .rows[0]
  if (!task || task.state === 'hidden') throw new RuleError('task_unknown', 'Task does not exist')
  if (task.state !== 'open') {
    const completed = await readCompletedTasks(tx, memberId)
    if (completed.some((done) => done.taskId === taskId)) throw claimedBefore()
    throw task.state === 'full' ? full() : new RuleError('task_ended', 'This task has ended')
  }
  if (task.code !== null && !isSameWord(code, task.code)) {
    throw new RuleError('task_code_wrong', 'The code word is not correct')
  }
  return task
}

async function numberOfClaim(
  tx: Tx,
  memberId: number,
  taskId: string,
  dailyLimit: number,
): Promise<number> {
  const bindings = { ...memberKey(memberId), taskId }
  const { rows } = await prepared(tx, 'task-claims-today', CLAIMS_TODAY_SQL, bindings)
  if (rows[0].claims >= dailyLimit) throw claimedBefore()
  return rows[0].claims + 1
}

function factOf(memberId: number, taskId: string, dayAndClaim: string): string {
  const [day = '', n] = dayAndClaim.split(':')
  if (!day) return ledgerId('task', { memberId, taskId })
  if (!n) return ledgerId('dailyTask', { memberId, taskId, day })
  return ledgerId('repeatedTask', { memberId, taskId, day, n })
}

/**
 * Pays a task once per member, or `dailyLimit` times per member and UTC day, and never above its cap
 * (rules.md: Tasks). Call it under the member's lock.
 * @throws {RuleError} `task_unknown`, `task_claimed`, `task_ended`, `task_full`, `task_code_wrong`,
 * `telegram_not_linked`, `telegram_account_used`
 * @throws {MembershipNeeded} if Telegram has to be asked before the claim is repeated
 */
export async function completeTask(
  tx: Tx,
  memberId: number,
  taskId: string,
  options: ClaimOptions = {},
): Promise<TaskClaim> {
  const task = await claimableTask(tx, memberId, taskId, options)
  const { reward, dailyLimit, cap, texts, chat, pressedAt } = task
  const n = dailyLimit === null ? 0 : await numberOfClaim(tx, memberId, taskId, dailyLimit)
  const bindings = { ...memberKey(memberId), taskId, reward, n }
  const engine = await engineOf(tx)
  const completed = await engine.readLocked<{ day: string }>(tx, COMPLETE, bindings)
  if (!completed) throw claimedBefore()
  if (chat !== null) {
    const accountHash = await useAccount(tx, memberId, taskId)
    // Of another account, or none: Telegram has to be asked about this one.
    if (options.membership?.accountHash !== accountHash) {
      throw new MembershipNeeded(memberId, chat, pressedAt)
    }
  }
  await post(tx, {
    id: factOf(memberId, taskId, completed.row.day),
    userId: memberId,
    token: 'TESP',
    amount: reward,
    type: 'other',
    description: `Task reward: ${texts.en.title}`,
    at: completed.now,
  })
  if (cap !== null) {
    const [counted] = (await prepared(tx, 'count-task', COUNT_SQL, { taskId })).rows
    if (!counted) throw full()
    if (counted.isFull) options.onFull?.()
  }
  const message = 'You have received the reward for this task! Check your wallet balance.'
  return { success: true, message, reward: { amount: Number(display(reward, 8)), type: 'TESP' } }
}
