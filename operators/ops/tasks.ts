import { definitionOf, parseFields } from '#operators/actions/task-definition'
import {
  addTask,
  editedTask,
  editTask,
  endTask,
  listTasks,
  publishTask,
  readTask,
  showTask,
} from '#operators/actions/tasks'
import { acting, argument, type Done, type OpsCall, type OpsCommand } from './command.ts'

const taskOf = (call: OpsCall) => readTask(call.db, argument(call))

const PUBLISHES: Done['publishes'] = [{ kind: 'tasks' }]

function timesOf(dailyLimit: number | null): string {
  if (dailyLimit === null) return 'once'
  return dailyLimit === 1 ? 'once a day' : `${dailyLimit} times a day`
}

export const taskCommands = {
  'tasks list': {
    does: 'all tasks, oldest first',
    list: async ({ db }) =>
      (await listTasks(db)).map(({ texts, claimed, cap, status, isOver, ...task }) => ({
        id: task.id,
        status: status === 'active' && isOver ? 'over' : status,
        title: texts.en.title,
        reward: task.reward,
        dailyLimit: task.dailyLimit,
        claimed: cap === null ? null : claimed,
        cap,
        check: task.check,
        starts: task.starts,
        ends: task.ends,
      })),
  },
  'tasks show': {
    takes: '<id>',
    does: 'a task with its texts, code word and number of claims',
    show: (call) => showTask(call.db, argument(call)),
  },
  'tasks add': acting({
    takes: '<json>',
    does: 'adds a draft, which members do not see',
    of: (call) => definitionOf(parseFields(argument(call))),
    asks: ({ id, texts, reward }) => `Add the draft ${id} ("${texts.en.title}", ${reward} TESP)?`,
    run: async (tx, task) => {
      await addTask(tx, task)
      const { id, reward, cap } = task
      return { says: `${id} is a draft`, details: { task: id, reward, cap } }
    },
  }),
  'tasks edit': acting({
    takes: '<id> <json>',
    does: 'changes the fields in the JSON; open pages show it at once',
    of: async (call) => {
      const fields = parseFields(argument(call, 1))
      const task = await taskOf(call)
      return { fields, task, ...editedTask(task, fields) }
    },
    asks: ({ task, after, changed }) => {
      // Texts are long, and a code word is shown nowhere.
      const changes = changed.map((name) =>
        name === 'texts' || name === 'code'
          ? name
          : `${name} from ${task[name] ?? 'none'} to ${after[name] ?? 'none'}`,
      )
      return changed.length > 0 ? `Change ${changes.join(', ')} of the task ${task.id}?` : null
    },
    run: async (tx, { fields, task: { id } }, { config }) => {
      const changed = (await editTask(tx, id, fields, config)).join(', ')
      const { reward, cap } = await readTask(tx, id)
      return {
        says: changed ? `${id}: ${changed} changed` : `${id} is unchanged`,
        details: { task: id, changed, reward, cap },
        publishes: PUBLISHES,
      }
    },
  }),
  'tasks publish': acting({
    takes: '<id>',
    does: 'lets members claim a draft, from its start on if it has one',
    of: taskOf,
    asks: ({ id, reward, dailyLimit, cap, texts }) => {
      const most = cap === null ? '' : `, at most ${cap} claims in all`
      return `Publish the task ${id} ("${texts.en.title}"): ${reward} TESP, ${timesOf(dailyLimit)} for each member${most}?`
    },
    run: async (tx, { id }, { config }) => {
      const { reward, cap } = await publishTask(tx, id, config)
      const details = { task: id, reward, cap }
      return { says: `${id} is published`, details, publishes: PUBLISHES }
    },
  }),
  'tasks end': acting({
    takes: '<id>',
    does: 'ends a task now; one that has not started becomes a draft again',
    of: taskOf,
    asks: ({ id }) => `End the task ${id}?`,
    run: async (tx, { id }) => {
      const status = await endTask(tx, id)
      return {
        says: status === 'draft' ? `${id} is a draft again` : `${id} has ended`,
        details: { task: id, status },
        publishes: PUBLISHES,
      }
    },
  }),
} satisfies Record<string, OpsCommand>
