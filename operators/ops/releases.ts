import {
  changeOfFlag,
  liftMinimum,
  listFlags,
  listVersions,
  setFlagFor,
  setFlagVersion,
  setVersion,
  updateFlag,
} from '#operators/actions/releases'
import { acting, argument, type OpsCommand } from './command.ts'

const turn = (state: 'on' | 'off', does: string) =>
  acting({
    takes: '<name>',
    does,
    of: argument,
    asks: (name) => `Turn the feature flag ${name} ${state} for all members?`,
    run: async (tx, name) => {
      await updateFlag(tx, name, { enabled: state === 'on' })
      return { says: `${name} is ${state}`, details: { name } }
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
  'flags on': turn('on', 'on for all members'),
  'flags off': turn('off', 'off, except for the members named by "flags for"'),
  'flags for': acting({
    takes: '<name> [member...]',
    does: 'on individually for these members only',
    of: async ({ db, args: [name = '', ...members] }) => {
      const whom = members.join(', ') || 'no member'
      return { name, members, whom, ...(await changeOfFlag(db, name, members)) }
    },
    asks: ({ name, whom, gets, loses }) =>
      `Turn the feature flag ${name} on individually for ${whom} only?\nGets it: ${namesOf(gets)}. Loses it: ${namesOf(loses)}.`,
    run: async (tx, { name, members, whom }) => {
      const memberIds = await setFlagFor(tx, name, members)
      return { says: `${name} is on for ${whom}`, details: { name, memberIds } }
    },
  }),
  'flags require': acting({
    takes: '<name> [version]',
    does: 'only for clients of this version or newer; without a version for any client',
    of: ({ args: [name = '', version = null] }) => {
      const clients = version === null ? 'any client' : `clients of ${version} or newer`
      return { name, version, clients }
    },
    asks: ({ name, version, clients }) =>
      `Give the feature flag ${name} to ${clients}${version === null ? '' : ' only'}?`,
    run: async (tx, { name, version, clients }) => {
      await setFlagVersion(tx, name, version)
      return { says: `${name} is for ${clients}`, details: { name, version } }
    },
  }),
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
  'versions set': acting({
    takes: '<version>',
    options: ['[--min <version>]'],
    does: 'clients older than --min are asked to reload; without --min the last minimum stays',
    of: ({ args: [version = ''], options }) => ({ version, minimum: options.min ?? null }),
    asks: ({ version, minimum }) =>
      `Record version ${version}${minimum === null ? '' : `, and ask clients older than ${minimum} to reload`}?`,
    run: async (tx, release) => {
      const { version } = release
      const minimum = await setVersion(tx, release)
      const needs = minimum === null ? 'any client is accepted' : `clients need ${minimum} or newer`
      const isKept = minimum !== null && release.minimum === null
      const says = `${version} is recorded; ${needs}${isKept ? `\n${KEPT}` : ''}`
      return { says, details: { version, minimum } }
    },
  }),
} satisfies Record<string, OpsCommand>
