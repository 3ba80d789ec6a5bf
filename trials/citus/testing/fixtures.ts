import { afterAll, beforeAll, expect, inject } from 'vitest'
import { audit } from '#db/ledger/audit'
import { ledgerPartitions } from '#db/ledger/audit/audit-step'
import { type MergeStep, mergeStep } from '#db/ledger/partition-merges/merge-partitions'
import { DETAIL_DAYS, type Merge, nextMerge } from '#db/ledger/partition-merges/next-merge'
import { ensurePartitions, monthOf, namesOver, partitionName } from '#db/ledger/partitions'
import { withClient } from '#db/postgres/connection/pool'
import { productNow } from '#db/postgres/connection/product-clock'
import type { Db } from '#db/postgres/statements/transaction'
import { DAY_MS } from '#rules/constants'
import { databaseAt } from '#scripts/embedded/create-database'
import { advance, freeze } from '#scripts/testing/db/clock'
import { type FreshDatabase, freshDatabase } from '#scripts/testing/db/fresh-database'
import { seedOldDays } from '#scripts/testing/db/history'
import { insertMember } from '#scripts/testing/db/members'
import { useSeeded } from '#scripts/testing/db/seeded-database'

/** A database of a test file with one member; product time stands still. The audit is clean at the end. */
export function useOneMember(): FreshDatabase & { member: number } {
  const used = {} as FreshDatabase & { member: number }
  beforeAll(async () => {
    const fresh = await freshDatabase()
    await freeze(fresh.db)
    Object.assign(used, fresh, { member: await insertMember(fresh.db) })
  })
  afterAll(async () => {
    expect((await audit(used.db)).problems).toEqual([])
    await used.close()
  })
  return used
}

/** Ends the connections of a pool to every node, as a crash of the nodes does; the pool has one. */
export async function endNodeConnections(db: Db): Promise<void> {
  const { rows } = await db.raw('select citus_backend_gpid()::text as id')
  for (const node of inject('testServers').otherNodes ?? []) {
    await withClient(databaseAt(node, 'postgres'), (client) =>
      client.query(
        'select pg_terminate_backend(pid) from pg_stat_activity where application_name = $1',
        [`citus_internal gpid=${rows[0].id}`],
      ),
    )
  }
}

/** Begins the ledger on the 10th of next month: at the turn of a month the days would be of two months. */
async function beginWithinMonth(db: Db): Promise<void> {
  const now = new Date(await productNow(db))
  const start = Date.UTC(now.getUTCFullYear(), now.getUTCMonth() + 1, 10)
  await advance(db, start - now.getTime())
  const days = (await ledgerPartitions(db)).filter(({ name }) => monthOf(name))
  for (const { name } of days) await db.raw('drop table ??', [name])
  await ensurePartitions(db)
}

/** A database for each test whose oldest days are due to be merged into their month. */
export const useDaysToMerge = () =>
  useSeeded(async (db) => {
    await beginWithinMonth(db)
    return seedOldDays(db, 60 * DAY_MS)
  })

export const partitionsOf = async ({ db }: FreshDatabase): Promise<string[]> =>
  (await ledgerPartitions(db)).map(({ name }) => name)

/** Name of the partition that holds a day: its own one or a merged one. */
export async function partitionOf(fresh: FreshDatabase, day: number): Promise<string> {
  const names = await partitionsOf(fresh)
  return namesOver(partitionName(day)).find((name) => names.includes(name)) ?? 'none'
}

export const ledgerOf = ({ db }: FreshDatabase) => db('wallet_activity').orderBy(['userId', 'seq'])

export async function mergeOf({ db }: FreshDatabase): Promise<Merge> {
  const merge = await nextMerge(db, DETAIL_DAYS)
  if (!merge) throw new Error('nothing to merge')
  return merge
}

/** Takes steps until one of that kind; one that has to wait, as for a commit on a node, is retried. */
export async function stepsUntil(
  { db }: FreshDatabase,
  wanted: MergeStep | undefined,
): Promise<MergeStep[]> {
  const taken: MergeStep[] = []
  const nextStep = async () => {
    const step = await mergeStep(db)
    if (step) taken.push(step)
    return step
  }
  await expect.poll(nextStep, { timeout: 60_000, interval: 0 }).toBe(wanted)
  return taken
}

/** Takes steps until nothing is left. @returns the number of merges */
export async function stepsToEnd(fresh: FreshDatabase): Promise<number> {
  return (await stepsUntil(fresh, undefined)).filter((step) => step === 'merged').length
}

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
