import { ledgerPage } from '#operators/actions/member-records'
import {
  type FoundMember,
  findMembers,
  idOfMember,
  type LedgerLine,
} from '#operators/actions/members'
import { html, type Value } from '#operators/console/html'
import type { Linked, PageRequest } from '#operators/console/page'
import {
  type Column,
  FROZEN,
  memberLink,
  pager,
  section,
  table,
  time,
} from '#operators/console/parts'

const COLUMNS: Column<FoundMember>[] = [
  ['Member', ({ id, username }) => memberLink(id, username)],
  ['Id', ({ id }) => id, 'figure'],
  ['E-mail', ({ email }) => email],
  ['Signed up (UTC)', ({ signedUpAt }) => time(signedUpAt)],
  ['State', ({ frozenAt }) => frozenAt && FROZEN],
]

export async function membersPage({ db, query }: PageRequest): Promise<Value> {
  const text = query('q')
  const { members, next } = await findMembers(db, text, query('after'))
  return html`<form method="get" class="inline" role="search">
<label><span>User name, e-mail address, id or code</span><input type="search" name="q" value="${text}" autocomplete="off" spellcheck="false"></label>
<button>Find</button></form>
${
  text
    ? section('Found', [table('Members', members, COLUMNS), pager('/members', { q: text }, next)])
    : html`<p class="hint">Names and addresses are found by their beginning.</p>`
}`
}

export const LEDGER_COLUMNS: Column<LedgerLine>[] = [
  ['Time (UTC)', ({ at }) => time(at)],
  ['Amount', ({ amount, token }) => `${amount} ${token}`, 'figure'],
  ['Balance after', ({ balanceAfter }) => balanceAfter, 'figure'],
  ['For', ({ description }) => description],
  ['Row', ({ id }) => html`<code>${id}</code>`],
]

export async function memberLedgerPage({ db, param, query }: PageRequest): Promise<Linked> {
  const id = await idOfMember(db, `id:${param('id')}`)
  const { rows, next } = await ledgerPage(db, id, query('after') || undefined)
  const path = `/members/${id}/ledger`
  return {
    title: `Ledger of member ${id}`,
    content: html`<p>${memberLink(id, `Member ${id}`)}</p>
${section('Rows, newest first', [table('Ledger', rows, LEDGER_COLUMNS), pager(path, {}, next)])}`,
  }
}
