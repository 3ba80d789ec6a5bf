import { expect, it } from 'vitest'
import { runForBucket } from '#db/engine/citus/run-on-shard'
import { bucketStatement } from '#db/engine/engine'
import { readInboxStates } from '#db/inbox/inbox'
import { migrate } from '#db/migrations/migrate'
import { startMining, stopMining } from '#db/mining/mining'
import { inTransaction } from '#db/postgres/statements/transaction'
import { bucketOf } from '#rules/buckets'
import { HOUR_MS, INTERVAL_MS } from '#rules/constants'
import { advance } from '#scripts/testing/db/clock'
import { insertMembers } from '#scripts/testing/db/members'
import { plansOf } from '#scripts/testing/db/statements/plans'
import { sweepAll } from '#trials/bench/credits/sweep'
import { moveShard } from '#trials/citus/placements'
import { splitShards, useOneMember } from './testing/fixtures.ts'

const BALANCE = bucketStatement('balance', () => ({
  steps: 'own as (select balance from wallets where "userId" = :userId::integer)',
  answer: 'select balance from own',
}))

const fresh = useOneMember()

const seqs = () =>
  fresh.db('wallet_activity').where({ userId: fresh.member }).orderBy('seq').pluck('seq')

it('postings and credits of a member count up in the wallet', async () => {
  const first = Number((await fresh.db('wallets').where({ userId: fresh.member }).first()).lastSeq)
  await inTransaction(fresh.db, (tx) => startMining(tx, fresh.member))
  await advance(fresh.db, HOUR_MS)
  await inTransaction(fresh.db, (tx) => stopMining(tx, fresh.member))
  expect(await seqs()).toEqual([first + 1, first + 2, first + 3])
})

it('the bell of one member asks one shard', async () => {
  const read = () => readInboxStates(fresh.db, [fresh.member])
  const [plan] = await plansOf(fresh, read, 'inbox i')
  expect(plan).toContain('Task Count: 1')
})

it('a statement reaches a shard that has moved to the other node', async () => {
  const balance = () =>
    runForBucket(fresh.db, bucketOf(fresh.member), BALANCE, { userId: fresh.member })
  const before = await balance()
  expect(before).toHaveLength(1)
  await moveShard(fresh.db, bucketOf(fresh.member), 'block_writes')
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
