import { minimumVersion } from '#db/app-info'
import type { Db, Tx } from '#db/postgres/statements/transaction'
import { RuleError } from '#rules/rule-error'
import { isOlder, isVersion } from '#rules/version'

/** A release; without a minimum the one of the newest earlier release stays. */
export type Release = { version: string; minimum: string | null }

function checkVersion(what: string, version: string): void {
  if (!isVersion(version)) {
    throw new RuleError('bad_input', `The ${what} must be a version such as 1.4.0`)
  }
}

/**
 * Records a release; clients older than its minimum must reload.
 * @returns the minimum version that clients need now; null if any version is accepted
 * @throws {RuleError} `bad_input` for a text that is no version, or a minimum that the release itself
 * does not reach, which would make its clients reload for ever
 */
export async function setVersion(tx: Tx, { version, minimum }: Release): Promise<string | null> {
  checkVersion('version', version)
  if (minimum !== null) checkVersion('minimum', minimum)
  if (minimum !== null && isOlder(version, minimum)) {
    throw new RuleError('bad_input', 'The minimum must not be newer than the version')
  }
  await tx('app_versions')
    .insert({ version, minRequiredVersion: minimum })
    .onConflict('version')
    .merge({ minRequiredVersion: minimum, releaseDate: tx.fn.now(), isActive: true })
  return minimumVersion(tx)
}

/** A recorded release. */
export type ReleaseRow = Release & { releasedAt: Date; active: boolean }

/** All recorded releases, newest first. */
export async function listVersions(db: Db): Promise<ReleaseRow[]> {
  return db('app_versions')
    .orderBy([
      { column: 'releaseDate', order: 'desc' },
      { column: 'id', order: 'desc' },
    ])
    .select('version', 'minRequiredVersion as minimum', 'releaseDate as releasedAt')
    .select('isActive as active')
}
