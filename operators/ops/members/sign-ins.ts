import type { Db } from '#db/postgres/statements/transaction'
import { memberNamed } from '#operators/actions/members/find-member'
import { EVERYBODY, endSignIns } from '#operators/actions/members/sign-ins'
import { needed } from '#operators/ops/arguments'
import type { ActCommand } from '#operators/ops/command'
import { publishChange } from '#operators/ops/redis'

async function whose(db: Db, name: string): Promise<string> {
  if (name === EVERYBODY) return 'all members'
  const { id, username } = await memberNamed(db, name)
  return `member ${id} (${username})`
}

export const signInsEnd: ActCommand = {
  takes: `<member|${EVERYBODY}>`,
  does: 'ends every sign-in; sockets close within 35 s',
  act: async (call) => {
    const name = needed(call.args[0], 'The member')
    return {
      asks: `End every sign-in of ${await whose(call.db, name)}?`,
      run: async (tx) => {
        const { members, memberId } = await endSignIns(tx, name)
        const says = `${members} signed out`
        if (memberId === undefined) return { says, details: { members } }
        return {
          says,
          memberId,
          after: () => publishChange(call, { kind: 'signed-out', reason: 'expired', memberId }),
        }
      },
    }
  },
}
