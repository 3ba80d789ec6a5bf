import type { Knex } from 'knex'
import { buildIndex } from '#db/migrations/online/build-index'
import { fillColumn } from '#db/migrations/online/fill-column'
import type { Report } from '#db/migrations/online/report'

/** The bucket of a fact is that of its ledger row. */
const FACT_BUCKET = `coalesce((select a.bucket from wallet_activity a
  where a.id = ledger_facts.id and a."createdAt" = ledger_facts."createdAt"), 0)`

const INDEXES = [
  { name: 'ledger_facts_unfilled', on: 'id', where: 'bucket is null' },
  { name: 'ledger_facts_next_pkey', on: 'bucket, id', isUnique: true },
  // Corrections are found by their number, without their member.
  { name: 'ledger_facts_corrections', on: 'id', where: `id like 'correction:%'` },
]

/**
 * Fills the facts whose ledger row has its bucket. Nothing tells the member of a fact that the earlier
 * release adds meanwhile; `fillNewFacts` finds it by the index of the rows that are not filled.
 */
export async function fillFacts(db: Knex, report: Report): Promise<void> {
  await fillColumn(db, { table: 'ledger_facts', column: 'bucket', value: FACT_BUCKET }, report)
  for (const index of INDEXES) {
    report(`ledger_facts: building ${index.name}`)
    await buildIndex(db, 'ledger_facts', index)
  }
  await db.raw('analyze ledger_facts')
}

/** Fills the facts that the earlier release has added, while the ledger still has its old key. */
export async function fillNewFacts(db: Knex): Promise<void> {
  await db.raw(`update ledger_facts set bucket = ${FACT_BUCKET} where bucket is null`)
}

/** The earlier release cannot add facts without a bucket any more. */
export async function closeFacts(tx: Knex.Transaction): Promise<void> {
  await tx.raw(`
    alter table ledger_facts add constraint ledger_facts_bucket_filled
      check (bucket is not null) not valid;
    drop index ledger_facts_unfilled`)
}

/** Replaces the key, once the constraint is validated. */
export async function takeFactsKey(tx: Knex.Transaction): Promise<void> {
  await tx.raw(`
    alter table ledger_facts alter column bucket set not null;
    alter table ledger_facts drop constraint ledger_facts_bucket_filled;
    alter table ledger_facts drop constraint ledger_facts_pkey;
    alter table ledger_facts add constraint ledger_facts_pkey
      primary key using index ledger_facts_next_pkey`)
}
