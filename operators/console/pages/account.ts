import { type ListedSignIn, listSignIns } from '#operators/actions/operator-sign-ins'
import { html } from '#operators/console/html'
import type { Linked, PageRequest } from '#operators/console/page'
import { facts, section, table } from '#operators/console/parts'
import { ACTIONS, type ActionName, mayAct, titleOf } from '#operators/console/roles'
import { SIGN_IN_COLUMNS } from './operators.ts'

export async function accountPage({ db, operator }: PageRequest): Promise<Linked> {
  const signIns = await listSignIns(db, operator.id)
  const names = Object.keys(ACTIONS) as ActionName[]
  const actions = names.filter((name) => mayAct(operator.role, name))
  const end = ({ id }: ListedSignIn) =>
    id === operator.signIn
      ? 'this one'
      : html`<form method="post" action="/account/end-sign-in"><input type="hidden" name="signIn" value="${id}"><button class="quiet">End</button></form>`
  return {
    title: operator.name,
    content: [
      section(
        'Account',
        facts([
          ['Role', operator.role],
          ['May', actions.length > 0 ? actions.map(titleOf).join(', ') : 'read'],
        ]),
      ),
      section(
        'Your sign-ins',
        table('Your sign-ins', signIns, [...SIGN_IN_COLUMNS.slice(1), ['End', end]]),
      ),
      html`<p class="hint">For a new password or phone an owner invites you again.</p>`,
    ],
  }
}
