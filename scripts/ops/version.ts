import { setVersion } from '#db/operations'
import { inTransaction } from '#db/postgres/transaction'
import { needed, type OpsCall } from '#scripts/ops/call'

/** Records a release, and prints the minimum that `GET /api/app` answers from then on. */
export async function versionSet({ db, args: [version], options }: OpsCall): Promise<void> {
  const release = { version: needed(version, 'The version'), minimum: options.min ?? null }
  const minimum = await inTransaction(db, (tx) => setVersion(tx, release))
  const needs = minimum === null ? 'any client is accepted' : `clients need ${minimum} or newer`
  console.log(`${release.version} is recorded; ${needs}`)
  if (minimum !== null && options.min === undefined) {
    console.log('The minimum is that of an earlier release; --min 0.0.0 accepts any client.')
  }
}
