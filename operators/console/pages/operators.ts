import {
  type ListedOperator,
  type ListedSignIn,
  listOperators,
  listSignIns,
} from '#operators/actions/operator-sign-ins'
import { html, type Value } from '#operators/console/html'
import type { PageRequest } from '#operators/console/page'
import { actionLink, type Column, section, table, time } from '#operators/console/parts'

const STATES: Record<string, string> = {
  active: 'good',
  invited: 'warn',
  'invitation expired': 'bad',
}

export async function operatorsPage(request: PageRequest): Promise<Value> {
  const { db } = request
  const [operators, signIns] = await Promise.all([listOperators(db), listSignIns(db)])
  const actions = ({ name, signIns }: ListedOperator) => html`<span class="actions">
${actionLink(request, 'operators role', 'Role…', name)}
${signIns > 0 && actionLink(request, 'operators sign-out', 'Sign out…', name)}
${actionLink(request, 'operators reset', 'Invite again…', name)}
${actionLink(request, 'operators remove', 'Remove…', name)}</span>`
  return [
    section(
      'Accounts',
      table('Accounts', operators, [
        ['Name', ({ name }) => html`<b>${name}</b>`],
        ['Role', ({ role }) => role],
        ['State', ({ state }) => html`<span class="tag ${STATES[state]}">${state}</span>`],
        ['Added (UTC)', ({ addedAt }) => time(addedAt)],
        ['Actions', actions],
      ]),
      actionLink(request, 'operators invite', 'Invite…'),
    ),
    section('Sign-ins', table('Sign-ins', signIns, SIGN_IN_COLUMNS)),
  ]
}

export const SIGN_IN_COLUMNS: Column<ListedSignIn>[] = [
  ['Operator', ({ name }) => name],
  ['Device', ({ device }) => device],
  ['Network', ({ network }) => network],
  ['Signed in (UTC)', ({ createdAt }) => time(createdAt)],
  ['Seen (UTC)', ({ seenAt }) => time(seenAt)],
]
