import {
  type ListedOperator,
  type ListedSignIn,
  listOperators,
  listSignIns,
} from '#operators/actions/operator-sign-ins'
import { html } from '#operators/console/html'
import type { Page } from '#operators/console/page'
import { actionLink, section, table, time } from '#operators/console/parts'

const STATES: Record<string, string> = {
  active: 'good',
  invited: 'warn',
  'invitation expired': 'bad',
}

export const operatorsPage: Page = {
  path: '/operators',
  nav: 'Operators',
  async show(request) {
    const { db } = request.services
    const [operators, signIns] = await Promise.all([listOperators(db), listSignIns(db)])
    const actions = ({ name, signIns }: ListedOperator) => html`<span class="actions">
${actionLink(request, 'operators role', { args: [name], label: 'Role…' })}
${signIns > 0 && actionLink(request, 'operators sign-out', { args: [name], label: 'Sign out…' })}
${actionLink(request, 'operators reset', { args: [name], label: 'Invite again…' })}
${actionLink(request, 'operators remove', { args: [name], label: 'Remove…', isGrave: true })}</span>`
    return {
      title: 'Operators',
      content: [
        section(
          'Accounts',
          table<ListedOperator>(
            'Accounts',
            [
              { head: 'Name', show: ({ name }) => html`<b>${name}</b>` },
              { head: 'Role', show: ({ role }) => role },
              {
                head: 'State',
                show: ({ state }) => html`<span class="tag ${STATES[state]}">${state}</span>`,
              },
              { head: 'Added (UTC)', show: ({ addedAt }) => time(addedAt) },
              { head: 'Actions', show: actions },
            ],
            operators,
          ),
          actionLink(request, 'operators invite', { label: 'Invite…' }),
        ),
        section('Sign-ins', table<ListedSignIn>('Sign-ins', SIGN_IN_COLUMNS, signIns)),
      ],
    }
  },
}

export const SIGN_IN_COLUMNS = [
  { head: 'Operator', show: ({ name }: ListedSignIn) => name },
  { head: 'Device', show: ({ device }: ListedSignIn) => device },
  { head: 'Network', show: ({ network }: ListedSignIn) => network },
  { head: 'Signed in (UTC)', show: ({ createdAt }: ListedSignIn) => time(createdAt) },
  { head: 'Seen (UTC)', show: ({ seenAt }: ListedSignIn) => time(seenAt) },
]
