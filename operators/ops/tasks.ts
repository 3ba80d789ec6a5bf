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
import { argument, type OpsCommand } from './command.ts'

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
  'tasks add': {
    takes: '<json>',
    does: 'adds a draft, which members do not see',
    act: async (call) => {
      const task = definitionOf(parseFields(argument(call)))
      return {
        asks: `Add the draft ${task.id} ("${task.texts.en.title}", ${task.reward} TESP)?`,
        run: async (tx) => {
          await addTask(tx, task)
          return {
            says: `${task.id} is a draft`,
            details: { task: task.id, reward: task.reward, cap: task.cap },
          }
        },
      }
    },
  },
  'tasks edit': {
    takes: '<id> <json>',
    does: 'changes the fields in the JSON; open pages show it at once',
    act: async (call) => {
      const [id, fields] = [argument(call), parseFields(argument(call, 1))]
      const task = await readTask(call.db, id)
      const { after, changed } = editedTask(task, fields)
      // Texts are long, and a code word is shown nowhere.
      const changes = changed.map((name) =>
        name === 'texts' || name === 'code'
          ? name
          : `${name} from ${task[name] ?? 'none'} to ${after[name] ?? 'none'}`,
      )
      return {
        asks: changed.length > 0 ? `Change ${changes.join(', ')} of the task ${id}?` : null,
        run: async (tx) => {
          const changed = await editTask(tx, id, fields, call.config)
          const { reward, cap } = await readTask(tx, id)
          return {
            says:
              changed.length > 0 ? `${id}: ${changed.join(', ')} changed` : `${id} is unchanged`,
            details: { task: id, changed: changed.join(', '), reward, cap },
            publishes: [{ kind: 'tasks' }],
          }
        },
      }
    },
  },
  'tasks publish': {
    takes: '<id>',
    does: 'lets members claim a draft, from its start on if it has one',
    act: async (call) => {
      const { id, reward, dailyLimit, cap, texts } = await readTask(call.db, argument(call))
      const most = cap === null ? '' : `, at most ${cap} claims in all`
      return {
        asks: `Publish the task ${id} ("${texts.en.title}"): ${reward} TESP, ${timesOf(dailyLimit)} for each member${most}?`,
        run: async (tx) => {
          const task = await publishTask(tx, id, call.config)
          return {
            says: `${id} is published`,
            details: { task: id, reward: task.reward, cap: task.cap },
            publishes: [{ kind: 'tasks' }],
          }
        },
      }
    },
  },
  'tasks end': {
    takes: '<id>',
    does: 'ends a task now; one that has not started becomes a draft again',
    act: async (call) => {
      const { id } = await readTask(call.db, argument(call))
      return {
        asks: `End the task ${id}?`,
        run: async (tx) => {
          const status = await endTask(tx, id)
          return {
            says: status === 'draft' ? `${id} is a draft again` : `${id} has ended`,
            details: { task: id, status },
            publishes: [{ kind: 'tasks' }],
          }
        },
      }
    },
  },
} satisfies Record<string, OpsCommand>
