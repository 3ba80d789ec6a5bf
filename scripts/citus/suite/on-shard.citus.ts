import { afterAll, beforeAll, expect, it } from 'vitest'
import { audit } from '#db/ledger/audit'
import { runOnShard, shardStatement } from '#db/ledger/citus/on-shard'
import { startMining, stopMining } from '#db/mining/mining'
import { migrate } from '#db/postgres/schema/migrate'
import { isMigrated } from '#db/postgres/schema/schema-floor'
import { inTransaction } from '#db/postgres/statements/transaction'
import { advance, freeze } from '#db/testing/clock'
import { type FreshDatabase, freshDatabase } from '#db/testing/fresh-database'
import { insertMember, insertMembers } from '#db/testing/members'
import { bucketOf } from '#rules/buckets'
import { HOUR_MS, INTERVAL_MS } from '#rules/constants'
import { sweepAll } from '#scripts/bench/credits/sweep'
import { moveShard } from '#scripts/citus/placements'
import { splitShards } from './split-shards.ts'

const BALANCE = shardStatement('balance', {
  steps: 'own as (select balance from wallets where "userId" = :userId::integer)',
  answer: 'select balance from own',
})

let fresh: FreshDatabase
let member: number
beforeAll(async () => {
  fresh = await freshDatabase()
  await freeze(fresh.db)
  member = await insertMember(fresh.db)
})
afterAll(async () => {
  expect((await audit(fresh.db)).problems).toEqual([])
  await fresh.close()
})

const seqs = () => fresh.db('wallet_activity').where({ userId: member }).orderBy('seq').pluck('seq')

it('postings and credits of a member count up in the wallet', async () => {
  const first = Number((await fresh.db('wallets').where({ userId: member }).first()).lastSeq)
  await inTransaction(fresh.db, (tx) => startMining(tx, member))
  await advance(fresh.db, HOUR_MS)
  await inTransaction(fresh.db, (tx) => stopMining(tx, member))
  expect(await seqs()).toEqual([first + 1, first + 2, first + 3])
})

it('a statement reaches a shard that has moved to the other node', async () => {
  const balance = () => runOnShard(fresh.db, bucketOf(member), BALANCE, { userId: member })
  const before = await balance()
  expect(before).toHaveLength(1)
  await moveShard(fresh.db, bucketOf(member), 'block_writes')
  expect(await balance()).toEqual(before)
})

it('after a split of a shard its credits wait for the next migration, and none is left out', async () => {
  const members = await insertMembers(fresh.db, 40)
  for (const id of members) await inTransaction(fresh.db, (tx) => startMining(tx, id))
  await splitShards(fresh.db)
  await advance(fresh.db, INTERVAL_MS)
  await expect(sweepAll(fresh.db, 1)).rejects.toThrow('a shard was split')
  await migrate(fresh.url)
  expect(await sweepAll(fresh.db, 1)).toBe(members.length)
})

it('an earlier release does not run beside the numbers of wallets', async () => {
  const { migration } = await fresh.db('schema_floor').first()
  expect(migration >= '043-shard-statements').toBe(true)
  expect(await isMigrated(fresh.db)).toBe(true)
})
