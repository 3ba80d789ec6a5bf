import { listFlags, setFlag, setFlagFor } from '#operators/actions/flags'
import { needed } from '#operators/ops/arguments'
import type { ActCommand, ListCommand } from '#operators/ops/command'

export const flagsList: ListCommand = {
  does: 'all feature flags',
  list: ({ db }) => listFlags(db),
}

const turn = (enabled: boolean, does: string): ActCommand => ({
  takes: '<name>',
  does,
  act: async ({ args: [given] }) => {
    const name = needed(given, 'The flag')
    const state = enabled ? 'on' : 'off'
    return {
      asks: `Turn the feature flag ${name} ${state} for all members?`,
      run: async (tx) => {
        await setFlag(tx, name, enabled)
        return { says: `${name} is ${state}`, details: { name } }
      },
    }
  },
})

export const flagsOn = turn(true, 'on for all members')
export const flagsOff = turn(false, 'off, except for the members named by "flags for"')

export const flagsFor: ActCommand = {
  takes: '<name> [member …]',
  does: 'on individually for these members only',
  act: async ({ args: [given, ...members] }) => {
    const name = needed(given, 'The flag')
    const whom = members.join(', ') || 'no member'
    return {
      asks: `Turn the feature flag ${name} on individually for ${whom}?`,
      run: async (tx) => {
        const memberIds = await setFlagFor(tx, name, members)
        return { says: `${name} is on for ${whom}`, details: { name, memberIds } }
      },
    }
  },
}
