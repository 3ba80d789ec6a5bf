import { auditSeals, CHAIN_RULE, SEAL_RULE } from '#db/ledger/seals/audit-seals'
import { readSeals } from '#db/ledger/seals/seal-chain'
import { sealLedger } from '#db/ledger/seals/seal-steps'
import type { Db } from '#db/postgres/statements/transaction'
import { DAY_MS } from '#rules/constants'
import { seedOldDays } from '#scripts/testing/db/history'
import { useSeeded } from '#scripts/testing/db/seeded-database'

/** Older than the days whose single credits are kept, and few: most of the time goes into sealing. */
export const AGE_MS = 9 * DAY_MS

const seedDays = (db: Db) => seedOldDays(db, AGE_MS)

async function seedSealedDays(db: Db) {
  const days = await seedDays(db)
  await sealLedger(db)
  return days
}

/** Old days for each test, sealed if the test needs it, and what the tests of seals read. */
export function useOldDays({ sealed }: { sealed: boolean }) {
  const fresh = useSeeded(sealed ? seedSealedDays : seedDays)
  return {
    fresh,
    seals: () => readSeals(fresh.db, 0),
    /** Days that differ from their seals. */
    problems: async () => (await auditSeals(fresh.db))[SEAL_RULE] ?? [],
    /** Faults of the chain of seals. */
    broken: async () => (await auditSeals(fresh.db))[CHAIN_RULE] ?? [],
    /** The first ledger row of the member with index 4. */
    aRow: () =>
      fresh.db('wallet_activity').where({ userId: fresh.members[4] }).orderBy('seq').first(),
  }
}
