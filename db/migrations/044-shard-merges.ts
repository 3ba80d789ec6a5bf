import type { Knex } from 'knex'
import { hasCitus } from './citus/distribute-later.ts'
import { prepareMerges } from './citus/mirror-on-shard.ts'

/** On plain Postgres the new column stays null. */
export const runsWith = '037-ledger-seals'

/** On Citus, old partitions of the ledger are merged on the nodes of their shards (decision 29). */
export async function up(db: Knex): Promise<void> {
  await db.raw(`
    alter table ledger_merges add column "seenFrom" jsonb;
    comment on column ledger_merges."seenFrom" is
      'Citus: for each node, the transaction id from which on snapshots see every copied row'`)
  if (await hasCitus(db)) await prepareMerges(db)
}
