import type { Db } from '#db/postgres/statements/transaction'

/** The file of a partition on each shard. */
async function filesOf(db: Db, table: string): Promise<Map<string, string>> {
  const { rows }: { rows: { shardid: string; result: string }[] } = await db.raw(
    `select shardid::text, result from run_command_on_shards(?, 'select pg_relation_filenode(%L)')`,
    [table],
  )
  return new Map(rows.map(({ shardid, result }) => [shardid, result]))
}

/**
 * Gives the space of deleted rows back to the disk. A shard is locked while it is rewritten; reads of its
 * members' activity wait for that. One that is in use is left out.
 * @returns whether every shard was rewritten
 */
export async function rewriteShards(db: Db, table: string): Promise<boolean> {
  const before = await filesOf(db, table)
  await db.raw('vacuum (full, skip_locked, analyze) ??', [table])
  const after = await filesOf(db, table)
  return [...before].every(([shard, file]) => after.get(shard) !== file)
}
