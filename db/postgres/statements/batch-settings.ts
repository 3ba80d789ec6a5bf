import { waitInSilence } from '#db/postgres/connection/connection-guard'
import { connectionOf, type Tx } from '#db/postgres/statements/transaction'

/** Groups beyond 128 MB spill to disk. The planner has no statistics of a session's rows: no nested loops. */
const SETTINGS = `
  set local jit = off;
  set local work_mem = '128MB';
  set local maintenance_work_mem = '128MB';
  set local enable_nestloop = off;
  set local enable_mergejoin = off;
  set local max_parallel_workers_per_gather = 1`

/** Lets the statements of a transaction take as long as they need. Postgres is silent meanwhile. */
export async function withoutTimeLimit(tx: Tx): Promise<void> {
  waitInSilence(await connectionOf(tx))
  await tx.raw('set local statement_timeout = 0')
}

export async function useBatchSettings(tx: Tx): Promise<void> {
  await withoutTimeLimit(tx)
  await tx.raw(SETTINGS)
}
