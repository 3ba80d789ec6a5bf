import { listActions } from '#operators/actions/actions'
import { idOfMember } from '#operators/actions/members/find-member'
import { limitOf } from '#operators/ops/arguments'
import type { ListCommand } from '#operators/ops/command'

export const log: ListCommand = {
  takes: '[--member <member>] [--limit <n>]',
  does: 'the newest actions of operators, 50 without --limit: who, when, what and why',
  list: async (call) => {
    const { member } = call.options
    const memberId = member === undefined ? undefined : await idOfMember(call.db, member)
    return listActions(call.db, limitOf(call, 50), memberId)
  },
}
