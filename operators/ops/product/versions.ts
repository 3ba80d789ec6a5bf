import { listVersions, setVersion } from '#operators/actions/versions'
import { needed } from '#operators/ops/arguments'
import type { ActCommand, ListCommand } from '#operators/ops/command'

export const versionsList: ListCommand = {
  does: 'recorded releases, newest first, and the minimum client version that each one set',
  list: ({ db }) => listVersions(db),
}

const KEPT = 'The minimum is that of an earlier release; --min 0.0.0 accepts any client.'

/** Records a release, and prints the minimum that `GET /api/app` answers from then on. */
export const versionsSet: ActCommand = {
  takes: '<version> [--min <version>]',
  does: 'clients older than --min are asked to reload; without --min the last minimum stays',
  act: async ({ args: [version], options }) => {
    const release = { version: needed(version, 'The version'), minimum: options.min ?? null }
    return {
      asks: `Record version ${release.version}?`,
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
}
