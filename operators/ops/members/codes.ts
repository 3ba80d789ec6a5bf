import { freezeCode, frozenCodes } from '#operators/actions/members/codes'
import { needed } from '#operators/ops/arguments'
import type { ActCommand, ListCommand } from '#operators/ops/command'

export const codesList: ListCommand = {
  does: 'frozen referral codes, with their owners and reasons',
  list: ({ db }) => frozenCodes(db),
}

export const codesFreeze: ActCommand = {
  takes: '<code>',
  does: 'the code takes no new members; its owner sees the reason',
  act: async ({ args: [given] }, reason) => {
    const code = needed(given, 'The code')
    return {
      asks: `Freeze the referral code ${code} and show its owner the reason "${reason}"?`,
      run: async (tx) => {
        const memberId = await freezeCode(tx, code, reason)
        return { says: `${code} of member ${memberId} is frozen`, memberId }
      },
    }
  },
}

export const codesUnfreeze: ActCommand = {
  takes: '<code>',
  does: 'the code takes new members again',
  act: async ({ args: [given] }) => {
    const code = needed(given, 'The code')
    return {
      asks: `Let the referral code ${code} take new members again?`,
      run: async (tx) => {
        const memberId = await freezeCode(tx, code, null)
        return { says: `${code} of member ${memberId} takes new members again`, memberId }
      },
    }
  },
}
