import type { Knex } from 'knex'
import { BUCKETS, SWEEP_RANGES } from '#rules/buckets'
import { FUNCTIONS } from './baseline/functions.ts'
import { LEDGER_TABLES } from './baseline/ledger.ts'
import { MEMBER_TABLES } from './baseline/members.ts'
import { MINING_TABLES } from './baseline/mining.ts'

const RANGES = SWEEP_RANGES.map(({ first, last }) => `(${first}, ${last})`).join(', ')
const FIRST_BUCKETS = SWEEP_RANGES.map(({ first }) => `(${first}, 0)`).join(', ')

/** Rows that exist from the beginning. */
const FIRST_ROWS = `
  insert into product_clock ("realAnchor", "productAnchor", speed)
    select t, t, 1 from clock_timestamp() as t;
  insert into feature_flags (name, "displayName", description)
    values ('kyc', 'Identity verification', 'Shows the KYC tab on the Account screen');
  insert into credit_sweeps ("firstBucket", "lastBucket") values ${RANGES};
  insert into network_counters (bucket, lane) values ${FIRST_BUCKETS};
  insert into network_counters (bucket, lane) select n, 1 from generate_series(0, ${BUCKETS - 1}) n;
  -- Without statistics Postgres assumes 1,000 rows and overestimates the cost of reading the lag.
  analyze credit_sweeps;
  analyze network_counters;
`

/** The schema of the first release. Citus distributes its tables afterwards (`distributeLedger`). */
export async function up(db: Knex): Promise<void> {
  await db.raw(MEMBER_TABLES + LEDGER_TABLES + MINING_TABLES + FUNCTIONS + FIRST_ROWS)
}
