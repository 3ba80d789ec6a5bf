import { isDeepStrictEqual } from 'node:util'
import type { Db, Tx } from '#db/postgres/statements/transaction'
import type { Config } from '#runtime/config/config'
import { notFound, refuse } from './action-log.ts'
import { definitionOf, type TaskDefinition } from './task-definition.ts'

/** `claimed` counts only claims below a cap. */
export type OperatedTask = TaskDefinition & {
  status: 'draft' | 'active' | 'ended'
  /** Whether its time is over, though nobody ended it. */
  isOver: boolean
  claimed: number
}

type TaskRow = Omit<OperatedTask, 'starts' | 'ends'> & { starts: Date | null; ends: Date | null }

function tasksIn(db: Db) {
  return db('tasks')
    .select('id', 'status', 'texts', 'platform', 'action', 'link', 'dailyLimit', 'cap', 'claimed')
    .select('starts', 'ends', 'check', 'code', 'chat')
    .select({ reward: db.raw('trim_scale(reward)::text') })
    .select({ isOver: db.raw('coalesce(ends <= clock_timestamp(), false)') })
}

const operated = ({ starts, ends, ...task }: TaskRow): OperatedTask => ({
  ...task,
  starts: starts?.toISOString() ?? null,
  ends: ends?.toISOString() ?? null,
})

export async function listTasks(db: Db): Promise<OperatedTask[]> {
  return (await tasksIn(db).orderBy(['createdAt', 'id'])).map(operated)
}

/** @throws {RuleError} `not_found` */
export async function readTask(db: Db, id: string, tasks = tasksIn(db)): Promise<OperatedTask> {
  const row = await tasks.where({ id }).first()
  if (!row) throw notFound('task')
  return operated(row)
}

/** Counts all claims, which may be many. @throws {RuleError} `not_found` */
export async function showTask(db: Db, id: string): Promise<OperatedTask & { claims: number }> {
  const task = await readTask(db, id)
  const claims = await db('completed_tasks').where({ taskId: id }).count('* as claims').first()
  return { ...task, claims: Number(claims?.claims) }
}

const lockTask = (tx: Tx, id: string) => readTask(tx, id, tasksIn(tx).forUpdate())

const stored = ({ texts, ...task }: TaskDefinition) => ({ ...task, texts: JSON.stringify(texts) })

/** Members do not see a draft. @throws {RuleError} `bad_input` for an id that was used before */
export async function addTask(tx: Tx, definition: TaskDefinition): Promise<void> {
  const added = await tx('tasks')
    .insert(stored(definition))
    .onConflict('id')
    .ignore()
    .returning('id')
  if (added.length === 0) refuse(`There is a task ${definition.id} already`)
}

/** What an edit of a published task must leave: claims before it were not counted, or meant for good. */
function assertSameKind(before: OperatedTask, after: TaskDefinition): void {
  if (before.status === 'draft') return
  if (before.cap === null && after.cap !== null) {
    refuse('A cap can be set only in a draft: earlier claims were not counted')
  }
  if ((before.dailyLimit === null) !== (after.dailyLimit === null)) {
    refuse('Whether a task is daily can be changed only in a draft')
  }
}

/** @throws {RuleError} `bad_input` if the end is not in the future of the database's clock */
async function assertEndAhead(tx: Tx, ends: string | null): Promise<void> {
  if (ends === null) return
  const { rows } = await tx.raw('select ?::timestamptz > clock_timestamp() as "isAhead"', [ends])
  if (!rows[0].isAhead) refuse('The end must be in the future')
}

function assertOpen({ id, status, isOver }: OperatedTask): void {
  if (status === 'ended' || (status === 'active' && isOver)) {
    refuse(`The task ${id} has ended; add another one`)
  }
}

type Settings = Pick<Config, 'taskLinks' | 'telegramBotToken'>

function assertDoable({ id, link, check }: TaskDefinition, settings: Settings): void {
  if (link === null && !settings.taskLinks[id]) refuse('The task needs a link')
  if (check === 'telegram' && !settings.telegramBotToken) {
    refuse('The check telegram needs the setting TELEGRAM_BOT_TOKEN')
  }
}

/** @throws {RuleError} `bad_input` for a task that has ended or a definition that is wrong */
export function editedTask(task: OperatedTask, fields: Record<string, unknown>) {
  assertOpen(task)
  if ('id' in fields && fields.id !== task.id) refuse('The id of a task cannot be changed')
  const { status: _, isOver: __, claimed: ___, ...current } = task
  const after = definitionOf({ ...current, ...fields })
  assertSameKind(task, after)
  const names = Object.keys(current) as (keyof TaskDefinition)[]
  return { after, changed: names.filter((name) => !isDeepStrictEqual(current[name], after[name])) }
}

/** Returns the names of the changed fields. @throws {RuleError} `not_found`, and as `editedTask` */
export async function editTask(
  tx: Tx,
  id: string,
  fields: Record<string, unknown>,
  settings: Settings,
): Promise<string[]> {
  const before = await lockTask(tx, id)
  const { after, changed } = editedTask(before, fields)
  if (changed.includes('ends')) await assertEndAhead(tx, after.ends)
  if (before.status === 'active') assertDoable(after, settings)
  await tx('tasks')
    .where({ id })
    .update({ ...stored(after), updatedAt: tx.fn.now() })
  return changed
}

/** @throws {RuleError} `not_found`, or `bad_input` if it is no draft, ends in the past or has no link */
export async function publishTask(tx: Tx, id: string, settings: Settings): Promise<OperatedTask> {
  const task = await lockTask(tx, id)
  if (task.status !== 'draft') refuse(`The task ${id} was published before`)
  await assertEndAhead(tx, task.ends)
  assertDoable(task, settings)
  await tx('tasks').where({ id }).update({ status: 'active', updatedAt: tx.fn.now() })
  return task
}

/**
 * Claims whose transaction began before are paid. A task that has not started and has no claim becomes a draft again.
 * @throws {RuleError} `not_found`, or `bad_input` if it is no published task
 */
export async function endTask(tx: Tx, id: string): Promise<'draft' | 'ended'> {
  const { status } = await lockTask(tx, id)
  if (status !== 'active')
    refuse(`The task ${id} is ${status === 'draft' ? 'a draft' : 'ended already'}`)
  // A draft may become another kind of task, which would pay earlier claims again or miscount them.
  const claim = await tx('completed_tasks').where({ taskId: id }).first('taskId')
  // Read first: Citus takes no function of the time with columns in an update. The clock, not the start
  // of this transaction, which may have waited for the row while members claimed.
  const { rows } = await tx.raw(
    `select case when starts > clock_timestamp() and not :claimed then 'draft' else 'ended' end as status,
       case when starts > clock_timestamp() and not :claimed then ends
         else least(ends, greatest(clock_timestamp(), starts + interval '1 microsecond')) end::text as ends
     from tasks where id = :id`,
    { id, claimed: claim !== undefined },
  )
  const [end] = rows
  await tx('tasks')
    .where({ id })
    .update({ ...end, updatedAt: tx.fn.now() })
  return end.status
}
