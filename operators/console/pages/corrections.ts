import { CORRECTION_LIMIT, listProposals, type Proposal } from '#operators/actions/corrections'
import { html, type Value } from '#operators/console/html'
import type { PageRequest } from '#operators/console/page'
import { actionLink, memberLink, section, table, time } from '#operators/console/parts'

export async function correctionsPage(request: PageRequest): Promise<Value> {
  const decide = ({ id, proposedBy }: Proposal) => {
    const isOwn = proposedBy.toLowerCase() === request.operator.name.toLowerCase()
    return html`<span class="actions">${isOwn ? 'waits for another operator' : actionLink(request, 'ledger approve', 'Approve…', id)}
${actionLink(request, 'ledger refuse', 'Refuse…', id)}</span>`
  }
  const rows = table('Proposals', await listProposals(request.db), [
    ['Proposal', ({ id }) => id, 'figure'],
    ['Member', ({ memberId, username }) => memberLink(memberId, username)],
    ['Amount', ({ amount, token }) => `${amount} ${token}`, 'figure'],
    ['Reason', ({ reason }) => reason],
    ['Proposed by', ({ proposedBy }) => proposedBy],
    ['Ends (UTC)', ({ expiresAt }) => time(expiresAt)],
    ['Actions', decide],
  ])
  return [
    html`<p>More than ${CORRECTION_LIMIT} TESP or USDT of a member a day need a second operator.</p>`,
    section('Waiting', rows),
  ]
}
