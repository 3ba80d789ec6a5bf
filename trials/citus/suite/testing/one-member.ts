import { afterAll, beforeAll, expect } from 'vitest'
import { audit } from '#db/ledger/audit'
import { freeze } from '#db/testing/clock'
import { type FreshDatabase, freshDatabase } from '#db/testing/fresh-database'
import { insertMember } from '#db/testing/members'

/** A database of a test file with one member; product time stands still. The audit is clean at the end. */
export function useOneMember(): FreshDatabase & { member: number } {
  const used = {} as FreshDatabase & { member: number }
  beforeAll(async () => {
    const fresh = await freshDatabase()
    await freeze(fresh.db)
    Object.assign(used, fresh, { member: await insertMember(fresh.db) })
  })
  afterAll(async () => {
    expect((await audit(used.db)).problems).toEqual([])
    await used.close()
  })
  return used
}
