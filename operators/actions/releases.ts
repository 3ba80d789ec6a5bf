import { minimumVersion } from '#db/app-info'
import type { Db, Tx } from '#db/postgres/statements/transaction'
import { isOlder, isVersion } from '#rules/version'
import { notFound, refuse } from './action-log.ts'
import { lockKnownMember, memberNamed } from './members.ts'

/** Without a minimum the one of the newest earlier release stays. */
export type Release = { version: string; minimum: string | null }

function checkVersion(what: string, version: string): void {
  if (!isVersion(version)) refuse(`The ${what} must be a version such as 1.4.0`)
}

/**
 * Returns the minimum that clients need now; null if any version is accepted.
 * @throws {RuleError} `bad_input`, also for a minimum above the release: its clients would reload endlessly
 */
export async function setVersion(tx: Tx, { version, minimum }: Release): Promise<string | null> {
  checkVersion('version', version)
  if (minimum !== null) checkVersion('minimum', minimum)
  if (minimum !== null && isOlder(version, minimum)) {
    refuse('The minimum must not be newer than the version')
  }
  // One that is recorded again becomes the newest, and may have set another minimum before.
  const minRequiredVersion = minimum ?? (await minimumVersion(tx))
  await tx('app_versions')
    .insert({ version, minRequiredVersion: minimum })
    .onConflict('version')
    .merge({ minRequiredVersion, releaseDate: tx.fn.now(), isActive: true })
  return minimumVersion(tx)
}

/** Returns the minimum that is lifted. @throws {RuleError} `not_found` if there is none */
export async function liftMinimum(tx: Tx): Promise<string> {
  const minimum = await minimumVersion(tx)
  if (minimum === null) throw notFound('minimum: any client is accepted')
  await tx('app_versions').whereNotNull('minRequiredVersion').update({ minRequiredVersion: null })
  return minimum
}

type ReleaseRow = Release & { releasedAt: Date; active: boolean }

export async function listVersions(db: Db): Promise<ReleaseRow[]> {
  return db('app_versions')
    .orderBy([
      { column: 'releaseDate', order: 'desc' },
      { column: 'id', order: 'desc' },
    ])
    .select('version', 'minRequiredVersion as minimum', 'releaseDate as releasedAt')
    .select('isActive as active')
}

/** `enabledForUsers` holds ids of members. */
export type Flag = {
  name: string
  enabled: boolean
  enabledForUsers: number[]
  requiredVersion: string | null
}

export async function listFlags(db: Db): Promise<Flag[]> {
  const columns = ['name', 'enabled', 'enabledForUsers', 'requiredVersion']
  return db('feature_flags').orderBy('name').select(columns)
}

/** @throws {RuleError} `not_found` */
export async function updateFlag(tx: Tx, name: string, change: Partial<Flag>): Promise<void> {
  const changed = await tx('feature_flags')
    .where({ name })
    .update({ ...change, updatedAt: tx.fn.now() })
  if (changed === 0) throw notFound('feature flag')
}

/** Null gives the flag to any client. @throws {RuleError} `bad_input` for a text that is no version, `not_found` */
export async function setFlagVersion(tx: Tx, name: string, version: string | null): Promise<void> {
  if (version !== null) checkVersion('version', version)
  await updateFlag(tx, name, { requiredVersion: version })
}

type Named = { id: number; username: string }

/** What changes if the flag is on individually for these members only. @throws {RuleError} `not_found` */
export async function changeOfFlag(
  db: Db,
  name: string,
  members: string[],
): Promise<{ gets: Named[]; loses: Named[] }> {
  const flag: Flag | undefined = await db('feature_flags').where({ name }).first()
  if (!flag) throw notFound('feature flag')
  const wanted: Named[] = []
  for (const member of members) wanted.push(await memberNamed(db, member))
  const kept = new Set(wanted.map(({ id }) => id))
  const present = flag.enabledForUsers
  return {
    gets: wanted.filter(({ id }) => !present.includes(id)),
    loses: await db('users')
      .whereIn(
        'id',
        present.filter((id) => !kept.has(id)),
      )
      .orderBy('id')
      .select('id', 'username'),
  }
}

/** Replaces the members (`memberNamed`) for whom a feature flag is on individually. @returns their ids */
export async function setFlagFor(tx: Tx, name: string, members: string[]): Promise<number[]> {
  const named: number[] = []
  for (const member of members) named.push((await memberNamed(tx, member)).id)
  // In one order. A deletion under way ends first, and then the member is unknown.
  const enabledForUsers = [...new Set(named)].sort((one, other) => one - other)
  for (const id of enabledForUsers) await lockKnownMember(tx, id)
  await updateFlag(tx, name, { enabledForUsers })
  return enabledForUsers
}
