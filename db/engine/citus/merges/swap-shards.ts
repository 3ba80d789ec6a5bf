import { ledgerColumns } from '#db/ledger/partition-merges/copy-source'
import { mergeRollups } from '#db/ledger/partition-merges/merge-rollups'
import type { Merge } from '#db/ledger/partition-merges/next-merge'
import type { Tx } from '#db/postgres/statements/transaction'
import { waitBrieflyOnNodes } from './shard-locks.ts'

/** Moves rows of the month that were in the default partition; Citus does that in two statements. */
async function moveStrayRows(tx: Tx, { into }: Merge): Promise<void> {
  const columns = await ledgerColumns(tx)
  const isOfSpan = `"createdAt" >= '${into.from}' and "createdAt" < '${into.to}'`
  await tx.raw(
    `insert into ?? (${columns}) select ${columns} from wallet_activity_default where ${isOfSpan}`,
    [into.name],
  )
  await tx.raw(`delete from wallet_activity_default where ${isOfSpan}`)
}

/**
 * As `swapMonth`, on every node. The drop of the sources locks the ledger on the coordinator, then shard by
 * shard; each wait is as short as that of the coordinator. Detaching them before would take twice as long.
 */
export async function swapShards(tx: Tx, merge: Merge): Promise<void> {
  const { into, sources } = merge
  await waitBrieflyOnNodes(tx)
  await tx.raw(`drop table ${sources.map(() => '??').join(', ')}`, sources)
  await moveStrayRows(tx, merge)
  await tx.raw(
    `alter table wallet_activity attach partition ??
       for values from ('${into.from}') to ('${into.to}')`,
    [into.name],
  )
  await tx.raw('alter table ?? drop constraint month_bounds', [into.name])
  await mergeRollups(tx, merge)
  await tx('ledger_merges').where({ month: into.name }).delete()
}
