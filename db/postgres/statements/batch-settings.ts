import type { Tx } from '#db/postgres/statements/transaction'

/**
 * For one transaction. Groups beyond 128 MB spill to temporary files. The planner has no statistics
 * of a session's rows, so it is kept from nested loops.
 */
const SETTINGS = `
  set local statement_timeout = 0;
  set local jit = off;
  set local work_mem = '128MB';
  set local maintenance_work_mem = '128MB';
  set local enable_nestloop = off;
  set local enable_mergejoin = off;
  set local max_parallel_workers_per_gather = 1`

export async function useBatchSettings(tx: Tx): Promise<void> {
  await tx.raw(SETTINGS)
}
