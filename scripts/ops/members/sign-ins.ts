import { memberNamed } from '#db/operators/members/find-member'
import { EVERYBODY, endSignIns } from '#db/operators/members/sign-ins'
import type { Db } from '#db/postgres/statements/transaction'
import { needed } from '#scripts/ops/arguments'
import type { ActCommand } from '#scripts/ops/command'
import { publishChange } from '#scripts/ops/redis'

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
