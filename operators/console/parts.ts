import type { SignedIn } from '#operators/actions/operator-sign-ins'
import { type Html, html, type Value } from './html.ts'
import { ACTIONS, type ActionName, mayAct } from './roles.ts'

export const UNKNOWN = '–'

export function time(at: Date | null | undefined): Html {
  if (!at) return html`${UNKNOWN}`
  const iso = at.toISOString()
  return html`<time datetime="${iso}" title="${iso}">${iso.slice(0, 16).replace('T', ' ')}</time>`
}

/** A value of a row in words; members choose some of them, and the template escapes all. */
export function cell(value: unknown): Value {
  if (value instanceof Date) return time(value)
  if (value === null || value === undefined || value === '') return UNKNOWN
  if (typeof value === 'boolean') return value ? 'yes' : 'no'
  if (typeof value === 'object') return JSON.stringify(value)
  return String(value)
}

export type Column<Row> = [head: string, show: (row: Row) => Value, as?: 'figure']

/** On a narrow screen rows are cards. Roles are explicit: browsers drop those of a table displayed as blocks. */
export function table<Row>(label: string, rows: Row[], columns: Column<Row>[]): Html {
  if (rows.length === 0) return html`<p class="none">None.</p>`
  const figure = (as: Column<Row>[2]) => as && html` class="figure"`
  return html`<table role="table" aria-label="${label}">
<thead role="rowgroup"><tr role="row">${columns.map(
    ([head, , as]) => html`<th role="columnheader" scope="col"${figure(as)}>${head}</th>`,
  )}</tr></thead>
<tbody role="rowgroup">${rows.map(
    (row) =>
      html`<tr role="row">${columns.map(
        ([head, show, as]) =>
          html`<td role="cell" data-head="${head}"${figure(as)}>${show(row) || UNKNOWN}</td>`,
      )}</tr>`,
  )}</tbody></table>`
}

export const memberLink = (id: unknown, name: unknown): Html =>
  html`<a href="/members/${String(id)}">${String(name)}</a>`

export const FROZEN = html`<span class="tag bad">frozen</span>`

export function facts(rows: [name: string, value: Value][]): Html {
  return html`<dl>${rows.map(([name, value]) => html`<div><dt>${name}</dt><dd>${value || UNKNOWN}</dd></div>`)}</dl>`
}

export const section = (title: string, content: Value, actions?: Value): Html => html`<section>
<div class="head"><h2>${title}</h2>${actions && html`<div class="actions">${actions}</div>`}</div>
${content}
</section>`

/** `ledger correct` is `/actions/ledger/correct`. */
export const actionPath = (name: ActionName): string => `/actions/${name.replaceAll(' ', '/')}`

/**
 * Returns nothing if the operator's role may not act. The path of the page leads back.
 * @param about the first argument of the command
 * @param values fill other fields of the form, which can be changed there
 */
export function actionLink(
  { operator, path }: { operator: SignedIn; path: string },
  name: ActionName,
  label: string,
  about?: unknown,
  values: Record<string, string> = {},
): Html | undefined {
  if (!mayAct(operator.role, name)) return undefined
  const given = about !== undefined && { arg0: String(about), given: 'arg0' }
  const query = new URLSearchParams({ ...given, ...values, back: path })
  return html`<a class="button${ACTIONS[name].isGrave && ' grave'}" href="${actionPath(name)}?${String(query)}">${label}</a>`
}

/** `next` is the cursor behind the last row, if more follow. */
export function pager(
  path: string,
  query: Record<string, string>,
  next: string | undefined,
): Html | undefined {
  if (next === undefined) return undefined
  const link = `${path}?${new URLSearchParams({ ...query, after: next })}`
  return html`<p class="pager"><a class="button" href="${link}">Next page</a></p>`
}
