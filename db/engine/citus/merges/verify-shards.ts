import { ledgerColumns } from '#db/ledger/partition-merges/copy-source'
import type { Merge } from '#db/ledger/partition-merges/next-merge'
import type { Tx } from '#db/postgres/statements/transaction'
import { isCommitPending, seenFromNow } from './node-snapshots.ts'

/**
 * The buckets whose rows differ between the sources and their month. Both are joined by bucket, so each
 * shard is compared by its node, in one snapshot.
 */
export async function differingSql(tx: Tx, { into, sources }: Merge): Promise<string> {
  const columns = await ledgerColumns(tx)
  const figures = `bucket, count(*) as rows, sum(amount) as amount,
    sum(hashtextextended(row(${columns})::text, 0)) as hash`
  const sourceRows = sources.map((name) => `select ${columns} from "${name}"`).join(' union all ')
  return `
    select count(*) as buckets from
      (select ${figures} from (${sourceRows}) r group by bucket) s
      full join (select ${figures} from "${into.name}" group by bucket) i on i.bucket = s.bucket
    where (s.rows, s.amount, s.hash) is distinct from (i.rows, i.amount, i.hash)`
}

/**
 * As `verifyMonth`, on the nodes. It waits for transactions that a node has not completed after a fault,
 * because their rows would be missing, and records from where on snapshots see every row.
 * @throws an error if they differ; the sources stay, and an operator has to look
 */
export async function verifyShards(tx: Tx, merge: Merge): Promise<boolean> {
  if (await isCommitPending(tx)) return false
  const seenFrom = await seenFromNow(tx)
  await tx.raw(`
    set local statement_timeout = 0;
    set local citus.max_adaptive_executor_pool_size = 1`)
  const { rows } = await tx.raw(await differingSql(tx, merge))
  const { name } = merge.into
  if (rows[0].buckets > 0) throw new Error(`${name} differs from its days; they stay as they are`)
  await tx('ledger_merges').where({ month: name }).update({ verified: true, seenFrom })
  return true
}
