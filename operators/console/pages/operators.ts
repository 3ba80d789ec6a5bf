import {
  type ListedOperator,
  type ListedSignIn,
  listOperators,
  listSignIns,
} from '#operators/actions/operator-sign-ins'
import { html, type Value } from '#operators/console/html'
import type { PageRequest } from '#operators/console/page'
import { actionLink, section, table, time } from '#operators/console/parts'

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
        { head: 'Name', show: ({ name }) => html`<b>${name}</b>` },
        { head: 'Role', show: ({ role }) => role },
        {
          head: 'State',
          show: ({ state }) => html`<span class="tag ${STATES[state]}">${state}</span>`,
        },
        { head: 'Added (UTC)', show: ({ addedAt }) => time(addedAt) },
        { head: 'Actions', show: actions },
      ]),
      actionLink(request, 'operators invite', 'Invite…'),
    ),
    section('Sign-ins', table('Sign-ins', signIns, SIGN_IN_COLUMNS)),
  ]
}

export const SIGN_IN_COLUMNS = [
  { head: 'Operator', show: ({ name }: ListedSignIn) => name },
  { head: 'Device', show: ({ device }: ListedSignIn) => device },
  { head: 'Network', show: ({ network }: ListedSignIn) => network },
  { head: 'Signed in (UTC)', show: ({ createdAt }: ListedSignIn) => time(createdAt) },
  { head: 'Seen (UTC)', show: ({ seenAt }: ListedSignIn) => time(seenAt) },
]
