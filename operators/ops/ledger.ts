import { rollupStatus } from '#db/ledger/retention/ledger-partition'
import { readSeals } from '#db/ledger/seals/seal-chain'
import { refuse } from '#operators/actions/action-log'
import {
  approveCorrection,
  CORRECTION_LIMIT,
  checkAmount,
  correctOrPropose,
  listProposals,
  openProposal,
  type Posted,
  refuseCorrection,
} from '#operators/actions/corrections'
import { ledgerOf } from '#operators/actions/members'
import { changeOf } from '#runtime/pubsub'
import {
  acting,
  argument,
  type Done,
  memberOf,
  newestOfMember,
  type OpsCall,
  type OpsCommand,
  wholeNumber,
} from './command.ts'

function tokenOf(text: string | undefined): 'TESP' | 'USDT' {
  if (text === 'TESP' || text === 'USDT') return text
  refuse('The token must be TESP or USDT')
}

function posted({ memberId, ...details }: Posted): Done {
  const { amount, token, ledgerRow } = details
  return {
    says: `${amount} ${token} posted for member ${memberId} as ${ledgerRow}`,
    memberId,
    details,
    publishes: [changeOf(memberId, 'wallet', 'inbox')],
  }
}

const proposalOf = (call: OpsCall) =>
  openProposal(call.db, wholeNumber(argument(call), 'The proposal'))

export const ledgerCommands = {
  'ledger show': newestOfMember(
    50,
    'the newest ledger rows of a member, 50 without --limit',
    ledgerOf,
  ),
  'ledger correct': acting({
    takes: '<member> <TESP|USDT> <amount>',
    does: `posts a ledger row with the reason; above ${CORRECTION_LIMIT} a day it waits for another operator`,
    of: async (call) => {
      const member = await memberOf(call)
      const token = tokenOf(call.args[1])
      const amount = argument(call, 2)
      checkAmount(amount)
      return { ...member, token, amount }
    },
    asks: ({ who, token, amount }) => `Post ${amount} ${token} for ${who}?`,
    run: async (tx, { id: memberId, token, amount }, { reason, operator }) => {
      const correction = { memberId, token, amount, reason }
      const done = await correctOrPropose(tx, correction, operator)
      if ('ledgerRow' in done) return posted(done)
      const { proposal } = done
      return {
        says: `proposed: another operator posts ${amount} ${token} with ledger approve ${proposal}`,
        memberId,
        details: { token, amount, proposal },
      }
    },
  }),
  'ledger proposals': {
    does: 'corrections above the limit that wait for another operator',
    list: ({ db }) => listProposals(db),
  },
  'ledger approve': acting({
    takes: '<proposal>',
    does: 'posts a correction that another operator proposed',
    usualReason: 'approved',
    of: proposalOf,
    asks: ({ amount, token, memberId, username, reason }) =>
      `Post ${amount} ${token} for member ${memberId} (${username}): "${reason}"?`,
    run: async (tx, { id }, { operator }) => {
      const done = posted(await approveCorrection(tx, id, operator))
      return { ...done, details: { ...done.details, proposal: id } }
    },
  }),
  'ledger refuse': acting({
    takes: '<proposal>',
    does: 'refuses a proposed correction; nothing is posted',
    of: proposalOf,
    asks: ({ amount, token, memberId }) => `Refuse ${amount} ${token} for member ${memberId}?`,
    run: async (tx, { id, memberId }, { operator }) => {
      await refuseCorrection(tx, id, operator)
      return { says: `proposal ${id} is refused`, memberId, details: { proposal: id } }
    },
  }),
  'retention status': {
    does: 'how far old days of the ledger are rolled up, and their size before and after',
    list: ({ db }) => rollupStatus(db),
  },
  'seals list': {
    takes: '[after]',
    does: 'the seals of the ledger behind a number, 1,000 at most; with --json as a mirror keeps them',
    list: ({ db, args: [after] }) => readSeals(db, after ? wholeNumber(after, '[after]') : 0),
  },
} satisfies Record<string, OpsCommand>
