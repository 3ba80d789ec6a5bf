import type { Db, Tx } from '#db/postgres/statements/transaction'

const UNIQUE_INDEX_SQL = `
  select i.relname as index from pg_index join pg_class i on i.oid = indexrelid
  where indrelid = ?::regclass and indisunique`

const WITHOUT_IDENTITY_SQL = `
  select c.relname as name from pg_inherits join pg_class c on c.oid = inhrelid
  where inhparent = 'wallet_activity'::regclass and c.relreplident = 'd'`

/** Logical replication finds a changed row of the table by its unique index. */
export async function identifyRows(tx: Tx, table: string): Promise<void> {
  const { rows } = await tx.raw(UNIQUE_INDEX_SQL, [table])
  await tx.raw('alter table ?? replica identity using index ??', [table, rows[0].index])
}

/** Without a replica identity (a partition has no primary key) Citus cannot move shards while members are served. */
export async function identifyPartitions(db: Db): Promise<void> {
  const { rows } = await db.raw(WITHOUT_IDENTITY_SQL)
  for (const { name } of rows) {
    await db.transaction(async (tx) => {
      await tx.raw(`set local lock_timeout = '2s'`)
      await identifyRows(tx, name)
    })
  }
}
