import { ledgerPage } from '#operators/actions/member-records'
import {
  type FoundMember,
  findMembers,
  idOfMember,
  type LedgerLine,
} from '#operators/actions/members'
import { html } from '#operators/console/html'
import type { Page } from '#operators/console/page'
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
  { head: 'Member', show: ({ id, username }) => memberLink(id, username) },
  { head: 'Id', show: ({ id }) => id, isFigure: true },
  { head: 'E-mail', show: ({ email }) => email },
  { head: 'Signed up (UTC)', show: ({ signedUpAt }) => time(signedUpAt) },
  { head: 'State', show: ({ frozenAt }) => frozenAt && FROZEN },
]

export const membersPage: Page = {
  path: '/members',
  nav: 'Members',
  async show({ services: { db }, query }) {
    const text = query('q')
    const { members, next } = await findMembers(db, text, query('after'))
    return {
      title: 'Members',
      content: html`<form method="get" class="inline" role="search">
<label><span>User name, e-mail address, id or code</span><input type="search" name="q" value="${text}" autocomplete="off" spellcheck="false"></label>
<button>Find</button></form>
${
  text
    ? section('Found', [table('Members', COLUMNS, members), pager('/members', { q: text }, next)])
    : html`<p class="hint">Names and addresses are found by their beginning.</p>`
}`,
    }
  },
}

export const LEDGER_COLUMNS: Column<LedgerLine>[] = [
  { head: 'Time (UTC)', show: ({ at }) => time(at) },
  { head: 'Amount', show: ({ amount, token }) => `${amount} ${token}`, isFigure: true },
  { head: 'Balance after', show: ({ balanceAfter }) => balanceAfter, isFigure: true },
  { head: 'For', show: ({ description }) => description },
  { head: 'Row', show: ({ id }) => html`<code>${id}</code>` },
]

export const memberLedgerPage: Page = {
  path: '/members/:id/ledger',
  async show({ services: { db }, param, query }) {
    const id = await idOfMember(db, `id:${param('id')}`)
    const { rows, next } = await ledgerPage(db, id, query('after') || undefined)
    const path = `/members/${id}/ledger`
    return {
      title: `Ledger of member ${id}`,
      content: html`<p>${memberLink(id, `Member ${id}`)}</p>
${section('Rows, newest first', [table('Ledger', LEDGER_COLUMNS, rows), pager(path, {}, next)])}`,
    }
  },
}
