import {
  changeOfFlag,
  liftMinimum,
  listFlags,
  listVersions,
  setFlag,
  setFlagFor,
  setFlagVersion,
  setVersion,
} from '#operators/actions/releases'
import type { ActCommand, OpsCommand } from './command.ts'

const turn = (enabled: boolean, does: string): ActCommand => ({
  takes: '<name>',
  does,
  act: async ({ args: [name = ''] }) => {
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

const namesOf = (members: { id: number; username: string }[]) =>
  members.map(({ id, username }) => `member ${id} (${username})`).join(', ') || 'nobody'

const KEPT = 'The minimum is that of an earlier release; versions lift accepts any client.'

export const releaseCommands = {
  'flags list': {
    does: 'all feature flags',
    list: ({ db }) => listFlags(db),
  },
  'flags on': turn(true, 'on for all members'),
  'flags off': turn(false, 'off, except for the members named by "flags for"'),
  'flags for': {
    takes: '<name> [member...]',
    does: 'on individually for these members only',
    act: async ({ db, args: [name = '', ...members] }) => {
      const whom = members.join(', ') || 'no member'
      const { gets, loses } = await changeOfFlag(db, name, members)
      const changes = `Gets it: ${namesOf(gets)}. Loses it: ${namesOf(loses)}.`
      return {
        asks: `Turn the feature flag ${name} on individually for ${whom} only?\n${changes}`,
        run: async (tx) => {
          const memberIds = await setFlagFor(tx, name, members)
          return { says: `${name} is on for ${whom}`, details: { name, memberIds } }
        },
      }
    },
  },
  'flags require': {
    takes: '<name> [version]',
    does: 'only for clients of this version or newer; without a version for any client',
    act: async ({ args: [name = '', version = null] }) => {
      const clients = version === null ? 'any client' : `clients of ${version} or newer`
      return {
        asks: `Give the feature flag ${name} to ${clients}${version === null ? '' : ' only'}?`,
        run: async (tx) => {
          await setFlagVersion(tx, name, version)
          return { says: `${name} is for ${clients}`, details: { name, version } }
        },
      }
    },
  },
  'versions list': {
    does: 'recorded releases, newest first, and the minimum client version that each one set',
    list: ({ db }) => listVersions(db),
  },
  'versions lift': {
    does: 'accepts every client again, until a release sets another minimum',
    act: async () => ({
      asks: 'Accept every client, however old?',
      run: async (tx) => {
        const minimum = await liftMinimum(tx)
        return { says: `any client is accepted; the minimum was ${minimum}`, details: { minimum } }
      },
    }),
  },
  /** Prints the minimum that `GET /api/app` answers from then on. */
  'versions set': {
    takes: '<version>',
    options: ['[--min <version>]'],
    does: 'clients older than --min are asked to reload; without --min the last minimum stays',
    act: async ({ args: [version = ''], options }) => {
      const release = { version, minimum: options.min ?? null }
      return {
        asks: `Record version ${release.version}${release.minimum === null ? '' : `, and ask clients older than ${release.minimum} to reload`}?`,
        run: async (tx) => {
          const minimum = await setVersion(tx, release)
          const needs =
            minimum === null ? 'any client is accepted' : `clients need ${minimum} or newer`
          const isKept = minimum !== null && release.minimum === null
          const says = `${release.version} is recorded; ${needs}${isKept ? `\n${KEPT}` : ''}`
          return { says, details: { version: release.version, minimum } }
        },
      }
    },
  },
} satisfies Record<string, OpsCommand>
