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
    { head: 'Proposal', show: ({ id }) => id, isFigure: true },
    { head: 'Member', show: ({ memberId, username }) => memberLink(memberId, username) },
    { head: 'Amount', show: ({ amount, token }) => `${amount} ${token}`, isFigure: true },
    { head: 'Reason', show: ({ reason }) => reason },
    { head: 'Proposed by', show: ({ proposedBy }) => proposedBy },
    { head: 'Ends (UTC)', show: ({ expiresAt }) => time(expiresAt) },
    { head: 'Actions', show: decide },
  ])
  return [
    html`<p>More than ${CORRECTION_LIMIT} TESP or USDT of a member a day need a second operator.</p>`,
    section('Waiting', rows),
  ]
}
