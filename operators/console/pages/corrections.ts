import { CORRECTION_LIMIT, listProposals, type Proposal } from '#operators/actions/corrections'
import { html } from '#operators/console/html'
import type { Page } from '#operators/console/page'
import { actionLink, memberLink, section, table, time } from '#operators/console/parts'

export const correctionsPage: Page = {
  path: '/corrections',
  nav: 'Corrections',
  async show(request) {
    const decide = ({ id, proposedBy }: Proposal) => {
      const args = [String(id)]
      const isOwn = proposedBy.toLowerCase() === request.operator.name.toLowerCase()
      return html`<span class="actions">${isOwn ? 'waits for another operator' : actionLink(request, 'ledger approve', { args, label: 'Approve…' })}
${actionLink(request, 'ledger refuse', { args, label: 'Refuse…', isGrave: true })}</span>`
    }
    const rows = table<Proposal>(
      'Proposals',
      [
        { head: 'Proposal', show: ({ id }) => id, isFigure: true },
        { head: 'Member', show: ({ memberId, username }) => memberLink(memberId, username) },
        { head: 'Amount', show: ({ amount, token }) => `${amount} ${token}`, isFigure: true },
        { head: 'Reason', show: ({ reason }) => reason },
        { head: 'Proposed by', show: ({ proposedBy }) => proposedBy },
        { head: 'Ends (UTC)', show: ({ expiresAt }) => time(expiresAt) },
        { head: 'Actions', show: decide },
      ],
      await listProposals(request.services.db),
    )
    return {
      title: 'Corrections',
      content: [
        html`<p>More than ${CORRECTION_LIMIT} TESP or USDT of a member a day need a second operator.</p>`,
        section('Waiting', rows),
      ],
    }
  },
}
