import { expect } from 'vitest'
import { audit } from '#db/ledger/audit'
import type { ServedProduct } from './product.ts'

/** Asserts that every rule of the economy holds for every wallet. */
export async function expectCleanAudit({ db }: ServedProduct): Promise<void> {
  expect((await audit(db)).problems).toEqual([])
}
