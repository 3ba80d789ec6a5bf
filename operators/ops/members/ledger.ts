import { checkAmount, correctBalance } from '#operators/actions/members/corrections'
import { idOfMember, memberNamed } from '#operators/actions/members/find-member'
import { ledgerOf } from '#operators/actions/members/histories'
import { limitOf, needed } from '#operators/ops/arguments'
import type { ActCommand, ListCommand } from '#operators/ops/command'
import { publishChange } from '#operators/ops/redis'
import { RuleError } from '#rules/rule-error'

export const ledgerShow: ListCommand = {
  takes: '<member> [--limit <n>]',
  does: 'the newest ledger rows of a member, 50 without --limit',
  list: async (call) => {
    const memberId = await idOfMember(call.db, needed(call.args[0], 'The member'))
    return ledgerOf(call.db, memberId, limitOf(call, 50))
  },
}

function tokenOf(text: string | undefined): 'TESP' | 'USDT' {
  if (text === 'TESP' || text === 'USDT') return text
  throw new RuleError('bad_input', 'The token must be TESP or USDT')
}

export const ledgerCorrect: ActCommand = {
  takes: '<member> <TESP|USDT> <amount>',
  does: 'posts a compensating ledger row, which shows the reason to the member',
  act: async (call, reason) => {
    const [name, kind, wanted] = call.args
    const { id, username } = await memberNamed(call.db, needed(name, 'The member'))
    const token = tokenOf(kind)
    const amount = needed(wanted, 'The amount')
    checkAmount(amount)
    return {
      asks: `Post ${amount} ${token} for member ${id} (${username})?`,
      run: async (tx) => {
        const correction = { member: `id:${id}`, token, amount, reason }
        const { ledgerRow } = await correctBalance(tx, correction)
        return {
          says: `${amount} ${token} posted for member ${id} as ${ledgerRow}`,
          memberId: id,
          details: { token, amount, ledgerRow },
          after: () =>
            publishChange(call, { kind: 'members', memberIds: [id], topics: ['wallet'] }),
        }
      },
    }
  },
}
