import { type LogFilter, type LoggedAction, listActions } from '#operators/actions/action-log'
import { idOfMember } from '#operators/actions/members'
import { html, type Value } from '#operators/console/html'
import type { PageRequest } from '#operators/console/page'
import { type Column, memberLink, pager, section, table, time } from '#operators/console/parts'
import { LOG_TITLES, titleOf } from '#operators/console/roles'
import { wholeNumber } from '#operators/ops/command'

const ROWS = 50

/** Facts of an action as words: `amount 1, token TESP`. */
const details = ({ details: facts }: LoggedAction) =>
  Object.entries(facts)
    .map(([key, value]) => `${key} ${Array.isArray(value) ? value.join(' ') : value}`)
    .join(', ')

export const LOG_COLUMNS: Column<LoggedAction>[] = [
  ['Time (UTC)', ({ at }) => time(at)],
  [
    'Operator',
    ({ operator, operatorId }) =>
      html`${operator}${operatorId === null && html` <span class="tag">terminal</span>`}`,
  ],
  ['Action', ({ action }) => html`<span title="${action}">${titleOf(action)}</span>`],
  ['Member', ({ memberId }) => memberId !== null && memberLink(memberId, memberId)],
  ['Facts', details],
  ['Reason', ({ reason }) => reason],
]

/** A chosen action that only an older release wrote stays in the list. */
function actions(chosen: string): Value {
  const known = [...LOG_TITLES].sort(([, one], [, other]) => one.localeCompare(other))
  const names = chosen && !LOG_TITLES.has(chosen) ? [[chosen, chosen], ...known] : known
  return html`<label><span>Action</span><select name="action"><option value="">All</option>${names.map(
    ([name, title]) =>
      html`<option value="${name}"${name === chosen && html` selected`}>${title}</option>`,
  )}</select></label>`
}

export async function logPage({ db, query }: PageRequest): Promise<Value> {
  const [operator, action, member] = ['operator', 'action', 'member'].map(query)
  const before = query('after')
  const filter: LogFilter = {
    ...(operator && { operator }),
    ...(action && { action }),
    ...(member && { memberId: await idOfMember(db, member) }),
    ...(before && { before: wholeNumber(before, 'The page') }),
  }
  const rows = await listActions(db, ROWS + 1, filter)
  const page = rows.slice(0, ROWS)
  const next = rows.length > ROWS ? String(page.at(-1)?.id) : undefined
  const typed = { operator: operator ?? '', action: action ?? '', member: member ?? '' }
  const input = (name: keyof typeof typed, label: string) =>
    html`<label><span>${label}</span><input name="${name}" value="${typed[name]}" autocomplete="off" spellcheck="false"></label>`
  return html`<form method="get" class="inline">
${input('operator', 'Operator')}${actions(typed.action)}${input('member', 'Member')}
<button>Filter</button><a class="button" href="/log">All</a></form>
${section('Actions, newest first', [table('Actions', page, LOG_COLUMNS), pager('/log', typed, next)])}`
}
