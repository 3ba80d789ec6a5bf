import type { Db } from '#db/postgres/statements/transaction'

/** Splits each shard in two, which stay on its node. */
export async function splitShards(db: Db): Promise<void> {
  const { rows } = await db.raw(`
    select s.shardid as shard, (s.shardminvalue::bigint + s.shardmaxvalue::bigint) / 2 as middle,
      n.nodeid as node
    from pg_dist_shard s join pg_dist_placement p on p.shardid = s.shardid
    join pg_dist_node n on n.groupid = p.groupid
    where s.logicalrelid = 'wallets'::regclass`)
  for (const { shard, middle, node } of rows) {
    await db.raw(
      `select citus_split_shard_by_split_points(:shard, array[:middle::text], array[:node, :node]::int[],
         'block_writes')`,
      { shard, middle, node },
    )
  }
}
