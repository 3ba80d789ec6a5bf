import { listTasks, type OperatedTask, showTask } from '#operators/actions/tasks'
import { taskPreview, taskValues } from '#operators/console/content-forms'
import { html } from '#operators/console/html'
import type { Page } from '#operators/console/page'
import { actionLink, cell, facts, section, table } from '#operators/console/parts'

const STATES = { draft: 'warn', active: 'good', ended: '' }

const state = ({ status, isOver }: OperatedTask) =>
  html`<span class="tag ${STATES[status]}">${status === 'active' && isOver ? 'over' : status}</span>`

const claims = ({ claimed, cap }: OperatedTask) => (cap === null ? '–' : `${claimed} of ${cap}`)

const timeOf = (iso: string | null) => cell(iso === null ? null : new Date(iso))

const COLUMNS = [
  {
    head: 'Task',
    show: ({ id, texts }: OperatedTask) => html`<a href="/tasks/${id}">${texts.en.title}</a>`,
  },
  { head: 'State', show: state },
  { head: 'Reward, TESP', show: ({ reward }: OperatedTask) => reward, isFigure: true },
  { head: 'Claims of the cap', show: claims, isFigure: true },
  { head: 'Starts (UTC)', show: ({ starts }: OperatedTask) => timeOf(starts) },
  { head: 'Ends (UTC)', show: ({ ends }: OperatedTask) => timeOf(ends) },
]

export const tasksPage: Page = {
  path: '/tasks',
  nav: 'Tasks',
  async show(request) {
    const tasks = await listTasks(request.services.db)
    return {
      title: 'Tasks',
      content: section(
        'All tasks, oldest first',
        table<OperatedTask>('Tasks', COLUMNS, tasks),
        actionLink(request, 'tasks add', { label: 'Add a draft…' }),
      ),
    }
  },
}

export const taskPage: Page = {
  path: '/tasks/:id',
  async show(request) {
    const task = await showTask(request.services.db, request.param('id'))
    const args = [task.id]
    return {
      title: task.texts.en.title,
      content: [
        section('What members read', taskPreview(task), [
          task.status === 'draft' &&
            actionLink(request, 'tasks publish', { args, label: 'Publish…' }),
          task.status !== 'ended' &&
            task.check !== 'code' &&
            actionLink(request, 'tasks edit', { args, values: taskValues(task), label: 'Change…' }),
          task.status === 'active' &&
            actionLink(request, 'tasks end', { args, label: 'End…', isGrave: true }),
        ]),
        section(
          'Definition',
          facts([
            ['Id', html`<code>${task.id}</code>`],
            ['State', state(task)],
            ['Reward', `${task.reward} TESP`],
            ['Platform', task.platform],
            ['Action', task.action],
            ['Link', task.link],
            ['Claims of a member a day', cell(task.dailyLimit)],
            ['Claims', String(task.claims)],
            ['Claims of the cap', claims(task)],
            ['Starts (UTC)', timeOf(task.starts)],
            ['Ends (UTC)', timeOf(task.ends)],
            ['Check', task.check],
            ['Channel or group', task.chat],
          ]),
        ),
        task.check === 'code' &&
          html`<p class="hint">A task with a code word is changed on a terminal: <code>npm run ops -- tasks edit ${task.id}</code>.</p>`,
      ],
    }
  },
}
