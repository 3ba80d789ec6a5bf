import { memberNamed } from '#operators/actions/members/find-member'
import { type FrozenSession, freezeMember, unfreezeMember } from '#operators/actions/members/freeze'
import { needed } from '#operators/ops/arguments'
import type { ActCommand } from '#operators/ops/command'
import { publishChange } from '#operators/ops/redis'

const SESSION: Record<FrozenSession, string> = {
  stopped: 'the running session is stopped',
  none: 'no session was running',
  quarantined: 'the quarantined session is stopped when it is released',
}

export const membersFreeze: ActCommand = {
  takes: '<member>',
  does: 'ends the sign-ins and the session; the member sees the reason at the next sign-in',
  act: async (call, reason) => {
    const { id, username } = await memberNamed(call.db, needed(call.args[0], 'The member'))
    return {
      asks: `Freeze member ${id} (${username}) and show them the reason "${reason}"?`,
      run: async (tx) => {
        const session = await freezeMember(tx, id, reason)
        return {
          says: `member ${id} is frozen; ${SESSION[session]}`,
          memberId: id,
          details: { session },
          after: () =>
            publishChange(call, { kind: 'signed-out', reason: 'account-frozen', memberId: id }),
        }
      },
    }
  },
}

export const membersUnfreeze: ActCommand = {
  takes: '<member>',
  does: 'the member may sign in and mine again',
  act: async ({ db, args: [member] }) => {
    const { id, username } = await memberNamed(db, needed(member, 'The member'))
    return {
      asks: `Unfreeze member ${id} (${username})?`,
      run: async (tx) => {
        await unfreezeMember(tx, id)
        return { says: `member ${id} may sign in again`, memberId: id }
      },
    }
  },
}
