import { listActions } from '#db/operators/actions'
import { idOfMember } from '#db/operators/members/find-member'
import { limitOf } from '#scripts/ops/arguments'
import type { ListCommand } from '#scripts/ops/command'

export const log: ListCommand = {
  takes: '[--member <member>] [--limit <n>]',
  does: 'the newest actions of operators, 50 without --limit: who, when, what and why',
  list: async (call) => {
    const { member } = call.options
    const memberId = member === undefined ? undefined : await idOfMember(call.db, member)
    return listActions(call.db, limitOf(call, 50), memberId)
  },
}
