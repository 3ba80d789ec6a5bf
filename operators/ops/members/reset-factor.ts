import { memberNamed } from '#operators/actions/members/find-member'
import { resetFactor } from '#operators/actions/members/reset-factor'
import { needed } from '#operators/ops/arguments'
import type { ActCommand } from '#operators/ops/command'
import { queueMails } from '#operators/ops/redis'

export const membersResetFactor: ActCommand = {
  takes: '<member>',
  does: 'switches one-time codes off: the password alone signs in; the member gets a mail',
  act: async (call) => {
    const { id, username } = await memberNamed(call.db, needed(call.args[0], 'The member'))
    const mail = { dataKey: call.config.dataKey, origin: call.config.publicOrigins[0] }
    return {
      asks: `Let member ${id} (${username}) sign in with the password alone?`,
      run: async (tx) => {
        const mailId = await resetFactor(tx, id, mail)
        return {
          says: `member ${id} needs no one-time code any more, and gets a mail`,
          memberId: id,
          after: () => queueMails(call, [mailId]),
        }
      },
    }
  },
}
