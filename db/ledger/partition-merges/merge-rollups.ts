import type { Tx } from '#db/postgres/statements/transaction'
import type { Merge } from './next-merge.ts'

/** A month of rolled-up parts is rolled up; one with another part is not, and becomes due as a whole. */
export async function mergeRollups(tx: Tx, { into, sources }: Merge): Promise<void> {
  await tx.raw(
    `with parts as (delete from ledger_rollups where partition = any(:sources) returning *)
     insert into ledger_rollups (partition, passes, "swappedAt", "bytesBefore", "bytesAfter")
     select :name, 1, max("swappedAt"), sum("bytesBefore"), sum("bytesAfter")
     from parts having count(*) = :count`,
    { sources, name: into.name, count: sources.length },
  )
}
