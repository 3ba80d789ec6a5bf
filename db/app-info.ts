import { isOlder } from '#rules/version'
import type { Db } from './postgres/statements/transaction.ts'

type FlagRow = {
  name: string
  enabled: boolean
  enabledForUsers: number[]
  requiredVersion: string | null
}

/** Names of the flags that are on for everyone or this member and whose required version the client has. */
export async function flagsFor(
  db: Db,
  memberId: number | undefined,
  clientVersion: string | undefined,
): Promise<string[]> {
  const flags: FlagRow[] = await db('feature_flags').orderBy('name')
  const isOn = ({ enabled, enabledForUsers, requiredVersion }: FlagRow) => {
    if (requiredVersion && (!clientVersion || isOlder(clientVersion, requiredVersion))) return false
    return enabled || (memberId !== undefined && enabledForUsers.includes(memberId))
  }
  return flags.filter(isOn).map(({ name }) => name)
}

/** The oldest allowed client version, from the newest active release that sets one. */
export async function minimumVersion(db: Db): Promise<string | null> {
  const row = await db('app_versions')
    .where({ isActive: true })
    .whereNotNull('minRequiredVersion')
    .orderBy([
      { column: 'releaseDate', order: 'desc' },
      { column: 'id', order: 'desc' },
    ])
    .first('minRequiredVersion')
  return row?.minRequiredVersion ?? null
}
