import { lockMember } from '#db/members/member-lock'
import { stopMining } from '#db/mining/mining'
import { idOfMember, memberNamed } from '#operators/actions/members/find-member'
import { sessionsOf } from '#operators/actions/members/histories'
import { limitOf, needed } from '#operators/ops/arguments'
import type { ActCommand, ListCommand } from '#operators/ops/command'
import { publishChange } from '#operators/ops/redis'

export const sessionsShow: ListCommand = {
  takes: '<member> [--limit <n>]',
  does: 'the newest mining sessions of a member, 20 without --limit',
  list: async (call) => {
    const memberId = await idOfMember(call.db, needed(call.args[0], 'The member'))
    return sessionsOf(call.db, memberId, limitOf(call, 20))
  },
}

export const sessionsEnd: ActCommand = {
  takes: '<member>',
  does: 'stops the running mining session as the member could; the rest becomes pending',
  act: async (call) => {
    const { id, username } = await memberNamed(call.db, needed(call.args[0], 'The member'))
    return {
      asks: `Stop the mining session of member ${id} (${username})?`,
      run: async (tx) => {
        await lockMember(tx, id)
        await stopMining(tx, id)
        return {
          says: `the mining session of member ${id} is stopped`,
          memberId: id,
          after: () =>
            publishChange(call, {
              kind: 'members',
              memberIds: [id],
              topics: ['mining', 'wallet'],
            }),
        }
      },
    }
  },
}
