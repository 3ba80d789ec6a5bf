import { setTimeout as sleep } from 'node:timers/promises'
import type { Db } from '#db/postgres/statements/transaction'
import { bucketOf } from '#rules/buckets'
import type { Visitor } from '#scripts/testing/gateway/visitor'
import type { Random } from '#trials/kit/random'

const MOVE_TRIES = 10
const PAUSE_MS = 300

const PLACEMENT_SQL = `
  select nodeport as port, shardid as shard from pg_dist_shard_placement
  where shardid = get_shard_id_for_distribution_column('wallets', ?::smallint)`

export async function portOf(db: Db, bucket: number): Promise<number> {
  const { rows } = await db.raw(PLACEMENT_SQL, [bucket])
  return rows[0].port
}

/** The members whose rows are on the server with this port, and the others. Every member needs the coordinator. */
export async function divideByServer(
  db: Db,
  visitors: Visitor[],
  { port, coordinator }: { port: number; coordinator: number },
): Promise<{ on: Visitor[]; others: Visitor[] }> {
  if (port === coordinator) return { on: visitors, others: [] }
  const ports = await Promise.all(visitors.map(({ user }) => portOf(db, bucketOf(user?.id ?? 0))))
  const isOn = (_: Visitor, n: number) => ports[n] === port
  return { on: visitors.filter(isOn), others: visitors.filter((one, n) => !isOn(one, n)) }
}

export async function shardsOfNodes(db: Db): Promise<number[]> {
  const { rows } = await db.raw(`
    select count(*) as shards from pg_dist_shard_placement p join pg_dist_shard s using (shardid)
    where s.logicalrelid = 'wallets'::regclass group by nodeport order by nodeport`)
  return rows.map(({ shards }: { shards: number }) => shards)
}

/** Writers wait for the whole copy, or (as in a rebalance) only for the end of a logical replication. */
export const WAYS = ['block_writes', 'auto'] as const
type Way = (typeof WAYS)[number]

export const moveAnyShard = (db: Db, random: Random, way: Way) =>
  moveShard(db, random.between(0, 1_023), way)

/** Moves the shard of a bucket, and what is co-located with it, to the other worker node. */
export async function moveShard(db: Db, bucket: number, way: Way): Promise<void> {
  const { rows: placements } = await db.raw(PLACEMENT_SQL, [bucket])
  const { rows: nodes } = await db.raw(
    `select nodename as name, nodeport as port from pg_dist_node
     where groupid <> 0 and shouldhaveshards`,
  )
  const from = nodes.find(({ port }: { port: number }) => port === placements[0].port)
  const to = nodes.find(({ port }: { port: number }) => port !== placements[0].port)
  const values = [placements[0].shard, from.name, from.port, to.name, to.port, way]
  for (let attempt = 1; ; attempt++) {
    try {
      await db.raw(`select citus_move_shard_placement(?, ?, ?, ?, ?, ?)`, values)
      return
    } catch (error) {
      // Connections to a node that was restarted are replaced one by one; locks of the load may collide.
      if (attempt === MOVE_TRIES) throw error
      await sleep(PAUSE_MS)
    }
  }
}
