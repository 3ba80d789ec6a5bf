/**
 * For the transaction of one step. 64 MB hold the groups of a partition with a million rows; more are
 * written to temporary files. No parallel workers: the steps run side by side, and credits need the
 * rest. No nested loops: each rule asks for at most ten rows, so Postgres expects to find them early and
 * would join row by row; where no row breaks the rule, it would read one side for each row of the other.
 */
export const AUDIT_SETTINGS = `
  set local statement_timeout = 0;
  set local jit = off;
  set local work_mem = '64MB';
  set local max_parallel_workers_per_gather = 0;
  set local enable_nestloop = off`
