import type { Db, Tx } from '#db/postgres/statements/transaction'
import { memberNamed } from './members/find-member.ts'
import { notFound } from './not-found.ts'

/** A feature flag; `enabledForUsers` holds ids of members. */
export type Flag = {
  name: string
  enabled: boolean
  enabledForUsers: number[]
  requiredVersion: string | null
}

/** All feature flags by name. */
export async function listFlags(db: Db): Promise<Flag[]> {
  const columns = ['name', 'enabled', 'enabledForUsers', 'requiredVersion']
  return db('feature_flags').orderBy('name').select(columns)
}

async function updateFlag(tx: Tx, name: string, change: Partial<Flag>): Promise<void> {
  const changed = await tx('feature_flags')
    .where({ name })
    .update({ ...change, updatedAt: tx.fn.now() })
  if (changed === 0) throw notFound('feature flag')
}

/** Turns a feature flag on or off for all members. */
export async function setFlag(tx: Tx, name: string, enabled: boolean): Promise<void> {
  await updateFlag(tx, name, { enabled })
}

/**
 * Sets the members (`memberNamed`) for whom a feature flag is on individually.
 * @returns their ids
 */
export async function setFlagFor(tx: Tx, name: string, members: string[]): Promise<number[]> {
  const enabledForUsers: number[] = []
  for (const member of members) enabledForUsers.push((await memberNamed(tx, member)).id)
  await updateFlag(tx, name, { enabledForUsers })
  return enabledForUsers
}
