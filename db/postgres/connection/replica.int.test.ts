import { afterAll, beforeAll, expect, it } from 'vitest'
import { connect } from '#db/engine/connect'
import type { Db } from '#db/postgres/statements/transaction'
import { RuleError } from '#rules/rule-error'
import { freePort } from '#runtime/config/free-port'
import { type FreshDatabase, freshDatabase } from '#scripts/testing/db/fresh-database'
import { readFromReplica, replicaLagSeconds } from './replica.ts'

/** How a replica follows its primary: trials/failover/postgres-replica.failover.ts. */
let fresh: FreshDatabase
let db: Db
let replica: Db
let unreachable: Db
const warnings: unknown[] = []
const log = { warn: (...args: unknown[]) => void warnings.push(args.at(-1)) }

beforeAll(async () => {
  fresh = await freshDatabase()
  db = fresh.db
  replica = fresh.pool(1)
  const url = new URL(fresh.url)
  url.port = String(await freePort())
  unreachable = connect(url.href, { max: 1, name: 'test' })
})
afterAll(async () => {
  await unreachable.destroy()
  await fresh.close()
})

/** Which of the two connections was read from, in order. */
async function readers(of: Db | undefined, read = async (_reader: Db) => {}): Promise<Db[]> {
  const used: Db[] = []
  await readFromReplica({ db, replica: of, log }, async (reader) => {
    used.push(reader)
    await read(reader)
  })
  return used
}

it('a read uses the primary if there is no replica', async () => {
  expect(await readers(undefined)).toEqual([db])
})

it('a read uses a replica that has what the primary has', async () => {
  expect(await readers(replica)).toEqual([replica])
})

it('a read uses the primary if the replica is unreachable', async () => {
  expect(await readers(unreachable)).toEqual([db])
  expect(warnings).toEqual(['read from the replica failed; reading from the primary'])
})

it('a read that the replica cancels is repeated on the primary', async () => {
  const cancelled = async (reader: Db) => {
    if (reader === replica) await reader.raw('select 1 / 0')
  }
  expect(await readers(replica, cancelled)).toEqual([replica, db])
})

it('a rule that the read breaks is not read again', async () => {
  let reads = 0
  const breaking = async () => {
    reads++
    throw new RuleError('not_signed_in', 'Please sign in')
  }
  await expect(readers(replica, breaking)).rejects.toThrow(RuleError)
  expect(reads).toBe(1)
})

it('a server that is no replica has no lag', async () => {
  expect(await replicaLagSeconds(db)).toBeUndefined()
})
