import type { Knex } from 'knex'
import { hasCitus } from './citus/distribute-later.ts'
import { prepareShards } from './citus/run-on-shard.ts'

/** On plain Postgres nothing changes. */
export const runsWith = '037-ledger-seals'

/** On Citus, statements of one shard run on its node (decision 29). */
export async function up(db: Knex): Promise<void> {
  if (await hasCitus(db)) await prepareShards(db)
}
