import { listTasks, type OperatedTask, showTask } from '#operators/actions/tasks'
import { taskPreview, taskValues } from '#operators/console/content-forms'
import { html, type Value } from '#operators/console/html'
import type { Linked, PageRequest } from '#operators/console/page'
import { actionLink, type Column, cell, facts, section, table } from '#operators/console/parts'

const STATES = { draft: 'warn', active: 'good', ended: '' }

const state = ({ status, isOver }: OperatedTask) =>
  html`<span class="tag ${STATES[status]}">${status === 'active' && isOver ? 'over' : status}</span>`

const claims = ({ claimed, cap }: OperatedTask) => (cap === null ? '–' : `${claimed} of ${cap}`)

const timeOf = (iso: string | null) => cell(iso === null ? null : new Date(iso))

const COLUMNS: Column<OperatedTask>[] = [
  ['Task', ({ id, texts }) => html`<a href="/tasks/${id}">${texts.en.title}</a>`],
  ['State', state],
  ['Reward, TESP', ({ reward }) => reward, 'figure'],
  ['Claims of the cap', claims, 'figure'],
  ['Starts (UTC)', ({ starts }) => timeOf(starts)],
  ['Ends (UTC)', ({ ends }) => timeOf(ends)],
]

export async function tasksPage(request: PageRequest): Promise<Value> {
  return section(
    'All tasks, oldest first',
    table('Tasks', await listTasks(request.db), COLUMNS),
    actionLink(request, 'tasks add', 'Add a draft…'),
  )
}

export async function taskPage(request: PageRequest): Promise<Linked> {
  const task = await showTask(request.db, request.param('id'))
  return {
    title: task.texts.en.title,
    content: [
      section('What members read', taskPreview(task), [
        task.status === 'draft' && actionLink(request, 'tasks publish', 'Publish…', task.id),
        task.status !== 'ended' &&
          task.check !== 'code' &&
          actionLink(request, 'tasks edit', 'Change…', task.id, taskValues(task)),
        task.status === 'active' && actionLink(request, 'tasks end', 'End…', task.id),
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
}
