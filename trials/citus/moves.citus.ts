import { setTimeout as sleep } from 'node:timers/promises'
import { expect, it } from 'vitest'
import { runForBucket } from '#db/engine/citus/run-on-shard'
import { bucketStatement } from '#db/engine/engine'
import { lockClaim } from '#db/mining/mining'
import { withClient } from '#db/postgres/connection/pool'
import { inTransaction } from '#db/postgres/statements/transaction'
import { BUCKETS, bucketOf } from '#rules/buckets'
import { moveShard, portOf, WAYS } from '#trials/citus/placements'
import { useOneMember } from './testing/fixtures.ts'

/** A change of a row of a member, on the node of its shard. */
const COUNT = bucketStatement('count', () => ({
  steps: `counted as (
    update wallets set "lastSeq" = "lastSeq" + 1 where "userId" = :userId::integer returning id
  )`,
  answer: 'select id from counted',
}))
/** There and back. */
const MOVES = 2
/** A shard of this test is moved in less; a transaction that is idle for 10 s is ended. */
const LONG_MS = 7_000

const fresh = useOneMember()

const lastSeq = async () =>
  Number((await fresh.db('wallets').where({ userId: fresh.member }).first()).lastSeq)

/** A bucket of each shard. */
async function bucketsOfShards(): Promise<number[]> {
  const { rows } = await fresh.db.raw(
    `select min(bucket) as bucket from generate_series(0, ?) bucket
     group by get_shard_id_for_distribution_column('wallets', bucket::smallint)`,
    [BUCKETS - 1],
  )
  return rows.map(({ bucket }: { bucket: number }) => bucket)
}

/** Changes a wallet all the time until the work is done: changes that were answered, and those that it has. */
async function changeDuring(work: () => Promise<unknown>) {
  const before = await lastSeq()
  let answered = 0
  let isDone = false
  const change = async () => {
    while (!isDone) {
      await runForBucket(fresh.db, bucketOf(fresh.member), COUNT, { userId: fresh.member })
      answered += 1
    }
  }
  const loops = [change(), change()]
  await work().finally(() => {
    isDone = true
  })
  await Promise.all(loops)
  return { answered, kept: (await lastSeq()) - before }
}

it.each(WAYS)('a shard that is moved by %s keeps each change of that time once', async (way) => {
  const { answered, kept } = await changeDuring(async () => {
    for (let move = 0; move < MOVES; move++) await moveShard(fresh.db, bucketOf(fresh.member), way)
  })
  expect(answered).toBeGreaterThan(MOVES)
  expect(kept).toBe(answered)
})

it.each(WAYS)(
  'a shard is moved by %s after the command that has locked rows of it',
  async (way) => {
    let isMoved = false
    const moving = await inTransaction(fresh.db, async (tx) => {
      await lockClaim(tx, fresh.member)
      const move = moveShard(fresh.db, bucketOf(fresh.member), way).then(() => {
        isMoved = true
      })
      await sleep(LONG_MS)
      expect(isMoved).toBe(false)
      return { move }
    })
    await moving.move
  },
)

it('a rebalance spreads the shards over both nodes and keeps each change of that time once', async () => {
  const buckets = await bucketsOfShards()
  const ports = () => Promise.all(buckets.map((bucket) => portOf(fresh.db, bucket)))
  const own = await portOf(fresh.db, bucketOf(fresh.member))
  for (const [n, port] of (await ports()).entries()) {
    if (port !== own) await moveShard(fresh.db, buckets[n] ?? 0, 'block_writes')
  }
  expect(new Set(await ports()).size).toBe(1)
  // A separate connection, because those of the pool end a statement that takes long.
  const rebalance = () =>
    withClient(fresh.url, async (client) => {
      // By size, as it does unless told, empty shards need not be moved.
      await client.query(`select citus_rebalance_start(rebalance_strategy => 'by_shard_count')`)
      await client.query('select citus_rebalance_wait()')
    })
  const { answered, kept } = await changeDuring(rebalance)
  expect(new Set(await ports()).size).toBe(2)
  expect(answered).toBeGreaterThan(buckets.length)
  expect(kept).toBe(answered)
})
